package kubectl

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
)

// SmallLetters refuses an object whose kind is written in small letters, and reports
// whether it is: kubectl finds the resource of the kind that is meant, and the server
// then does not know the kind.
func SmallLetters(r *rehearsal.Run, o *rehearsal.Outcome) bool {
	meant := r.Catalog.Mapped(o.Kind)
	if meant == o.Kind {
		return false
	}
	misspelled := fault.Fault{Code: fault.Invalid, Path: fieldpath.New("kind")}
	id := o.Manifest.ID()
	o.Live = r.Live.Find(manifest.Identity{Group: id.Group, Kind: meant.Kind, Namespace: id.Namespace, Name: id.Name})
	switch {
	case r.ServerSide != nil:
		o.Refuse(fault.Reject("BadRequest", fault.Words("invalid object type: %s/%s, Kind=%s", o.Kind.Group, o.Kind.Version, o.Kind.Kind), misspelled))
	case o.Live != nil:
		(Requests{r}).update(o) // whose patch would change the kind
	case schema.Lookup(meant) == nil:
		faults := fault.Fields(field.ErrorList{field.Invalid(field.NewPath("kind"), o.Kind.Kind, "must be "+meant.Kind)}, o.Manifest.Tree)
		o.Refuse(fault.InvalidObject(o.Kind.Kind, o.Kind.GroupKind(), o.Manifest.Name, nil, faults).Around(around(r, o, "creating")))
	default:
		o.Refuse(fault.Reject("BadRequest", fault.Words("%s in version %q cannot be handled as a %s: no kind %q is registered for version %q in scheme \"pkg/runtime/scheme.go:111\"",
			o.Kind.Kind, o.Kind.Version, meant.Kind, o.Kind.Kind, o.Kind.APIVersion()), misspelled).Around(around(r, o, "creating")))
	}
	return true
}
