package merge

import (
	"strings"

	"threeway/merge/fault"
	"threeway/merge/server"
	"threeway/merge/serverside"
	"threeway/merge/tree"
)

// ServerSide asks for a server-side apply (kubectl's --server-side).
type ServerSide struct {
	// Force takes over fields that others own (--force-conflicts).
	Force bool
	// Manager is who applies (--field-manager); the server rejects an empty name.
	Manager string
	// Migrate shows what a real apply leaves of objects that were applied
	// client-side before, which goes further than every dry run.
	Migrate bool
}

// DefaultManager is who kubectl applies server-side as.
const DefaultManager = "kubectl"

// Apply is the media type of a server-side apply.
const Apply PatchType = "application/apply-patch+yaml"

// applyServerSide sends the config as it is. Diff and apply send the same
// (kubectl pkg/cmd/apply/apply.go applyOneObject, pkg/cmd/diff/diff.go).
func (r *run) applyServerSide(o *Outcome) {
	r.startServerSide(o)
	o.Patch = o.Target()
	request := serverside.Request{
		Config:  o.Target(),
		Manager: r.ServerSide.Manager,
		Force:   r.ServerSide.Force,
		Time:    r.Live.NewestWrite,
	}
	if no := server.ApplierRejection(request.Manager, r.Minor); no != nil {
		o.refuse(no)
		return
	}
	res := r.server.Apply(o.Kind, o.Taken(), request)
	o.hear(res)
	if no := res.Rejection; no != nil {
		if no.Reason == "MethodNotAllowed" {
			o.Warnings = nil // the request finds no handler, which would have warned
		}
		if no.Reason == "Conflict" {
			no = fault.Refuse(no.Message, no.Faults...).Around(func(message fault.Text) fault.Text {
				return fault.Join(message, fault.Words("%s", conflictHelp))
			})
		}
		o.refuse(no)
		return
	}
	o.Result = res.Object
	if o.Migration = r.migrate(o, request); o.Migration != nil && r.ServerSide.Migrate {
		o.Result, o.Warnings, o.Migration.Shown = o.Migration.Result, append(o.Warnings, o.Migration.Warnings...), true
	}
	o.end(o.Result)
	if tree.Has(o.Before, "metadata", "deletionTimestamp") && !r.Diff {
		o.warn("Detected changes to resource %s which is currently being deleted.", o.Config.Name)
	}
}

// hear takes over what the server says besides its answer.
func (o *Outcome) hear(res server.Result) {
	o.Warnings = append(o.Warnings, res.Warnings...)
	o.Audits, o.Advice, o.undecided, o.Mutations = res.Audits, res.Advice, res.Undecided, res.Mutations
}

// end takes over what the object is after a server-side apply.
func (o *Outcome) end(result tree.Object) {
	o.Result = result
	switch {
	case o.Live == nil:
	case tree.Equal(o.Before, o.Result):
		o.Action = Unchanged
	default:
		o.Action = Configured
	}
}

// startServerSide fills in what is the same of every server-side apply.
func (r *run) startServerSide(o *Outcome) {
	o.Action, o.Applier, o.PatchType = Created, r.ServerSide.Manager, Apply
	if o.Live != nil {
		o.Before = r.inVersion(o.Live, o.Kind)
	}
}

// Mode is how the plan applies: client-side or server-side.
func (p *Plan) Mode() string {
	if p.ServerSide {
		return "server-side"
	}
	return "client-side"
}

// Verb is kubectl's word for what happened: a server-side apply has one only.
func (o *Outcome) Verb() string {
	if o.PatchType == Apply && o.Action != Rejected {
		return "serverside-applied"
	}
	return string(o.Action)
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
