package impact

import (
	"slices"

	"threeway/merge/fieldpath"
	"threeway/merge/impact/setting"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// Arrival is how a change of configuration gets to the pods that read it.
type Arrival string

// The arrivals.
const (
	// WithRestart: the same apply replaces the pods.
	WithRestart Arrival = "withRestart"
	// Eventually: the kubelet updates the files of the volume within minutes; the
	// program has to read them again.
	Eventually Arrival = "eventually"
	// WithNextRun: the next Job of the CronJob reads it.
	WithNextRun Arrival = "withNextRun"
	// ByReloader: an annotation asks a controller to restart the pods.
	ByReloader Arrival = "byReloader"
	// NoLonger: the new pods of the workload do not read it.
	NoLonger Arrival = "noLonger"
	// OnceRestarted: the keys are new, and only variables that the pods do not have yet.
	OnceRestarted Arrival = "onceRestarted"
	// NotUntilRestart: the pods keep the old values until they are restarted.
	NotUntilRestart Arrival = "notUntilRestart"
)

// Consumer is a workload whose pods read a ConfigMap or Secret.
type Consumer struct {
	Object   manifest.Identity
	Readings []Reading
	Arrival  Arrival
	// Held tells that its controller leaves pods as they are until someone deletes them:
	// kubectl rollout restart does not replace them all.
	Held bool
}

// Delivery is a ConfigMap or Secret whose data the apply changes, and the workloads
// that read what changes.
type Delivery struct {
	Outcome *rehearsal.Outcome
	// Keys are those whose values change, come or go.
	Keys      []string
	Consumers []Consumer
	// Read reports whether any workload refers to it, before the apply or after it.
	Read bool
}

// Stale are the consumers whose pods keep the old values until they are restarted.
func (d *Delivery) Stale() []Consumer {
	var list []Consumer
	for _, c := range d.Consumers {
		if c.Arrival == NotUntilRestart {
			list = append(list, c)
		}
	}
	return list
}

// deliveries are the ConfigMaps and Secrets that change, with their consumers.
func (c *cluster) deliveries(rollouts map[manifest.Identity]*Rollout) []*Delivery {
	var list []*Delivery
	namespaces := map[string]bool{}
	for _, o := range c.plan.Outcomes {
		kind := o.Kind.GroupKind()
		if kind != "ConfigMap" && kind != "Secret" || o.Action != rehearsal.Configured || o.Before == nil || o.Result == nil {
			continue
		}
		if keys := changedKeys(o); keys != nil {
			list = append(list, &Delivery{Outcome: o, Keys: keys})
			namespaces[o.Manifest.Namespace] = true
		}
	}
	if list == nil {
		return nil
	}
	readers := c.readers(namespaces)
	for _, d := range list {
		values, gone := d.Values(), d.gone()
		d.Read = d.Outcome.Kind.Kind == "ConfigMap" && c.collected(tree.Map(d.Outcome.Result, "metadata", "labels"))
		for _, r := range readers[d.Outcome.Identity()] {
			d.Read = true
			if r.idle() {
				continue
			}
			readings := r.readings(d.Outcome.Identity(), values, gone...)
			if readings == nil {
				continue
			}
			arrival, after := r.arrival(readings, d.Outcome.Kind.Kind, rollouts[r.id]), c.after(r.id)
			if arrival == WithRestart || arrival == WithNextRun { // by pods of the new template
				next := &reader{id: r.id, obj: after, spec: tree.Map(after, podSpec(r.id)...)}
				next.read()
				if now := next.readings(d.Outcome.Identity(), values, gone...); now != nil {
					readings = now
				} else {
					arrival = NoLonger
				}
			}
			if slices.Equal(readings, []Reading{ByEnvFrom}) { // which reads no binaryData
				in := func(o tree.Object) bool {
					return slices.ContainsFunc(d.Keys, func(key string) bool { return tree.Has(o, "data", key) })
				}
				switch had := in(d.Outcome.Before); {
				case !had && !in(d.Outcome.Result):
					continue
				case !had && arrival == NotUntilRestart:
					arrival = OnceRestarted
				}
			}
			d.Consumers = append(d.Consumers, Consumer{r.id, readings, arrival, held(r.id, after)})
		}
	}
	return list
}

// follows are the consequences of a change of data, by its readers: those of a ConfigMap are told of
// if they are workloads, and another value of a Secret is another credential for any reader.
func (d *Delivery) follows(list []Consequence) []Consequence {
	if d == nil {
		return list
	}
	list = slices.Clone(list)
	for n := range list {
		if c := &list[n]; c.Class != setting.Data {
			continue
		} else if !d.Read {
			c.Says, c.Safer = "no workload in the manifests or the snapshot reads it; other readers get the new values", false
		} else if d.Outcome.Kind.Kind == "ConfigMap" {
			c.Safer = true
		}
	}
	return list
}

// Path is the field whose values change: that of the only key, or all of data.
func (d *Delivery) Path() fieldpath.Path {
	if len(d.Keys) == 1 {
		return fieldpath.New("data", d.Keys[0])
	}
	return fieldpath.New("data")
}

// Values are the keys that have new values: pods can read these.
func (d *Delivery) Values() []string { return slices.DeleteFunc(slices.Clone(d.Keys), d.lacks) }

func (d *Delivery) gone() []string {
	return slices.DeleteFunc(slices.Clone(d.Keys), func(key string) bool { return !d.lacks(key) })
}

func (d *Delivery) lacks(key string) bool {
	return !tree.Has(d.Outcome.Result, "data", key) && !tree.Has(d.Outcome.Result, "binaryData", key)
}

// changedKeys are the keys of a ConfigMap or Secret whose values change, come or go.
func changedKeys(o *rehearsal.Outcome) []string {
	var keys []string
	for _, field := range []string{"data", "binaryData"} {
		before, after := tree.Map(o.Before, field), tree.Map(o.Result, field)
		for key, v := range before {
			if w, ok := after[key]; !ok || !tree.Equal(v, w) {
				keys = append(keys, key)
			}
		}
		for key := range after {
			if _, ok := before[key]; !ok {
				keys = append(keys, key)
			}
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// reader is a workload with the pod spec that its pods run with today.
type reader struct {
	id   manifest.Identity
	obj  tree.Object
	spec tree.Object
	// uses and mounts are those of the spec.
	uses   map[manifest.Identity]*uses
	mounts map[string]*mounts
}

// podSpec is where a workload has the spec of its pods; nil for other kinds.
func podSpec(id manifest.Identity) []string {
	switch id.Kind + "." + id.Group {
	case "Pod.":
		return []string{"spec"}
	case "Deployment.apps", "StatefulSet.apps", "DaemonSet.apps", "ReplicaSet.apps", "ReplicationController.", "Job.batch":
		return []string{"spec", "template", "spec"}
	case "CronJob.batch":
		return []string{"spec", "jobTemplate", "spec", "template", "spec"}
	}
	return nil
}

// readers are the workloads in some namespaces, by the ConfigMaps and Secrets that these
// refer to: first those of the manifests, then the live ones that have no controller. One that
// only the apply makes refer to it runs no pods that read it.
func (c *cluster) readers(namespaces map[string]bool) map[manifest.Identity][]*reader {
	found := map[manifest.Identity][]*reader{}
	add := func(id manifest.Identity, obj tree.Object) {
		r := &reader{id: id, obj: obj, spec: tree.Map(obj, podSpec(id)...)}
		for _, name := range r.read() {
			found[name] = append(found[name], r)
		}
	}
	for _, p := range c.plan.Set {
		id := p.Manifest.ID()
		if namespaces[id.Namespace] && podSpec(id) != nil {
			o := p.Outcome()
			if o.Before != nil {
				add(id, o.Before)
			}
			after := &reader{id: id, spec: tree.Map(o.Result, podSpec(id)...)}
			for _, name := range after.read() {
				if found[name] == nil {
					found[name] = []*reader{{id: id}}
				}
			}
		}
	}
	for _, e := range c.live.Entries {
		if len(e.Owners) > 0 || !namespaces[e.Namespace] {
			continue
		}
		id := e.ID()
		if _, planned := c.planned[id]; podSpec(id) != nil && !planned && !c.pruned[id] {
			add(id, e.Object().Tree)
		}
	}
	return found
}

// idle reports whether no pod of a workload runs that could keep old values.
func (r *reader) idle() bool {
	if r.obj == nil {
		return true
	}
	switch r.id.Kind {
	case "Job":
		n, _ := tree.Int(r.obj, "status", "active")
		return n == 0
	case "Pod":
		phase := tree.String(r.obj, "status", "phase")
		return phase == "Succeeded" || phase == "Failed"
	case "CronJob":
		return false
	case "DaemonSet":
		n, _ := tree.Int(r.obj, "status", "desiredNumberScheduled")
		return n == 0 && tree.Has(r.obj, "status", "observedGeneration")
	}
	n, set := tree.Int(r.obj, "spec", "replicas")
	return set && n == 0
}

// held reports whether the controller of a workload leaves pods with an old template.
func held(id manifest.Identity, obj tree.Object) bool {
	switch id.Kind {
	case "ReplicaSet", "ReplicationController":
		return true
	case "Deployment":
		return tree.Bool(obj, "spec", "paused")
	}
	return partition(obj) > 0 || onDelete(obj)
}

// reloaders are annotations by which a workload asks a controller to restart its
// pods when a ConfigMap or Secret changes: those of Reloader
// (github.com/stakater/Reloader) and of Wave (github.com/wave-k8s/wave).
var reloaders = map[string][]string{
	"ConfigMap": {"reloader.stakater.com/auto", "reloader.stakater.com/search", "configmap.reloader.stakater.com/auto", "configmap.reloader.stakater.com/reload", "wave.pusher.com/update-on-config-change"},
	"Secret":    {"reloader.stakater.com/auto", "reloader.stakater.com/search", "secret.reloader.stakater.com/auto", "secret.reloader.stakater.com/reload", "wave.pusher.com/update-on-config-change"},
}

// arrival is how a change of a ConfigMap or Secret gets to the pods of a workload.
func (r *reader) arrival(readings []Reading, kind string, rollout *Rollout) Arrival {
	switch {
	case r.id.Kind == "CronJob":
		return WithNextRun
	case rollout != nil && (rollout.Restarts() && rollout.Kept == 0 || rollout.How == NoPods):
		return WithRestart
	case len(readings) == 1 && readings[0] == ByVolume:
		return Eventually
	}
	for _, key := range reloaders[kind] {
		for _, annotations := range []tree.Object{tree.Map(r.obj, "metadata", "annotations"), tree.Map(r.obj, "spec", "template", "metadata", "annotations")} {
			if v := tree.String(annotations, key); v != "" && v != "false" {
				return ByReloader
			}
		}
	}
	return NotUntilRestart
}
