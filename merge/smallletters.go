package merge

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/manifest"
	"threeway/merge/schema"
	"threeway/merge/server"
)

// inSmallLetters refuses an object whose kind is written in small letters:
// kubectl finds the resource of the kind that is meant, and the server then
// does not know the kind.
func (r *run) inSmallLetters(o *Outcome, meant schema.Kind) *Outcome {
	id := o.Config.ID()
	o.Live = r.Live.Find(manifest.Identity{Group: id.Group, Kind: meant.Kind, Namespace: id.Namespace, Name: id.Name})
	creating := func(message string) string { return r.around(o, "creating", message) }
	switch {
	case r.ServerSide != nil:
		o.refuse(rejection(&server.Rejection{Reason: "BadRequest",
			Message: fmt.Sprintf("invalid object type: %s/%s, Kind=%s", o.Kind.Group, o.Kind.Version, o.Kind.Kind)}, func(message string) string { return message }))
	case o.Live != nil:
		r.update(o) // whose patch would change the kind
	case schema.Lookup(meant) == nil:
		o.refuse(rejection(&server.Rejection{Reason: "Invalid", Kind: o.Kind, Name: o.Config.Name,
			Causes: field.ErrorList{field.Invalid(field.NewPath("kind"), o.Kind.Kind, "must be "+meant.Kind)}}, creating))
	default:
		o.refuse(rejection(&server.Rejection{Reason: "BadRequest",
			Message: fmt.Sprintf("%s in version %q cannot be handled as a %s: no kind %q is registered for version %q in scheme \"pkg/runtime/scheme.go:111\"",
				o.Kind.Kind, o.Kind.Version, meant.Kind, o.Kind.Kind, o.Kind.APIVersion())}, creating))
	}
	return o
}
