package helm

import (
	"threeway/merge/fault"
	"threeway/merge/kube"
	"threeway/merge/rehearsal"
)

// applyServerSide rehearses what Helm 4 does server-side with one object: it takes over
// what it owns from client-side applies before, and applies the manifest with its
// marks (helm.sh/helm/v4/pkg/kube/client.go upgradeClientSideFieldManager,
// patchResourceServerSide).
func (rel *Release) applyServerSide(r *rehearsal.Run, o *rehearsal.Outcome, helm *Outcome) {
	r.StartServerSide(o)
	o.Patch = o.Marked
	manager := rel.Claim().Manager()
	request := kube.ApplyRequest{Manifest: o.Marked, Manager: manager, Force: r.ServerSide.Force, Time: r.Live.NewestWrite}
	before := o.Before
	if o.Live != nil {
		if _, rejection := rel.original(r, o, helm); rejection != nil {
			o.Refuse(rejection)
			return
		}
		if rel.TakeOver || helm.Adopted && rel.Original == nil || rel.Rollback > 0 {
			before, _ = r.Server.UpgradeFrom(o.Kind, before, []string{manager}, manager, request.Time)
			o.TakenOver = before
		}
	}
	res := r.Server.Apply(o.Kind, before, request)
	o.TakeWarnings(res)
	if no := res.Rejection; no != nil {
		head := "server-side apply failed for object"
		if no.Reason == "Conflict" {
			head = "conflict occurred while applying object"
		}
		if o.Live == nil && rel.Original != nil {
			head = "failed to create resource: " + head
		}
		o.Refuse(no.Bare(func(message fault.Text) fault.Text {
			return fault.Join(fault.Words("%s %s/%s %s/%s, Kind=%s: ", head, o.Manifest.Namespace, o.Manifest.Name, o.Kind.Group, o.Kind.Version, o.Kind.Kind), message)
		}))
		return
	}
	o.End(res.Object)
}
