package rehearsal

import (
	"fmt"

	"threeway/merge/fault"
)

// badName is kubectl's refusal of a name with which it cannot ask the server.
func (r *Run) badName(o *Outcome, why string) *fault.Rejection {
	why = fmt.Sprintf("invalid resource name %q: [%s]", o.Manifest.Name, why)
	no := fault.Refuse(fault.Words("%s", why), fault.Fault{Code: fault.Invalid, Detail: fault.Words("%s", why)})
	if r.Diff || r.ServerSide != nil {
		return no
	}
	return no.Around(o.Retrieving)
}

// Retrieving is how kubectl wraps the error about the live object that it asks for.
func (o *Outcome) Retrieving(message fault.Text) fault.Text {
	return fault.Join(fault.Words("error when retrieving current configuration of:\n%s\nfrom server for: %q: ", o.Info(), o.Manifest.Origin.File), message)
}

// Info is how kubectl describes an object in errors (resource.Info.String).
func (o *Outcome) Info() string {
	gv := o.Kind.Group + "/" + o.Kind.Version
	return fmt.Sprintf("Resource: \"%s, Resource=%s\", GroupVersionKind: \"%s, Kind=%s\"\nName: %q, Namespace: %q",
		gv, o.Resource, gv, o.Kind.Kind, o.Manifest.Name, o.Manifest.Namespace)
}
