package kubectl

import (
	"strings"

	"threeway/merge/fault"
	"threeway/merge/kube"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// ApplyServerSide sends the config as it is. Diff and apply send the same
// (kubectl pkg/cmd/apply/apply.go applyOneObject, pkg/cmd/diff/diff.go).
func (r Requests) ApplyServerSide(o *rehearsal.Outcome) {
	r.StartServerSide(o)
	o.Patch = o.Target()
	request := kube.ApplyRequest{
		Manifest: o.Target(),
		Manager:  r.ServerSide.Manager,
		Force:    r.ServerSide.Force,
		Time:     r.Live.NewestWrite,
	}
	if no := r.Server.ApplierRejection(request.Manager); no != nil {
		o.Refuse(no)
		return
	}
	res := r.Server.Apply(o.Kind, o.Taken(), request)
	o.TakeWarnings(res)
	if no := res.Rejection; no != nil {
		if no.Reason == "MethodNotAllowed" {
			o.Warnings = nil // the request finds no handler, which would have warned
		}
		if no.Reason == "Conflict" && !r.Diff { // which prints the answer as it is
			no = fault.Refuse(no.Message, no.Faults...).Around(func(message fault.Text) fault.Text {
				return fault.Join(message, fault.Words("%s", conflictHelp))
			})
		}
		o.Refuse(no)
		return
	}
	o.Result = res.Object
	if o.Migration = r.migrate(o, request); o.Migration != nil && r.ServerSide.Migrate {
		o.Result, o.Warnings, o.Migration.Shown = o.Migration.Result, append(o.Warnings, o.Migration.Warnings...), true
	}
	o.End(o.Result)
	if tree.Has(o.Before, "metadata", "deletionTimestamp") && !r.Diff {
		o.Warn("Detected changes to resource %s which is currently being deleted.", o.Manifest.Name)
	}
}

// conflictHelp is what kubectl appends to a conflict.
var conflictHelp = strings.ReplaceAll(`
Please review the fields above--they currently have other managers. Here
are the ways you can resolve this warning:
* If you intend to manage all of these fields, please re-run the apply
  command with the "--force-conflicts" flag.
* If you do not intend to manage all of the fields, please edit your
  manifest to remove references to the fields that should keep their
  current managers.
* You may co-own fields by updating your manifest to match the existing
  value; in this case, you'll become the manager if the other manager(s)
  stop managing the field (remove it from their configuration).
See https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts`, `"`, "`")
