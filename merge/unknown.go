package merge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"threeway/merge/manifest"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
	"threeway/merge/schema"
	"threeway/merge/snapshot"
	"threeway/merge/text/phrase"
)

// Gap is the reason why a plan does not tell everything.
type Gap string

// The gaps.
const (
	// Unread: a file cannot be read, or not from some line on.
	Unread Gap = "unread"
	// NoPath: a path that was asked for is not there.
	NoPath Gap = "noPath"
	// NoDefinition: no CustomResourceDefinition describes the kind of an object.
	NoDefinition Gap = "noDefinition"
	// NotExported: the snapshot has no object of a kind that is applied or pruned.
	NotExported Gap = "notExported"
	// OtherNamespaces: the snapshot has no object of a namespace.
	OtherNamespaces Gap = "otherNamespaces"
	// OtherVersion: a live object is in a version that only the server converts.
	OtherVersion Gap = "otherVersion"
	// NoOwners: a live object has no managedFields, and the apply goes by them.
	NoOwners Gap = "noOwners"
	// OtherApplier: another program applies a live object.
	OtherApplier Gap = "otherApplier"
	// Refused: kubectl refuses the whole run.
	Refused Gap = "refused"
	// Chosen: a field is set that the cluster chose before, and that may not change.
	Chosen Gap = "chosen"
	// Undecided: an admission policy needs what no file tells, or a pattern too much time.
	Undecided Gap = "undecided"
	// BaseUnread: a part of the base cannot be read.
	BaseUnread Gap = "baseUnread"
)

// Unknown is one thing that a plan does not tell.
type Unknown struct {
	Gap Gap
	// Object is what it is about; zero if that is unknown too.
	Object manifest.Identity
	// Kind is what it is about if that is no single object; "" if that is unknown.
	Kind string
	// Path is the place in a file, or the path that is not there; "" if there is none.
	Path string
	// Needs is what would tell. What one thing would tell of several objects counts
	// once.
	Needs string
}

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

// Leave adds what a caller of New knows to be unknown.
func (p *Plan) AddUnknown(gaps ...Unknown) { p.Unknown = append(p.Unknown, gaps...) }

// Doubtful reports whether something unknown, of other gaps than these, may change what the apply does. The definition
// and the policies of an object that stays as it is may not, since no request is sent for it.
func (p *Plan) Doubtful(but ...Gap) bool {
	changes := map[manifest.Identity]bool{}
	for _, o := range p.Outcomes {
		changes[o.Identity()] = changes[o.Identity()] || o.Action != rehearsal.Unchanged
	}
	return slices.ContainsFunc(p.Unknown, func(u Unknown) bool {
		return !slices.Contains(but, u.Gap) && (u.Gap != NoDefinition && u.Gap != Undecided || changes[u.Object])
	})
}

const exportOf = "an export of "

// unknown lists what a plan does not tell, in the order of the gaps.
func (r *run) unknown(p *Plan) []Unknown {
	var list []Unknown
	for _, problem := range p.Problems {
		switch {
		case !unread(problem):
		case problem.File == "":
			list = append(list, Unknown{Gap: NoPath, Needs: problem.Text})
		default:
			at := problem.File
			if problem.Line > 0 {
				at = fmt.Sprintf("%s:%d", at, problem.Line)
			}
			list = append(list, Unknown{Gap: Unread, Path: at, Needs: problem.File + " without its error"})
		}
	}
	if list != nil && p.Base != nil {
		for _, o := range p.Base.Left {
			list = append(list, Unknown{Gap: list[0].Gap, Object: o.ID(), Path: list[0].Path, Needs: list[0].Needs})
		}
	}
	for _, refusal := range p.Refused {
		list = append(list, Unknown{Gap: Refused, Needs: refusal.Error()})
	}
	if p.Prune != nil && !r.Assumed && !r.EmptyCluster {
		for _, k := range p.Prune.Uncovered {
			list = append(list, Unknown{Gap: NotExported, Kind: k.GroupKind(), Needs: exportOf + k.GroupKind()})
		}
	}
	namespaces := snapshot.OtherNamespaces(r.Live, r.Manifests)
	for _, o := range p.Outcomes {
		if gap, needs := r.gap(p, o, namespaces); gap != "" {
			list = append(list, Unknown{Gap: gap, Object: o.Identity(), Needs: needs})
		}
		for _, u := range o.Undecided {
			list = append(list, Unknown{Gap: Undecided, Object: o.Identity(), Needs: strings.Join(u.Needs, " or ") + " for " + u.Kind + " " + u.Policy})
		}
	}
	if p.Base != nil {
		for _, text := range p.Base.unread {
			list = append(list, Unknown{Gap: BaseUnread, Needs: text})
		}
	}
	order := []Gap{Refused, NoPath, Unread, BaseUnread, NoDefinition, NotExported, OtherNamespaces, OtherVersion, NoOwners, OtherApplier, Chosen, Undecided}
	slices.SortStableFunc(list, func(a, b Unknown) int {
		return cmp.Compare(slices.Index(order, a.Gap), slices.Index(order, b.Gap))
	})
	return slices.CompactFunc(list, func(a, b Unknown) bool { return a == b })
}

// gap is what is not known of an outcome, and what would tell; "" if it is known. The
// namespaces are those that the snapshot has nothing of.
func (r *run) gap(p *Plan, o *rehearsal.Outcome, namespaces []string) (gap Gap, needs string) {
	switch {
	case o.Undefined:
		return NoDefinition, "the CustomResourceDefinition of " + o.Kind.GroupKind() + " (--crd)"
	case p.ServerSide && o.Live != nil && !owners.Recorded(o.Live.Tree):
		return NoOwners, "managedFields: " + rehearsal.ExportManagers
	case r.Assumed && chosenBefore(o) != nil:
		return Chosen, fmt.Sprintf("%s of the live %s (--live): the cluster chose it, and the API server rejects another", chosenBefore(o), o.Kind.Kind)
	case r.Assumed || len(r.Live.Entries) == 0:
	case r.inOtherVersion(o):
		return OtherVersion, o.Kind.GroupKind() + " exported as " + o.Kind.APIVersion()
	case o.Live != nil || o.Action != rehearsal.Created:
	case r.withoutNamespace(o) != nil:
		return OtherNamespaces, "the namespaces of live objects, as kubectl get -o yaml writes them, which no server leaves out"
	case slices.Contains(namespaces, o.Manifest.Namespace):
		return OtherNamespaces, exportOf + "namespace " + o.Manifest.Namespace
	case r.notExported(o):
		return NotExported, exportOf + o.Kind.GroupKind()
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
	return o.Live != nil && o.Before != nil && o.Live.Kind.Version != o.Kind.Version && schema.Lookup(o.Kind) == nil
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
