package impact

import (
	"threeway/merge"
	"threeway/merge/rehearsal"
)

// How is the way in which a change of a workload reaches its pods.
type How string

// The ways.
const (
	// Rolling: the controller replaces the pods, some at a time.
	Rolling How = "rolling"
	// Recreate: the Deployment stops all pods before it starts new ones.
	Recreate How = "recreate"
	// InPlace: the kubelet restarts the changed containers of a Pod.
	InPlace How = "inPlace"
	// OnDelete: pods stay as they are until they are deleted.
	OnDelete How = "onDelete"
	// Held: all pods are below the partition of the StatefulSet and stay.
	Held How = "held"
	// Paused: the Deployment is paused; its pods stay until it is resumed.
	Paused How = "paused"
	// NewPods: pods that run stay; pods that are started later are new ones
	// (ReplicaSet, ReplicationController, suspended Job).
	NewPods How = "newPods"
	// NextRun: Jobs that a CronJob starts from now on are new ones.
	NextRun How = "nextRun"
	// Unaffected: nothing changes in the pod template.
	Unaffected How = "none"
	// NoPods: there are no pods to replace.
	NoPods How = "noPods"
)

// Cause is why no pod of a workload runs for a time.
type Cause string

// The causes.
const (
	// StopsFirst: the strategy Recreate.
	StopsFirst Cause = "recreate"
	// OnePod: there is one pod, and it stops before its replacement starts.
	OnePod Cause = "onePod"
	// AllUnavailable: as many pods may be unavailable as there are.
	AllUnavailable Cause = "maxUnavailable"
)

// Rollout is what an apply does to the pods of one workload.
type Rollout struct {
	Outcome *rehearsal.Outcome
	How     How
	// Pods are those that are replaced, Kept those that stay although the template
	// changes. They are 0 if Counted is false: the live object does not tell.
	Pods, Kept int
	Counted    bool
	// Orphans tells that the selector no longer matches the pods that run: the controller leaves
	// them alone and starts others.
	Orphans bool
	// Surge is how many new pods may start before old ones stop; Unavailable is
	// how many may be missing at a time. They are 0 but for Rolling.
	Surge, Unavailable int
	// AllDown is why no pod runs for a time; "" if some always do.
	AllDown Cause
	// Released tells that the template has changed before: pods that were held
	// back are replaced now.
	Released bool
	// Scaling is what becomes of the number of pods; nil if it stays.
	Scaling *Scaling
	// Blocks are what keeps new pods from starting.
	Blocks []Block
}

// Restarts reports whether pods that run are replaced or restarted.
func (r *Rollout) Restarts() bool {
	return (r.How == Rolling || r.How == Recreate || r.How == InPlace) && (r.Pods > 0 || !r.Counted)
}

// Blocked reports whether the rollout is known to get stuck.
func (r *Rollout) Blocked() bool {
	for _, b := range r.Blocks {
		if b.Certain {
			return true
		}
	}
	return false
}

// RolloutOf is what an apply does to the pods of one workload as it tells by itself, without
// autoscalers, quotas and nodes; nil if it is no workload that changes.
func RolloutOf(o *rehearsal.Outcome) *Rollout {
	return newCluster(&merge.Plan{}, merge.Options{}).rollout(o)
}
