package rehearsal

import (
	"fmt"

	"threeway/merge/fault"
	"threeway/merge/kube"
	"threeway/merge/manifest"
)

// badName is kubectl's refusal of a name with which it cannot ask the server.
func (r *Run) badName(o *Outcome, why string) *fault.Rejection {
	why = fmt.Sprintf("invalid resource name %q: [%s]", o.Manifest.Name, why)
	no := fault.Refuse(fault.Words("%s", why), fault.Fault{Code: fault.Invalid, Detail: fault.Words("%s", why)})
	if r.Diff || r.ServerSide != nil {
		return no
	}
	return no.Around(r.Retrieving(o))
}

// Retrieving is how kubectl wraps the error about the live object that it asks for.
func (r *Run) Retrieving(o *Outcome) func(fault.Text) fault.Text {
	return func(message fault.Text) fault.Text {
		return fault.Join(fault.Words("error when retrieving current configuration of:\n%s\nfrom server for: %q: ", r.Info(o), o.Manifest.Origin.File), message)
	}
}

// Info is how kubectl describes an object in errors (resource.Info.String).
func (r *Run) Info(o *Outcome) string {
	oneLine := kube.ObjectInOneLine.In(r.Minor)
	return manifest.Described(o.Kind, o.Resource, o.Manifest.Name, o.Manifest.Namespace, oneLine)
}
