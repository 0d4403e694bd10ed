package merge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"threeway/merge/gap"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/owners"
	"threeway/merge/prune"
	"threeway/merge/rehearsal"
	"threeway/merge/snapshot"
	"threeway/merge/text/phrase"
)

// Unread reports whether a manifest cannot be read, so that it is unknown which objects
// left the manifests.
func (p *Plan) Unread() bool { return slices.ContainsFunc(p.Problems, unread) }

// RejectedEarly are the manifests that kubectl rejects before it asks for their objects:
// they have no outcome.
func (p *Plan) RejectedEarly() (list []manifest.Problem) {
	for _, problem := range p.Problems {
		if problem.Severity == manifest.Error && !unread(problem) {
			list = append(list, problem)
		}
	}
	return list
}

// unread reports whether a problem hides objects: those that were read and are
// rejected are known.
func unread(p manifest.Problem) bool {
	return p.Severity == manifest.Error && (p.Object == nil || p.Object.Kind.Kind == "")
}

// Add adds gaps, with the notes about them.
func (p *Plan) Add(gaps ...gap.Gap) {
	p.Gaps.Add(gaps...)
	for _, g := range gaps {
		if g.Note != "" && !slices.Contains(p.Notes, g.Note) {
			p.Notes = append(p.Notes, g.Note)
		}
	}
}

const exportOf = "an export of "

// unread adds what of the manifests and the base cannot be read, and why kubectl refuses.
func (r *run) unread(p *Plan) {
	var hides gap.List
	for _, problem := range p.Problems {
		switch {
		case !unread(problem):
		case problem.File == "":
			hides.Add(gap.Gap{Code: gap.NoPath, Needs: problem.Text})
		default:
			at := problem.File
			if problem.Line > 0 {
				at = fmt.Sprintf("%s:%d", at, problem.Line)
			}
			hides.Add(gap.Gap{Code: gap.Unread, Place: at, Needs: problem.File + " without its error"})
		}
	}
	if hides != nil {
		for _, o := range p.Left {
			hides[0].Objects = append(hides[0].Objects, o.ID())
		}
	}
	for _, refusal := range p.Refused {
		hides.Add(gap.Gap{Code: gap.Refused, Needs: refusal.Error()})
	}
	p.Add(hides...)
}

// whole stands for all objects of a kind.
func whole(k schema.Kind) []manifest.Identity {
	return []manifest.Identity{{Group: k.Group, Kind: k.Kind}}
}

// lacking adds what is unknown of outcomes, because an input lacks it. A definition is not
// needed of an object that stays as it is, since nothing is sent for it.
func (r *run) lacking(p *Plan) {
	namespaces := snapshot.OtherNamespaces(r.Live, r.Manifests)
	outside := r.elsewhere(p.Outcomes, namespaces)
	kinds := map[gap.Code][]string{}
	codes := make([]gap.Code, len(p.Outcomes))
	for i, o := range p.Outcomes {
		name := o.Kind.GroupKind()
		switch codes[i] = r.code(p, o, namespaces); {
		case codes[i] == gap.OtherVersion:
			name = fmt.Sprintf("%s (%s, manifest %s)", name, o.Live.Kind.Version, o.Kind.Version)
		case codes[i] == gap.NotExported && o.Identity().InEveryCluster():
			continue
		}
		kinds[codes[i]] = append(kinds[codes[i]], name)
	}
	named := func(code gap.Code) string { return strings.Join(phrase.Distinct(kinds[code]), ", ") }
	undefined := fmt.Sprintf("no CustomResourceDefinition for %s in the manifests, the snapshot or --crd: objects are merged, but not pruned, defaulted or validated; pass --crd, or a snapshot with the definitions", named(gap.NoDefinition))
	absent := fmt.Sprintf("the snapshot has no objects of these kinds, so all of them count as created: %s; export them, too, in case the cluster has some", named(gap.NotExported))
	converted := fmt.Sprintf("the live object has another version than the manifest and is used without the server's conversion: %s; export it in the version of the manifest", named(gap.OtherVersion))
	ownerless := sync.OnceValue(p.ownerless)
	type lack struct {
		code  gap.Code
		needs string
	}
	var gaps []gap.Gap
	at := map[lack]int{}
	for i, o := range p.Outcomes {
		g := gap.Gap{Code: codes[i]}
		switch kind := o.Kind.GroupKind(); g.Code {
		case "":
			continue
		case gap.NoDefinition:
			g.Needs, g.Note = "the CustomResourceDefinition of "+kind+" (--crd)", undefined
			if !strings.Contains(o.Kind.Group, ".") {
				g.Needs, g.Note = "the right apiVersion of "+kind, kind+" is unknown, and a group without a dot is never that of a CustomResourceDefinition: correct its apiVersion"
			}
		case gap.NoOwners:
			g.Note = ownerless() // and one command exports all
		case gap.Chosen:
			g.Needs = fmt.Sprintf("%s of the live %s (--live): the cluster chose it, and the API server rejects another", chosenBefore(o), o.Kind.Kind)
		case gap.OtherVersion:
			g.Needs, g.Note = kind+" exported as "+o.Kind.APIVersion(), converted
		case gap.NotExported:
			if o.Identity().InEveryCluster() {
				g.Needs = exportOf + o.Identity().String() + ", which every cluster has"
				break
			}
			g.Needs, g.Note = exportOf+kind, absent
		case gap.OtherNamespaces:
			if g.Needs, g.Note = exportOf+"namespace "+o.Manifest.Namespace, outside; r.withoutNamespace(o) != nil {
				g.Needs = "the namespaces of live objects, as kubectl get -o yaml writes them, which no server leaves out"
			}
		}
		one := lack{g.Code, g.Needs}
		if _, known := at[one]; !known {
			at[one], gaps = len(gaps), append(gaps, g)
		}
		objects := &gaps[at[one]].Objects
		*objects = append(*objects, o.Identity())
	}
	if i, found := at[lack{code: gap.NoOwners}]; found {
		gaps[i].Needs = "managedFields: " + manifest.ExportManagers(gaps[i].Objects...)
	}
	p.Add(gaps...)
}

// unmapped adds the kinds of which nothing tells whether the cluster serves them, and of which no object is
// applied: those of objects that -l leaves out, and of --prune-allowlist. Without one of them, kubectl fails.
func (r *run) unmapped(p *Plan) {
	add := func(k schema.Kind, does string, objects ...manifest.Identity) {
		if serves, known := r.Catalog.Serves(r.Catalog.Mapped(k)); !serves && !known {
			p.Add(gap.Gap{Code: gap.NoDefinition, Objects: objects, Needs: "the CustomResourceDefinition of " + k.GroupKind() + " (--crd)",
				Note: "no CustomResourceDefinition for " + k.GroupKind() + " in the manifests, the snapshot or --crd: without it in the cluster, kubectl " + does})
		}
	}
	for _, o := range r.Manifests.Objects {
		if r.given.Select != nil && !r.given.Select(o.Labels()) {
			add(o.Kind, "fails at "+o.ID().String()+", which -l leaves out"+map[bool]string{true: ", and prunes nothing"}[r.given.Prune != nil], o.ID())
		}
	}
	if r.given.Prune != nil {
		kinds, _ := prune.ParseKinds(r.given.Prune.Allowlist, func(schema.Kind) (bool, bool) { return true, true })
		for _, k := range kinds {
			add(k.Kind, "applies nothing, because --prune-allowlist has the kind")
		}
	}
}

// code is that of what inputs lack about an outcome, the first that does; "" if nothing does.
// The namespaces are those that the snapshot has nothing of.
func (r *run) code(p *Plan, o *rehearsal.Outcome, namespaces []string) gap.Code {
	switch {
	case o.Undefined && !o.Stays():
		return gap.NoDefinition
	case p.ServerSide && o.Live != nil && len(o.Placeholders) == 0 && !owners.Recorded(o.Live.Tree):
		return gap.NoOwners
	case r.Assumed && chosenBefore(o) != nil:
		return gap.Chosen
	case r.Assumed || len(r.Live.Entries) == 0:
	case r.inOtherVersion(o):
		return gap.OtherVersion
	case o.Live != nil || o.Action != rehearsal.Created:
	case r.withoutNamespace(o) != nil || slices.Contains(namespaces, o.Manifest.Namespace):
		return gap.OtherNamespaces
	case r.notExported(o):
		return gap.NotExported
	}
	return ""
}

// notExported reports whether an object counts as created although the cluster may
// have it: the snapshot has none of its kind, or lacks what every cluster has.
func (r *run) notExported(o *rehearsal.Outcome) bool {
	if ns := o.Manifest.Namespace; o.Identity().InEveryCluster() && (ns == "" || r.Live.Find(manifest.Identity{Kind: "Namespace", Name: ns}) != nil) {
		return true
	}
	return !r.Catalog.Complete() && !r.Live.Covers(o.Kind.Group, o.Kind.Kind)
}

// withoutNamespace is the object of the snapshot that has the kind and name of a manifest,
// and no namespace although it must have one.
func (r *run) withoutNamespace(o *rehearsal.Outcome) *manifest.Entry {
	if o.Manifest.Namespace == "" {
		return nil
	}
	return r.Live.FindEntry(manifest.Identity{Group: o.Kind.Group, Kind: o.Kind.Kind, Name: o.Manifest.Name})
}

// inOtherVersion reports whether an object was compared with a live one that the server
// would have to convert.
func (r *run) inOtherVersion(o *rehearsal.Outcome) bool {
	if o.Live == nil || o.Before == nil || o.Live.Kind.Version == o.Kind.Version || schema.Lookup(o.Kind) != nil {
		return false
	}
	return !r.Catalog.Converts(o.Kind, o.Live.Tree)
}

// elsewhere says that the snapshot was exported from other namespaces than those
// of the set, so that it shows nothing of what is live in these.
func (r *run) elsewhere(outcomes []*rehearsal.Outcome, namespaces []string) string {
	created := 0
	for _, o := range outcomes {
		if o.Action == rehearsal.Created && slices.Contains(namespaces, o.Manifest.Namespace) {
			created++
		}
	}
	if created == 0 {
		return ""
	}
	return fmt.Sprintf("the snapshot has no object in namespace %s, only in %s, so %s as created; if it was exported with -n, export again with -A",
		strings.Join(namespaces, ", "), phrase.Abbreviated(r.Live.Namespaces(), 3), phrase.Count(created, "object counts", "objects count"))
}

// undecided adds what is undecided of the objects that change.
func undecided(p *Plan) {
	var list []rehearsal.Undecided
	for _, o := range p.Outcomes {
		if o.Action != rehearsal.Unchanged {
			for _, u := range o.Undecided {
				list = append(list, rehearsal.Undecided{Object: o.Identity(), Undecided: u})
			}
		}
	}
	p.AddUndecided(list)
}

// AddUndecided adds, once for each expression of an admission policy, which objects depend on what
// it needs.
func (p *Plan) AddUndecided(list []rehearsal.Undecided) {
	type question struct{ policy, expression, needs string }
	type doubt struct {
		question
		effects []string
		objects []manifest.Identity
		user    bool
	}
	var doubts []*doubt
	known := map[question]*doubt{}
	for _, u := range list {
		q := question{u.Kind + " " + u.Policy, oneSpaced(u.Expression), strings.Join(u.Needs, " or ")}
		d := known[q]
		if d == nil {
			d = &doubt{question: q}
			known[q], doubts = d, append(doubts, d)
		}
		d.user = d.user || u.NeedsUser()
		d.effects = append(d.effects, string(u.Effect))
		if !slices.Contains(d.objects, u.Object) {
			d.objects = append(d.objects, u.Object)
		}
	}
	slices.SortFunc(doubts, func(a, b *doubt) int {
		return cmp.Or(cmp.Compare(a.policy, b.policy), cmp.Compare(a.expression, b.expression), cmp.Compare(a.needs, b.needs))
	})
	for _, d := range doubts {
		var names []string
		for _, o := range d.objects {
			names = append(names, o.String())
		}
		text := fmt.Sprintf("%s may %s %s: %s is unknown", d.policy, strings.Join(phrase.Distinct(d.effects), " or "), phrase.Some(phrase.Distinct(names)), d.needs)
		if d.user {
			text += " (apply.as in .threeway.yaml tells who applies)"
		}
		if d.expression != "" {
			text += ", which its expression needs: " + d.expression
		}
		p.Add(gap.Gap{Code: gap.Undecided, Objects: d.objects, Needs: d.needs + " for " + d.policy, Note: text})
	}
}

func oneSpaced(text string) string { return strings.Join(strings.Fields(text), " ") }
