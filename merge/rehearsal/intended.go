package rehearsal

import (
	"threeway/merge/fault"
	"threeway/merge/kube"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// Contend notes for which fields an apply was rejected that is not forced.
func (o *Outcome) Contend(refused *Outcome) {
	for _, c := range refused.Rejection.With(fault.OtherManager) {
		o.Contended = append(o.Contended, c.Path)
	}
}

// AppliedServerSide reports whether Drift looks at the object server-side.
func (o *Outcome) AppliedServerSide() bool { return o.PatchType == Apply }

// Intended is the outcome as if the server accepted what it rejects: its Result is then
// the live object with the patch, without defaults and unchecked. It is nil if there is no
// live object, or if no patch could be computed.
func (o *Outcome) Intended() *Outcome {
	if o.Action != Rejected {
		return o
	}
	if o.Before == nil || o.Patch == nil {
		return nil
	}
	m := *o
	m.Action, m.Rejection = Configured, nil
	var t *schema.Type
	switch o.PatchType {
	case StrategicMerge:
		t = schema.Lookup(o.Kind)
	case JSONMerge:
	default:
		return nil
	}
	patched, err := kube.ApplyPatch(o.Before, o.Patch, t)
	if err != nil {
		return nil
	}
	m.Result = patched
	return &m
}

// Showing is an unchanged outcome of the same object with other forms of it.
func (o *Outcome) Showing(marked, before, result tree.Object) *Outcome {
	return &Outcome{
		Kind: o.Kind, Manifest: o.Manifest, Live: o.Live, Action: Unchanged, By: o.By,
		Request: Request{Resource: o.Resource, PatchType: o.PatchType, Applier: o.Applier, Original: o.Original, Marked: marked},
		States:  States{Before: before, Result: result, Fresh: o.Fresh}, Admission: Admission{mutated: o.mutations()},
	}
}
