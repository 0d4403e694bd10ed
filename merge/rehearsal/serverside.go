package rehearsal

import (
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/kube"
	"threeway/merge/tree"
)

// TakeWarnings takes over what the server says besides its answer.
func (o *Outcome) TakeWarnings(res kube.Result) {
	o.Warnings = append(o.Warnings, res.Warnings...)
	o.Advice, o.Undecided, o.Mutations, o.Placeholders = res.Advice, res.Undecided, res.Mutations, res.Placeholders
}

// End takes over what the object is after a server-side apply.
func (o *Outcome) End(result tree.Object) {
	o.Result = result
	switch {
	case o.Live == nil:
	case tree.Equal(o.Before, o.Result):
		o.Action = Unchanged
	default:
		o.Action = Configured
	}
}

// StartServerSide fills in what is the same of every server-side apply.
func (r *Run) StartServerSide(o *Outcome) {
	o.Action, o.Applier, o.PatchType = Created, r.ServerSide.Manager, Apply
	if o.Live != nil {
		o.Before = r.InVersion(o.Live, o.Kind)
	}
}

// Migration is what a real server-side apply does after the one that a dry run
// shows, of an object that was applied client-side before: it gives what
// client-side apply owns to the manager that applies, and applies once more,
// which removes what the config no longer has.
type Migration struct {
	// Result is the object as it leaves it.
	Result tree.Object
	// Shown tells that the outcome is that of the real apply already.
	Shown bool
	// Removed are the fields that it removes.
	Removed []fieldpath.Path
	// Warnings are kubectl's, of a step that the server refuses; the steps
	// after it are not done.
	Warnings []fault.Warning
	// Rejection is why the server refuses that step.
	Rejection *fault.Rejection
}
