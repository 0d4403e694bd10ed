package impact

import (
	"fmt"
	"strings"

	"threeway/merge/text/phrase"
)

// Words say what an apply does to the pods of a workload.
func (r *Rollout) Words() string {
	text := r.restarts()
	if s := r.scales(); s != "" && (r.How == NoPods || r.Scaling.From == 0) {
		text = s
	} else if s != "" {
		text = s + "; " + text
	}
	if r.Released {
		text += "; the template has changed before, and this apply lets it roll out"
	}
	return text
}

// scales says how many pods stop or start because of another number of replicas; ""
// if there is none.
func (r *Rollout) scales() string {
	if r.Scaling == nil {
		return ""
	}
	return r.Scaling.Words()
}

// Words say from how many pods to how many it scales.
func (s *Scaling) Words() string {
	return fmt.Sprintf("scales from %s to %d", phrase.Count(s.From, "pod"), s.To)
}

// restarts says which pods are replaced, and how.
func (r *Rollout) restarts() string {
	kind := r.Outcome.Kind.Kind
	switch r.How {
	case Unaffected:
		if kind == "CronJob" {
			return "restarts no pods: the job template is unchanged"
		}
		if r.Scaling != nil {
			return "nothing restarts"
		}
		return "restarts no pods: the pod template is unchanged"
	case NoPods:
		return "restarts no pods: there are none"
	case InPlace:
		return "restarts the changed containers of the Pod"
	case NextRun:
		return "restarts no pods: the next Jobs use the new template, those that run keep the old one"
	case NewPods:
		if r.Orphans {
			return "starts new pods; the running ones stay, without a controller" + r.keeping()
		}
		return "restarts no pods: a " + kind + " uses its template for new pods only" + r.keeping()
	case OnDelete:
		return "restarts no pods: with the updateStrategy OnDelete they keep the old template until they are deleted" + r.keeping()
	case Held:
		return "restarts no pods: all are below the partition" + r.keeping()
	case Paused:
		return "restarts no pods: the Deployment is paused" + r.keeping()
	case Recreate:
		starts := "new ones"
		if r.Pods == 1 {
			starts = "the new one"
		}
		return "stops " + allPods(r.Pods) + ", then starts " + starts + " (strategy Recreate)"
	}
	return r.rolling() + r.keeping()
}

// keeping says how many pods stay as they are.
func (r *Rollout) keeping() string {
	switch {
	case r.Kept == 0:
		return ""
	case r.How == Rolling:
		return fmt.Sprintf("; below the partition %s stay as they are", phrase.Count(r.Kept, "pod"))
	}
	return fmt.Sprintf(" (%s)", phrase.Count(r.Kept, "pod"))
}

// rolling says how the pods of a rolling update are replaced, and how many run meanwhile.
func (r *Rollout) rolling() string {
	all := r.Pods + r.Kept
	switch {
	case !r.Counted:
		return "rolling update of its pods"
	case r.AllDown == OnePod:
		return "restarts " + allPods(r.Pods) + ": it stops before its replacement starts"
	case r.AllDown == AllUnavailable:
		return "restarts " + allPods(r.Pods) + " at the same time: maxUnavailable allows it"
	}
	return fmt.Sprintf("rolling update of %s (%d to %d running)", phrase.Count(r.Pods, "pod"), max(all-r.Unavailable, 0), all+r.Surge)
}

// allPods are all of so many.
func allPods(n int) string {
	if n == 1 {
		return "its only pod"
	}
	return fmt.Sprintf("all %d pods", n)
}

// Words say what keeps the new pods of a rollout from starting.
func (b Block) Words() string {
	switch b.Mode {
	case "ReadWriteOncePod":
		return fmt.Sprintf("%s is ReadWriteOncePod: a new pod cannot use it before the old one stops, which it does only when the new one is ready", b.Object)
	case "ReadWriteOnce":
		return fmt.Sprintf("%s is ReadWriteOnce: a new pod on another node cannot use it before the old one stops, which it does only when the new one is ready", b.Object)
	}
	return fmt.Sprintf("%s allows %s %s, and the rollout needs %s", b.Object, b.Hard, strings.TrimPrefix(b.Resource, "count/"), b.Needs)
}

// arrivalWords say of consumers how a change of configuration gets to them.
var arrivalWords = []struct {
	arrival   Arrival
	one, many string
}{
	{NotUntilRestart, "1 workload keeps running with the old values until it is restarted", "%d workloads keep running with the old values until they are restarted"},
	{OnceRestarted, "1 workload gets the new keys as variables once it is restarted", "%d workloads get the new keys as variables once they are restarted"},
	{Eventually, "1 workload gets the change in files within minutes, without a restart", "%d workloads get the change in files within minutes, without a restart"},
	{WithRestart, "1 workload restarts in this apply and reads the new values", "%d workloads restart in this apply and read the new values"},
	{NoLonger, "1 workload no longer reads it: this apply replaces its pods, and the new ones do not refer to it", "%d workloads no longer read it: this apply replaces their pods, and the new ones do not refer to it"},
	{ByReloader, "1 workload has an annotation that asks a controller to restart it", "%d workloads have an annotation that asks a controller to restart them"},
	{WithNextRun, "1 CronJob gets the new values with its next run", "%d CronJobs get the new values with their next runs"},
}

// Arrivals is a way in which the new values of a ConfigMap or Secret get to workloads.
type Arrivals struct {
	Arrival
	// Consumers are those workloads, each with how it reads the configuration.
	Consumers []string
}

// Arrivals are the ways in which the new values get to the workloads that read them.
func (d *Delivery) Arrivals() (list []Arrivals) {
	for _, w := range arrivalWords {
		if names := d.By(w.arrival); names != nil {
			list = append(list, Arrivals{w.arrival, names})
		}
	}
	return list
}

// Words count the workloads, and say how they get the new values.
func (a Arrivals) Words() string {
	for _, w := range arrivalWords {
		if w.arrival == a.Arrival && len(a.Consumers) == 1 {
			return w.one
		} else if w.arrival == a.Arrival {
			return fmt.Sprintf(w.many, len(a.Consumers))
		}
	}
	return ""
}

// By are the workloads that a change gets to in one way, each with how it
// reads the configuration: shop/Deployment.apps/web (env).
func (d *Delivery) By(arrival Arrival) (names []string) {
	for _, c := range d.Consumers {
		if c.Arrival == arrival {
			names = append(names, fmt.Sprintf("%s (%s)", c.Object, joined(c.Readings)))
		}
	}
	return names
}

func joined(readings []Reading) string {
	var words []string
	for _, r := range readings {
		words = append(words, string(r))
	}
	return strings.Join(words, ", ")
}

// said is a rejection in one line: its first fault, and how many more there are.
func said(rejected string) string {
	head, faults, list := strings.Cut(strings.TrimRight(rejected, "\n"), "\n* ")
	if !list {
		return head
	}
	first, more, several := strings.Cut(faults, "\n* ")
	if several {
		first += ", and " + phrase.Count(1+strings.Count(more, "\n* "), "more fault")
	}
	return head + first
}

// Words say what applying the previous manifest of an object does not undo; rejected is
// the brief text of its rejection, if it would be.
func (r *Remainder) Words(rejected string) string {
	if r.Rejected() {
		return "cannot be rolled back: the previous manifest would be rejected: " + said(rejected)
	}
	var paths []string
	if r.Taken != nil {
		for _, p := range r.Taken {
			paths = append(paths, p.String())
		}
		return "whether a rollback restores this is unknown: the snapshot does not have the previous manifest, and other managers have since taken over " + phrase.Abbreviated(paths, 5)
	}
	for _, f := range r.Fields {
		paths = append(paths, f.Path.String())
	}
	return "a rollback will not restore " + phrase.Abbreviated(paths, 5)
}

// Words say that a budget lets no pod be evicted.
func (b Budget) Words() string { return "blocks every eviction: node drains hang" }
