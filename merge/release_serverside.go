package merge

import (
	"threeway/merge/fault"
	"threeway/merge/serverside"
)

// applyServerSide rehearses what Helm 4 does server-side with one object: it takes over
// what it owns from client-side applies before, and applies the manifest with its
// marks (helm.sh/helm/v4/pkg/kube/client.go upgradeClientSideFieldManager,
// patchResourceServerSide).
func (rel *Release) applyServerSide(r *run, o *Outcome) {
	r.startServerSide(o)
	o.Patch = o.target
	request := serverside.Request{Config: o.target, Manager: rel.Manager(), Force: r.ServerSide.Force, Time: r.Live.NewestWrite}
	before := o.Before
	if o.Live != nil {
		if _, rejection := rel.original(r, o); rejection != nil {
			o.refuse(rejection)
			return
		}
		if rel.TakeOver || o.Adopted && rel.Original == nil || rel.Rollback > 0 {
			before, _ = r.server.UpgradeFrom(o.Kind, before, []string{rel.Manager()}, rel.Manager(), request.Time)
			o.taken = before
		}
	}
	res := r.server.Apply(o.Kind, before, request)
	o.hear(res)
	if no := res.Rejection; no != nil {
		head := "server-side apply failed for object"
		if no.Reason == "Conflict" {
			head = "conflict occurred while applying object"
		}
		o.refuse(no.Bare(func(message fault.Text) fault.Text {
			return fault.Join(fault.Words("%s %s/%s %s/%s, Kind=%s: ", head, o.Config.Namespace, o.Config.Name, o.Kind.Group, o.Kind.Version, o.Kind.Kind), message)
		}))
		return
	}
	o.end(res.Object)
}
