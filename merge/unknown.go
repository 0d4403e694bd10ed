package merge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"threeway/merge/manifest"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
	"threeway/merge/snapshot"
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
	// NotExported: the snapshot has no object of a kind.
	NotExported Gap = "notExported"
	// OtherNamespaces: the snapshot has no object of a namespace.
	OtherNamespaces Gap = "otherNamespaces"
	// OtherVersion: a live object is in a version that only the server converts.
	OtherVersion Gap = "otherVersion"
	// NoOwners: a live object has no managedFields, and the apply goes by them.
	NoOwners Gap = "noOwners"
	// OtherApplier: another program applies a live object.
	OtherApplier Gap = "otherApplier"
	// Undecided: an admission policy needs what no file tells.
	Undecided Gap = "undecided"
	// BaseUnread: a part of the base cannot be read.
	BaseUnread Gap = "baseUnread"
)

// Unknown is one thing that a plan does not tell.
type Unknown struct {
	Gap Gap
	// Object is what it is about; zero if that is unknown too.
	Object manifest.Identity
	// Path is the place in a file, or the path that is not there; "" if there is none.
	Path string
	// Needs is what would tell. What one thing would tell of several objects counts
	// once.
	Needs string
}

// Unread reports whether a manifest cannot be read, so that it is unknown which objects
// left the manifests.
func (p *Plan) Unread() bool { return slices.ContainsFunc(p.Problems, unread) }

// unread reports whether a problem hides objects: those that were read and are
// rejected are known.
func unread(p manifest.Problem) bool {
	return p.Severity == manifest.Error && (p.Object == nil || p.Object.Kind.Kind == "")
}

// Leave adds what a caller of New knows to be unknown.
func (p *Plan) Leave(gaps ...Unknown) { p.Unknown = append(p.Unknown, gaps...) }

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
	namespaces := snapshot.OtherNamespaces(r.Live, r.Config)
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
	order := []Gap{NoPath, Unread, BaseUnread, NoDefinition, NotExported, OtherNamespaces, OtherVersion, NoOwners, OtherApplier, Undecided}
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
	case r.Assumed || len(r.Live.Entries) == 0:
	case r.inOtherVersion(o):
		return OtherVersion, o.Kind.GroupKind() + " exported as " + o.Kind.APIVersion()
	case o.Live != nil || o.Action != rehearsal.Created:
	case slices.Contains(namespaces, o.Config.Namespace):
		return OtherNamespaces, "an export of namespace " + o.Config.Namespace
	case r.notExported(o):
		return NotExported, "an export of " + o.Kind.GroupKind()
	}
	return "", ""
}
