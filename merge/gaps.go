package merge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"threeway/merge/gap"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/owners"
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

// Doubtful reports whether a gap, of other codes than these, may change what the apply does.
func (p *Plan) Doubtful(but ...gap.Code) bool {
	changes := map[manifest.Identity]bool{}
	for _, o := range p.Outcomes {
		changes[o.Identity()] = changes[o.Identity()] || o.Action != rehearsal.Unchanged
	}
	return slices.ContainsFunc(p.Gaps, func(g gap.Gap) bool {
		return !slices.Contains(but, g.Code) &&
			(!g.Code.OfChanges() || slices.ContainsFunc(g.Objects, func(id manifest.Identity) bool { return changes[id] }))
	})
}

const exportOf = "an export of "

// gaps are what a plan does not tell.
func (r *run) gaps(p *Plan) (list gap.List) {
	for _, problem := range p.Problems {
		switch {
		case !unread(problem):
		case problem.File == "":
			list.Add(gap.Gap{Code: gap.NoPath, Needs: problem.Text})
		default:
			at := problem.File
			if problem.Line > 0 {
				at = fmt.Sprintf("%s:%d", at, problem.Line)
			}
			list.Add(gap.Gap{Code: gap.Unread, Place: at, Needs: problem.File + " without its error"})
		}
	}
	if list != nil {
		for _, o := range p.Left {
			list[0].Objects = append(list[0].Objects, o.ID())
		}
	}
	for _, refusal := range p.Refused {
		list.Add(gap.Gap{Code: gap.Refused, Needs: refusal.Error()})
	}
	if p.Prune != nil && !r.Assumed && !r.EmptyCluster {
		for _, k := range p.Prune.Uncovered {
			list.Add(gap.Gap{Code: gap.NotExported, Objects: []manifest.Identity{{Group: k.Group, Kind: k.Kind.Kind}}, Needs: exportOf + k.GroupKind()})
		}
	}
	namespaces := snapshot.OtherNamespaces(r.Live, r.Manifests)
	for _, o := range p.Outcomes {
		about := []manifest.Identity{o.Identity()}
		if code, needs := r.gap(p, o, namespaces); code != "" {
			list.Add(gap.Gap{Code: code, Objects: about, Needs: needs})
		}
		for _, u := range o.Undecided {
			list.Add(gap.Gap{Code: gap.Undecided, Objects: about, Needs: strings.Join(u.Needs, " or ") + " for " + u.Kind + " " + u.Policy})
		}
	}
	return list
}

// staysEqual reports whether an object is as the base has it.
func (r *run) staysEqual(o *rehearsal.Outcome) bool {
	return r.Assumed && o.Action == rehearsal.Unchanged
}

// gap is what is not known of an outcome, and what would tell; "" if it is known. The
// namespaces are those that the snapshot has nothing of.
func (r *run) gap(p *Plan, o *rehearsal.Outcome, namespaces []string) (code gap.Code, needs string) {
	switch {
	case o.Undefined && r.staysEqual(o): // whatever its definition says
	case o.Undefined:
		return gap.NoDefinition, "the CustomResourceDefinition of " + o.Kind.GroupKind() + " (--crd)"
	case p.ServerSide && o.Live != nil && !owners.Recorded(o.Live.Tree):
		return gap.NoOwners, "managedFields: " + rehearsal.ExportManagers
	case r.Assumed && chosenBefore(o) != nil:
		return gap.Chosen, fmt.Sprintf("%s of the live %s (--live): the cluster chose it, and the API server rejects another", chosenBefore(o), o.Kind.Kind)
	case r.Assumed || len(r.Live.Entries) == 0:
	case r.inOtherVersion(o):
		return gap.OtherVersion, o.Kind.GroupKind() + " exported as " + o.Kind.APIVersion()
	case o.Live != nil || o.Action != rehearsal.Created:
	case r.withoutNamespace(o) != nil:
		return gap.OtherNamespaces, "the namespaces of live objects, as kubectl get -o yaml writes them, which no server leaves out"
	case slices.Contains(namespaces, o.Manifest.Namespace):
		return gap.OtherNamespaces, exportOf + "namespace " + o.Manifest.Namespace
	case r.notExported(o):
		return gap.NotExported, exportOf + o.Kind.GroupKind()
	}
	return "", ""
}

// uncovered says where the snapshot may lack what the cluster has.
func (r *run) uncovered(outcomes []*rehearsal.Outcome) []string {
	if len(r.Live.Entries) == 0 || r.Assumed {
		return nil
	}
	notes := r.elsewhere(outcomes)
	var absent, converted []string
	for _, o := range outcomes {
		switch {
		case r.notExported(o):
			absent = append(absent, o.Kind.GroupKind())
		case r.inOtherVersion(o):
			converted = append(converted, fmt.Sprintf("%s (%s, manifest %s)", o.Kind.GroupKind(), o.Live.Kind.Version, o.Kind.Version))
		}
	}
	if kinds := phrase.Distinct(absent); len(kinds) > 0 {
		notes = append(notes, fmt.Sprintf("the snapshot has no objects of these kinds, so all of them count as created: %s; export them, too, in case the cluster has some", strings.Join(kinds, ", ")))
	}
	if kinds := phrase.Distinct(converted); len(kinds) > 0 {
		notes = append(notes, fmt.Sprintf("the live object has another version than the manifest and is used without the server's conversion: %s; export it in the version of the manifest", strings.Join(kinds, ", ")))
	}
	return notes
}

// notExported reports whether an object counts as created although the cluster may
// have it: the snapshot has none of its kind.
func (r *run) notExported(o *rehearsal.Outcome) bool {
	return o.Live == nil && o.Action == rehearsal.Created && !r.Catalog.Complete() && !r.Live.Covers(o.Kind.Group, o.Kind.Kind)
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
func (r *run) elsewhere(outcomes []*rehearsal.Outcome) []string {
	namespaces := snapshot.OtherNamespaces(r.Live, r.Manifests)
	created := 0
	for _, o := range outcomes {
		if o.Action == rehearsal.Created && slices.Contains(namespaces, o.Manifest.Namespace) {
			created++
		}
	}
	if created == 0 {
		return nil
	}
	return []string{fmt.Sprintf("the snapshot has no object in namespace %s, only in %s, so %s as created; if it was exported with -n, export again with -A",
		strings.Join(namespaces, ", "), phrase.Abbreviated(r.Live.Namespaces(), 3), phrase.Count(created, "object counts", "objects count"))}
}

// undecided says, once for each expression of an admission policy, which objects
// depend on what it needs and no file tells.
func undecided(outcomes []*rehearsal.Outcome) []string {
	type question struct{ policy, expression, needs string }
	type doubt struct {
		question
		effects, objects []string
		user             bool
	}
	var doubts []*doubt
	known := map[question]*doubt{}
	for _, o := range outcomes {
		for _, u := range o.Undecided {
			q := question{u.Kind + " " + u.Policy, oneSpaced(u.Expression), strings.Join(u.Needs, " or ")}
			d := known[q]
			if d == nil {
				d = &doubt{question: q}
				known[q], doubts = d, append(doubts, d)
			}
			d.user = d.user || u.NeedsUser()
			d.effects = append(d.effects, string(u.Effect))
			d.objects = append(d.objects, o.Identity().String())
		}
	}
	slices.SortFunc(doubts, func(a, b *doubt) int {
		return cmp.Or(cmp.Compare(a.policy, b.policy), cmp.Compare(a.expression, b.expression), cmp.Compare(a.needs, b.needs))
	})
	var notes []string
	for _, d := range doubts {
		text := fmt.Sprintf("%s may %s %s: %s is unknown", d.policy, strings.Join(phrase.Distinct(d.effects), " or "), phrase.Some(phrase.Distinct(d.objects)), d.needs)
		if d.user {
			text += " (apply.as in .threeway.yaml tells who applies)"
		}
		if d.expression != "" {
			text += ", which its expression needs: " + d.expression
		}
		notes = append(notes, text)
	}
	return notes
}

func oneSpaced(text string) string { return strings.Join(strings.Fields(text), " ") }
