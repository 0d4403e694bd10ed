package rules

import (
	"fmt"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

var selectorRacesRollout = &lint.Rule{
	ID:    "selector-races-rollout",
	Title: "a Service selects pods that do not run yet",
	Text:  "The apply changes the selector of a Service, or a targetPort, and the new one matches only pods that this apply starts, and none that run; or is a port that only the new pods declare. Or the run deletes the workload of the pods that run, as a rename with --prune or Helm does.",
	Why:   "The change takes effect at once: the Service has no endpoints until the first new pod is ready, even if the rollout overlaps.",
	Fix:   "Follow the steps of the remedy, or keep the version label out of the selector.",
	Links: []string{"https://kubernetes.io/docs/concepts/services-networking/service/#defining-a-service",
		"https://github.com/envoyproxy/gateway/issues/7309"},
	Severity: lint.Warning,
	Needs:    lint.Live,
	Effect:   impact.CutsTraffic,
	Run: func(p *lint.Pass) {
		c := clusterOf(p)
		for o := range c.podSelecting() {
			was, now := c.selectors(o)
			today := was.running
			if o.Is("Service") && haveReplicas(now.running) {
				portRaces(p, c, o, now)
			}
			if !o.Is("Service") || len(today) == 0 || len(now.after) == 0 || len(now.running) > len(now.gone) || now.gone == nil && now.pods() > 0 {
				continue
			}
			if !haveReplicas(today) && was.pods() == 0 {
				continue // it has no endpoints today
			}
			var starting []string
			for _, t := range now.after {
				if replicas(t.known.after) > 0 {
					starting = append(starting, t.source.Kind.Kind+" "+t.source.Name)
				}
			}
			if starting == nil {
				continue
			}
			path := fieldpath.New("spec", "selector")
			selects, _ := o.Find(path, o.Before)
			r := lint.Report{
				Path: path, LivePath: path, Live: lint.Labels(tree.Map(selects)),
				Message: "the new selector matches none of the pods that run: the Service has no endpoints until the first new pod of " + phrase.Some(starting) + " is ready",
				Fix:     "let the Service select pods that run, and change its selector in a second apply when the new pods are ready",
			}
			if now.gone != nil {
				r.Message = deleting(p) + phrase.Some(now.gone) + " while the pods of " + phrase.Some(starting) + " start: the Service has no endpoints until the first of them is ready"
				r.Fix = "delete the old workload when the new pods are ready"
			}
			p.Report(o, r)
		}
	},
}

// portRaces reports the ports of a Service that lead to a port which the pods that run do not
// declare, and the new ones do.
func portRaces(p *lint.Pass, c *cluster, o *lint.Object, now *selection) {
	run, start, did := c.containerPorts(o, o.Result, false), c.containerPorts(o, o.Result, true), c.containerPorts(o, o.Before, false)
	for i, port := range tree.List(o.Result, "spec", "ports") {
		protocol, target, was := tree.String(port, "protocol"), tree.Map(port)["targetPort"], oldTarget(o.Before, port)
		if target == was || run[declaredPort{protocol, target}] || !start[declaredPort{protocol, target}] || !did[declaredPort{protocol, was}] {
			continue
		}
		var starting []string
		for _, t := range now.after {
			starting = append(starting, t.source.Kind.Kind+" "+t.source.Name)
		}
		n, _ := tree.Int(port, "port")
		path := o.Keyed(fieldpath.New("spec", "ports").Item(i).Child("targetPort"), o.Result)
		r := lint.Report{Path: path, LivePath: path,
			Message: fmt.Sprintf("the pods that run have no port named %v: port %d of the Service has no endpoints until the first new pod of %s is ready", target, n, phrase.Some(starting)),
			Fix:     "keep the old targetPort until the new pods run"}
		if _, named := target.(string); !named {
			r.Message = fmt.Sprintf("the pods that run do not declare port %v: connections to port %d of the Service may be refused until the new pods of %s have replaced them", target, n, phrase.Some(starting))
		}
		p.Report(o, r)
	}
}

// haveReplicas reports whether workloads ask for pods.
func haveReplicas(list []podTemplate) bool {
	for _, t := range list {
		if replicas(t.known.before) > 0 {
			return true
		}
	}
	return false
}

// replicas is how many pods an object asks for, 1 if it does not say.
func replicas(obj tree.Object) int64 {
	if n, set := tree.Int(obj, "spec", "replicas"); set {
		return n
	}
	return 1
}
