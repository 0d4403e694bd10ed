package impact

import (
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// workloads say by kind what becomes of the pods of an object that the apply
// changes.
var workloads = map[string]func(c *cluster, o *rehearsal.Outcome) *Rollout{
	"Deployment.apps":       (*cluster).deployment,
	"StatefulSet.apps":      (*cluster).statefulSet,
	"DaemonSet.apps":        (*cluster).daemonSet,
	"ReplicaSet.apps":       newPodsOnly,
	"ReplicationController": newPodsOnly,
	"Job.batch":             newPodsOnly,
	"CronJob.batch":         cronJob,
	"Pod":                   pod,
}

// rollout is what an apply does to the pods of an object; nil if the object is no
// workload, or if nothing that exists changes.
func (c *cluster) rollout(o *rehearsal.Outcome) *Rollout {
	of := workloads[o.Kind.GroupKind()]
	if of == nil || o.Action != rehearsal.Configured || o.Before == nil || o.Result == nil {
		return nil
	}
	r := of(c, o)
	if r != nil {
		r.Scaling = c.scaling(o)
	}
	return r
}

// template is the pod template of a workload.
func template(obj tree.Object) tree.Object { return tree.Map(obj, "spec", "template") }

// newPodsOnly is for workloads that do not replace pods when their template
// changes: ReplicaSets and ReplicationControllers, and Jobs, whose template can
// change only before they start.
func newPodsOnly(_ *cluster, o *rehearsal.Outcome) *Rollout {
	r := &Rollout{Outcome: o, How: Unaffected, Counted: true}
	if !sameTemplate(template(o.Before), template(o.Result)) {
		r.How = NewPods
		r.Kept, r.Counted = existing(o)
	}
	if o.Kind.Kind == "ReplicationController" { // the only one whose selector can change
		s := selectorOf(o.Kind, tree.Map(o.Result, "spec", "selector"))
		r.Orphans = s != nil && !s.Matches(tree.Map(template(o.Before), "metadata", "labels"))
	}
	return r
}

func cronJob(_ *cluster, o *rehearsal.Outcome) *Rollout {
	r := &Rollout{Outcome: o, How: Unaffected, Counted: true}
	if !sameTemplate(tree.Map(o.Before, "spec", "jobTemplate", "spec", "template"), tree.Map(o.Result, "spec", "jobTemplate", "spec", "template")) {
		r.How = NextRun
	}
	return r
}

// pod is for a Pod without a controller: of its containers only the image can
// change, and the kubelet restarts those where it does (pkg/kubelet/kuberuntime
// computePodActions compares the hash of the container).
func pod(_ *cluster, o *rehearsal.Outcome) *Rollout {
	r := &Rollout{Outcome: o, How: Unaffected, Counted: true}
	was := map[string]string{}
	for _, c := range tree.List(o.Before, "spec", "containers") {
		was[tree.String(c, "name")] = tree.String(c, "image")
	}
	for _, c := range tree.List(o.Result, "spec", "containers") {
		if was[tree.String(c, "name")] != tree.String(c, "image") {
			r.How, r.Pods, r.AllDown = InPlace, 1, OnePod
		}
	}
	return r
}

// observed reports whether a controller has written the status of a live object. A
// base, and an object that was just created, has none.
func observed(o *rehearsal.Outcome) bool { return tree.Has(o.Before, "status", "observedGeneration") }

// existing is how many pods a workload has: by its status, or, without one, by its
// spec.
func existing(o *rehearsal.Outcome) (n int, known bool) {
	if observed(o) {
		n, _ := tree.Int(o.Before, "status", "replicas")
		return int(n), true
	}
	n64, ok := tree.Int(o.Before, "spec", "replicas")
	return int(n64), ok && !unsized(o.Result)
}

// unsized reports whether a placeholder stands for the number of pods that a workload asks for.
func unsized(obj tree.Object) bool { return tree.String(obj, "spec", "replicas") != "" }

// desired is how many pods a workload is to have after the apply.
func desired(obj tree.Object) int {
	if n, ok := tree.Int(obj, "spec", "replicas"); ok {
		return int(n)
	}
	return 1
}
