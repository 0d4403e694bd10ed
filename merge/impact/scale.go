package impact

import (
	"slices"

	"k8s.io/apimachinery/pkg/api/resource"

	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/selector"
	"threeway/merge/tree"
)

// Scaling is what another number of replicas does to the pods of a workload.
type Scaling struct {
	// From is how many pods there are, To how many are asked for.
	From, To int
	// Cut are what is left without pods: Services, PodDisruptionBudgets, and autoscalers,
	// which do not start from 0.
	Cut []manifest.Identity
}

// Stops and Adds are how many pods stop for good, and how many more start.
func (s *Scaling) Stops() int { return max(s.From-s.To, 0) }

// Adds is how many more pods start.
func (s *Scaling) Adds() int { return max(s.To-s.From, 0) }

// scaling is nil if the apply does not change the number of replicas, or if it is unknown
// how many pods there are.
func (c *cluster) scaling(o *rehearsal.Outcome) *Scaling {
	if o.Kind.Kind == "Job" {
		return jobScaling(o)
	}
	was, _ := tree.Get(o.Before, "spec", "replicas")
	is, has := tree.Get(o.Result, "spec", "replicas")
	paused := tree.Bool(o.Result, "spec", "paused")
	resumed := tree.Bool(o.Before, "spec", "paused") && !paused
	// A Deployment that was made as paused has no ReplicaSet, and so no pods, before it is resumed.
	made := paused && o.Kind.Kind == "Deployment" && observed(o) && !tree.Has(o.Before, "metadata", "annotations", "deployment.kubernetes.io/revision")
	if !has || unsized(o.Result) || tree.Equal(was, is) && !resumed || made {
		return nil
	}
	n, known := existing(o)
	if !known {
		return nil
	}
	s := &Scaling{From: n, To: desired(o.Result)}
	if s.To == 0 && s.From > 0 {
		s.Cut = c.cut(o)
	}
	if s.From == s.To {
		return nil
	}
	return s
}

// jobScaling is what another parallelism, or a suspension, does to the pods of a Job that
// is not done (pkg/controller/job/job_controller.go manageJob).
func jobScaling(o *rehearsal.Outcome) *Scaling {
	done, _ := tree.Int(o.Before, "status", "succeeded")
	s := &Scaling{From: parallel(o.Before, done), To: parallel(o.Result, done)}
	if s.From == s.To || finished(o.Before) {
		return nil
	}
	if tree.Has(o.Before, "status", "startTime") {
		active, _ := tree.Int(o.Before, "status", "active")
		s.From = int(active)
	}
	return s
}

func finished(job tree.Object) bool {
	return slices.ContainsFunc(tree.List(job, "status", "conditions"), func(c any) bool {
		kind := tree.String(c, "type")
		return (kind == "Complete" || kind == "Failed") && tree.String(c, "status") == "True"
	})
}

// parallel is how many pods of a Job run at a time after so many have succeeded.
func parallel(job tree.Object, done int64) int {
	if tree.Bool(job, "spec", "suspend") {
		return 0
	}
	n, set := tree.Int(job, "spec", "parallelism")
	if !set {
		n = 1
	}
	if completions, set := tree.Int(job, "spec", "completions"); set {
		n = min(n, max(completions-done, 0))
	}
	return int(n)
}

// cut are the objects that a workload without pods leaves with nothing to select or scale.
func (c *cluster) cut(o *rehearsal.Outcome) (list []manifest.Identity) {
	labels := tree.Map(template(o.Result), "metadata", "labels")
	for _, kind := range []struct{ groupKind, kind, group string }{{"Service", "Service", ""}, {"PodDisruptionBudget.policy", "PodDisruptionBudget", "policy"}} {
		for _, obj := range c.ofKind(kind.groupKind) {
			want := tree.Map(obj, "spec", "selector")
			if kind.kind == "Service" {
				want = tree.Object{"matchLabels": want}
				if len(tree.Map(obj, "spec", "selector")) == 0 {
					continue
				}
			}
			s, ok := Selector(want)
			if ok && tree.String(obj, "metadata", "namespace") == o.Manifest.Namespace && s.Matches(labels) && !c.othersRun(o, s) {
				list = append(list, manifest.Identity{Kind: kind.kind, Group: kind.group, Namespace: o.Manifest.Namespace, Name: tree.String(obj, "metadata", "name")})
			}
		}
	}
	if s := c.scalers()[scaleTarget{o.Manifest.Namespace, o.Kind.Kind, o.Manifest.Name}]; s != nil {
		list = append(list, manifest.Identity{Kind: "HorizontalPodAutoscaler", Group: "autoscaling", Namespace: o.Manifest.Namespace, Name: tree.String(s, "metadata", "name")})
	}
	return list
}

// othersRun reports whether another workload of the namespace has pods that a selector
// matches.
func (c *cluster) othersRun(o *rehearsal.Outcome, s selector.Selector) bool {
	for groupKind := range workloads {
		for _, obj := range c.ofKind(groupKind) {
			if tree.String(obj, "metadata", "namespace") != o.Manifest.Namespace || groupKind == o.Kind.GroupKind() && tree.String(obj, "metadata", "name") == o.Manifest.Name ||
				len(tree.List(obj, "metadata", "ownerReferences")) > 0 {
				continue
			}
			labels := tree.Map(template(obj), "metadata", "labels")
			if groupKind == "Pod" {
				labels = tree.Map(obj, "metadata", "labels")
			}
			if n, set := tree.Int(obj, "spec", "replicas"); (!set || n > 0) && s.Matches(labels) {
				return true
			}
		}
	}
	return false
}

// Runs reports whether objects of a kind run pods, or start what does.
func Runs(k schema.Kind) bool { return workloads[k.GroupKind()] != nil }

// Ending is how many pods stop because an object is pruned; known is false if its status
// does not tell.
func Ending(old *manifest.Object) (n int, known bool) {
	if workloads[old.Kind.GroupKind()] == nil || old.Kind.Kind == "CronJob" {
		return 0, true
	}
	from := []string{"status", "replicas"}
	switch old.Kind.Kind {
	case "Pod":
		return 1, true
	case "DaemonSet":
		from[1] = "currentNumberScheduled"
	case "Job":
		from[1] = "active"
	default:
		if !tree.Has(old.Tree, "status", "observedGeneration") {
			return desired(old.Tree), !unsized(old.Tree)
		}
	}
	all, _ := tree.Int(old.Tree, from...)
	return int(all), tree.Has(old.Tree, "status")
}

// Last are the outcomes without those of objects that another manifest defines again.
func Last(outcomes []*rehearsal.Outcome) (last []*rehearsal.Outcome) {
	at := map[manifest.Identity]int{}
	for i, o := range outcomes {
		at[o.Identity()] = i
	}
	for i, o := range outcomes {
		if at[o.Identity()] == i {
			last = append(last, o)
		}
	}
	return last
}

// Starts is how many pods a new workload starts at once; known is false if nodes decide.
func Starts(o *rehearsal.Outcome) (n int, known bool) {
	if o.Action != rehearsal.Created || o.Stopped || !Runs(o.Kind) || o.Kind.Kind == "CronJob" || o.RejectedPods != nil && !o.RejectedPods().Empty() {
		return 0, true
	}
	switch spec := tree.Map(o.Result, "spec"); o.Kind.Kind {
	case "Pod":
		return 1, true
	case "DaemonSet":
		return 0, false
	case "Job":
		return parallel(o.Result, 0), true
	case "Deployment":
		if tree.Bool(spec, "paused") {
			return 0, true // until it is resumed
		}
	}
	return desired(o.Result), !unsized(o.Result)
}

// Requests are what pods ask for more than before, by namespace and resource.
type Requests map[string]map[string]resource.Quantity

// requests sums up what the pods of the rollouts, those of new workloads, and those that
// autoscalers start, ask for more, where that is known.
func (c *cluster) requests(i *Impact, outcomes []*rehearsal.Outcome) Requests {
	all := Requests{}
	for _, r := range i.Resizes {
		pods := template(c.after(r.Target))
		all.add(r.Target.Namespace, r.From, r.To, pods, pods)
	}
	for _, r := range i.Rollouts {
		n, known := existing(r.Outcome)
		if r.How == Unaffected && r.Scaling == nil || !known || template(r.Outcome.Result) == nil {
			continue
		}
		wanted := desired(r.Outcome.Result)
		if r.Outcome.Kind.Kind == "DaemonSet" {
			wanted = n
		}
		all.add(r.Outcome.Manifest.Namespace, n, wanted, template(r.Outcome.Before), template(r.Outcome.Result))
	}
	for _, o := range Last(outcomes) {
		if n, _ := Starts(o); n > 0 {
			pods := template(o.Result)
			if o.Kind.Kind == "Pod" {
				pods = o.Result
			}
			all.add(o.Manifest.Namespace, 0, n, pods, pods)
		}
	}
	return all
}

// add adds what so many pods ask for more than so many before.
func (all Requests) add(namespace string, n, wanted int, before, after tree.Object) {
	for _, name := range []string{"cpu", "memory"} {
		was, ok := perPod(name, before)
		is, ok2 := perPod(name, after)
		if !ok || !ok2 {
			continue
		}
		if all[namespace] == nil {
			all[namespace] = map[string]resource.Quantity{}
		}
		sum := all[namespace][name]
		is.Mul(int64(wanted))
		was.Mul(int64(n))
		sum.Add(is)
		sum.Sub(was)
		all[namespace][name] = sum
	}
}
