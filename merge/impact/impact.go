// Package impact says what an apply does to what runs, as facts: which pods it
// replaces and how, which configuration does not reach the pods that read it, and
// what does not return when the previous manifests are applied again, and
// the sentences that say it.
package impact

import (
	"slices"
	"sync"

	"threeway/merge"
	"threeway/merge/manifest"
)

// Impact is what an apply does to what runs. Its lists are without the objects that the
// apply does not get to (rehearsal.Outcome.Stopped); what is asked for by identity is not.
type Impact struct {
	// Plan is the rehearsal that it was found out from.
	Plan *merge.Plan
	// Rollouts are the workloads that the apply changes, in the order of the plan.
	Rollouts []*Rollout
	// Deliveries are the ConfigMaps and Secrets whose data the apply changes.
	Deliveries []*Delivery
	// Remainders are the objects of which not all returns when their previous
	// manifests are applied again.
	Remainders []*Remainder
	// Undone is what was changed in the cluster and is taken back.
	Undone Undone
	// Resizes are what autoscalers that come or change make of the numbers of pods.
	Resizes []Resize
	// Budgets are those that let a drain of a node evict no pod any more.
	Budgets []Budget
	// Requests is what the pods ask for more.
	Requests Requests

	// Tightenings are what the apply makes the server reject from then on.
	Tightenings func() []*merge.Tightening

	cluster    *cluster
	rollouts   map[manifest.Identity]*Rollout
	deliveries map[manifest.Identity]*Delivery
	remainders map[manifest.Identity]*Remainder
}

// Renames are those of the plan, looked for once.
func (i *Impact) Renames() []Rename { return i.cluster.renames() }

// Rollout is what the apply of an object does to its pods; nil if it is no workload
// that changes.
func (i *Impact) Rollout(id manifest.Identity) *Rollout { return i.rollouts[id] }

// Delivery is what becomes of the changes of a ConfigMap or Secret; nil if its data
// does not change.
func (i *Impact) Delivery(id manifest.Identity) *Delivery { return i.deliveries[id] }

// Remainder is what the previous manifest of an object does not bring back; nil if
// it brings back everything.
func (i *Impact) Remainder(id manifest.Identity) *Remainder { return i.remainders[id] }

// Of finds out what a plan does to what runs. The options are those that the plan
// was made with.
func Of(plan *merge.Plan, opts merge.Options) *Impact {
	c := newCluster(plan, opts)
	i := &Impact{Plan: plan, cluster: c,
		rollouts: map[manifest.Identity]*Rollout{}, deliveries: map[manifest.Identity]*Delivery{}, remainders: map[manifest.Identity]*Remainder{}}
	i.Tightenings = sync.OnceValue(func() []*merge.Tightening { return plan.Tightenings(opts) })
	for _, o := range plan.Outcomes {
		if r := c.rollout(o); r != nil {
			i.Rollouts, i.rollouts[o.Identity()] = append(i.Rollouts, r), r
		}
	}
	for _, d := range c.deliveries(i.rollouts) {
		i.Deliveries, i.deliveries[d.Outcome.Identity()] = append(i.Deliveries, d), d
	}
	for _, r := range remainders(plan.Outcomes, opts) {
		i.Remainders, i.remainders[r.Outcome.Identity()] = append(i.Remainders, r), r
	}
	i.Rollouts = slices.DeleteFunc(i.Rollouts, func(r *Rollout) bool { return r.Outcome.Stopped })
	i.Deliveries = slices.DeleteFunc(i.Deliveries, func(d *Delivery) bool { return d.Outcome.Stopped })
	i.Remainders = slices.DeleteFunc(i.Remainders, func(r *Remainder) bool { return r.Outcome.Stopped })
	i.Budgets = c.budgets(i.Rollouts)
	i.Resizes = c.resizes(i.rollouts)
	i.Requests = c.requests(i, plan.Outcomes)
	if plan.Base == nil {
		i.Undone = undone(plan.Outcomes, opts)
	}
	return i
}
