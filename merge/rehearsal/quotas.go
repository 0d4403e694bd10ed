package rehearsal

import (
	"fmt"
	"sync"

	"threeway/merge/fault"
	"threeway/merge/kube"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// quotasOf are the ResourceQuotas of the snapshot in the namespaces of a set.
func (r *Run) quotasOf(set []*manifest.Object) (quotas []tree.Object) {
	seen := map[string]bool{}
	for _, o := range set {
		if !seen[o.Namespace] {
			seen[o.Namespace] = true
			quotas = append(quotas, r.Catalog.objectsIn("ResourceQuota", o.Namespace)...)
		}
	}
	return quotas
}

// KeepQuotas holds the objects of a set to the ResourceQuotas of the snapshot. An
// apply uses up what it creates, so that each object is held to what those
// before it in the namespace leave; a dry run, as of kubectl diff, uses nothing.
func (r *Run) KeepQuotas(set []Planned) {
	r.uncounted = uncounted(set)
	if len(r.quotas)+len(r.uncounted) == 0 {
		return
	}
	before := map[string]func() *Outcome{} // the outcome of the last object in a namespace
	for i := range set {
		o := &set[i]
		namespace := o.Manifest.Namespace
		if r.quotas[namespace] == nil {
			continue
		}
		rehearsed, last := o.Outcome, before[namespace]
		o.Outcome = sync.OnceValue(func() *Outcome {
			if last != nil {
				last()
			}
			outcome := rehearsed()
			r.keepQuota(outcome)
			return outcome
		})
		before[namespace] = o.Outcome
	}
	r.forecast = sync.OnceValue(func() map[*Outcome]Refusal { return r.forecastPods(set) })
}

// keepQuota makes a rejection of an outcome that a quota does not allow.
func (r *Run) keepQuota(o *Outcome) {
	verb := map[Action]string{Created: "creating", Configured: "patching"}[o.Action]
	if verb == "" || o.Result == nil {
		return
	}
	no := r.Server.Quota(r.quotas, o.Kind, o.Result, o.Before, r.Diff)
	if no == nil {
		return
	}
	if o.PatchType != Apply {
		no = r.By.Words(r, o, no, verb)
	}
	o.Refuse(no)
	o.Result, o.Owned, o.Migration = nil, nil, nil
}

// uncounted are the ResourceQuotas of a set, by namespace.
func uncounted(set []Planned) map[string][]Planned {
	quotas := map[string][]Planned{}
	for _, planned := range set {
		if planned.Manifest.Kind.GroupKind() == "ResourceQuota" {
			quotas[planned.Manifest.Namespace] = append(quotas[planned.Manifest.Namespace], planned)
		}
	}
	return quotas
}

// fresh is a ledger of the quotas of a namespace of which no status says what is used, and of which the
// workloads of the set use all that they want.
func (r *Run) fresh(namespace string) kube.Ledger {
	var list []tree.Object
	for _, planned := range r.uncounted[namespace] {
		if o := planned.Outcome(); o.Result != nil && (o.Live == nil || !tree.Has(o.Live.Tree, "status", "hard")) {
			list = append(list, o.Result)
		}
	}
	return r.Server.SettledQuotas(list, nil)
}

// rejectedPods is why the server would reject the Pods of a workload; empty if it
// would not.
func (r *Run) rejectedPods(o *Outcome) Refusal {
	if o.Result == nil {
		return Refusal{}
	}
	if r.quotas[o.Manifest.Namespace] != nil || r.uncounted[o.Manifest.Namespace] != nil {
		if why, known := r.forecast()[o]; known {
			return why
		}
	}
	_, no := r.Server.NextPod(o.Kind, o.Result)
	return refusal(no)
}

// forecastPods holds the Pods of the workloads in a set to the quotas of their namespaces, in the
// order of the set. Of a workload that is live, whose Pods are counted already,
// only one is held to the quotas as if nothing were used: what a rollout needs
// beside the old Pods is another matter.
func (r *Run) forecastPods(set []Planned) map[*Outcome]Refusal {
	forecast := map[*Outcome]Refusal{}
	for _, planned := range set {
		if r.quotas[planned.Manifest.Namespace] != nil {
			planned.Outcome() // charges what the object itself uses
		}
	}
	left, unused, fresh := r.quotas.Copy(), r.quotas.Unused(), map[string]kube.Ledger{}
	for _, planned := range set {
		namespace := planned.Manifest.Namespace
		if r.quotas[namespace] == nil && r.uncounted[namespace] == nil || planned.Outcome().Result == nil {
			continue
		}
		if fresh[namespace] == nil {
			fresh[namespace] = r.fresh(namespace)
		}
		o := planned.Outcome()
		pod, no := r.Server.NextPod(o.Kind, o.Result)
		if forecast[o] = refusal(no); no != nil {
			continue
		}
		all := func(of kube.Ledger) string {
			text, fit, wanted := r.Server.PodsOverQuota(of, o.Kind, o.Result, pod)
			if fit > 0 && text != "" {
				text = fmt.Sprintf("%s, after %d of %d Pods", text, fit, wanted)
			}
			return text
		}
		text := ""
		if len(fresh[namespace]) > 0 {
			text = all(fresh[namespace])
		}
		switch {
		case text != "":
		case o.Action != Created:
			text = r.Server.PodOverQuota(unused, o.Kind, o.Result, pod)
		default:
			text = all(left)
		}
		if text != "" {
			forecast[o] = Refusal{Text: fault.Words("%s", text), By: fault.Decider{GroupKind: "ResourceQuota"}}
		}
	}
	return forecast
}

// Limited reports whether a ResourceQuota counts the objects of a namespace, so that
// each depends on those before it.
func (r *Run) Limited(namespace string) bool { return r.quotas[namespace] != nil }
