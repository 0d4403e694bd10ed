package kubectl

import (
	"threeway/merge/fault"
	"threeway/merge/kube"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// lastAppliedManager is who kubectl applies the last-applied annotation as
// when it migrates an object.
const lastAppliedManager = "kubectl-last-applied"

// migrate finds out what kubectl does after the apply, nil if nothing
// (kubectl pkg/cmd/apply/apply.go saveLastApplyAnnotationIfNecessary,
// migrateToSSAIfNecessary). Every dry run hides it: its steps build on what
// the one before has stored.
func (r Requests) migrate(o *rehearsal.Outcome, request kube.ApplyRequest) *rehearsal.Migration {
	m := &rehearsal.Migration{Result: o.Result}
	const retried = "This is non-fatal and will be retried next time you apply. Error: "
	if m.Rejection = r.saveLastApplied(o, m); m.Rejection != nil {
		m.Warnings = []fault.Warning{{Text: fault.Join(fault.Words("failed to migrate %s for Server-Side Apply. %s", rehearsal.LastAppliedKey, retried), m.Rejection.ServerMessage()), By: fault.Kubectl}}
		return m
	}
	upgraded, ok := r.Server.Upgrade(o.Kind, m.Result, request.Manager, request.Time)
	if !ok {
		if tree.Equal(m.Result, o.Result) {
			return nil
		}
		return m
	}
	m.Result = upgraded
	res := r.Server.Apply(o.Kind, upgraded, request)
	if m.Rejection = res.Rejection; m.Rejection != nil {
		m.Warnings = []fault.Warning{{Text: fault.Join(fault.Words("failed to re-apply configuration after performing Server-Side Apply migration. %s", retried), m.Rejection.ServerMessage()), By: fault.Kubectl}}
		return m
	}
	m.Result = res.Object
	m.Removed = rehearsal.Removed(o.Result, m.Result)
	return m
}

// saveLastApplied applies the last-applied annotation alone, so that it stays.
// Only kubectl's own manager keeps it in step. It returns the rejection if the
// server does not accept that.
func (r Requests) saveLastApplied(o *rehearsal.Outcome, m *rehearsal.Migration) *fault.Rejection {
	text, annotated := tree.Get(o.Result, "metadata", "annotations", rehearsal.LastAppliedKey)
	if r.ServerSide.Manager != rehearsal.DefaultManager || !annotated || kube.LastAppliedOwned(tree.List(o.Result, "metadata", "managedFields")) {
		return nil
	}
	metadata := tree.Object{"name": o.Manifest.Name, "annotations": tree.Object{rehearsal.LastAppliedKey: text}}
	if o.Manifest.Namespace != "" {
		metadata["namespace"] = o.Manifest.Namespace
	}
	res := r.Server.Apply(o.Kind, o.Result, kube.ApplyRequest{
		Manifest: tree.Object{"apiVersion": o.Kind.APIVersion(), "kind": o.Kind.Kind, "metadata": metadata},
		Manager:  lastAppliedManager,
		Time:     r.Live.NewestWrite,
	})
	if res.Rejection == nil {
		m.Result = res.Object
	}
	return res.Rejection
}
