package rules

import (
	"fmt"
	"strings"

	"threeway/lint"
	"threeway/merge/impact"
	"threeway/merge/text/shell"
)

var configNotPickedUp = &lint.Rule{
	ID:    "config-not-picked-up",
	Title: "pods keep the old values of a ConfigMap or Secret",
	Text: "The data of a ConfigMap or Secret changes, and workloads that read it by env, envFrom or a subPath mount keep their pods, because their pod templates do not change. Not reported: volumes without subPath, which the kubelet updates, CronJobs, and workloads with " +
		"an annotation of Reloader or Wave.",
	Why: "The running pods keep the old values until they happen to restart, one at a time, perhaps days later.",
	Fix: "Restart the workloads after the apply; where that replaces no pods (paused, OnDelete, a partition), delete them. Or give the " +
		"ConfigMap a name with a hash, as kustomize does, or the pod template an annotation with a checksum.",
	Links: []string{"https://kubernetes.io/docs/concepts/configuration/configmap/#mounted-configmaps-are-updated-automatically",
		"https://kubernetes.io/docs/concepts/storage/volumes/#using-subpath", issue + "22368"},
	Severity: lint.Warning,
	Effect:   impact.Told,
	Needs:    lint.Live,
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			d := p.Impact().Delivery(o.Identity())
			if d == nil || len(d.Stale()) == 0 {
				continue
			}
			names := d.By(impact.NotUntilRestart)
			p.Report(o, lint.Report{
				Path:    d.Path(),
				Message: stale(names, d.Values()),
				Ways:    []lint.Way{renewed(d.Stale())},
			})
		}
	},
}

// stale says which workloads keep the old values of some keys.
func stale(names, keys []string) string {
	what := strings.Join(keys, ", ")
	if len(keys) > 3 {
		what = fmt.Sprintf("%d keys", len(keys))
	}
	if len(names) == 1 {
		return fmt.Sprintf("the pods of %s keep the old value of %s until they restart", names[0], what)
	}
	return fmt.Sprintf("the pods of %d workloads keep the old value of %s until they restart: %s", len(names), what, strings.Join(names, ", "))
}

// renewed says how workloads get new pods: those that are held by the deletion of
// their pods, a Pod and a Job by one that only another apply makes good.
func renewed(consumers []impact.Consumer) lint.Way {
	var pods, commands, again []string
	for _, c := range consumers {
		target := shell.Object(c.Object.Kind, c.Object.Namespace, c.Object.Name)
		switch {
		case c.Object.Kind == "Pod" || c.Object.Kind == "Job":
			commands, again = append(commands, shell.Line("kubectl delete", target)), append(again, c.Object.String())
		case c.Held:
			pods = append(pods, "delete the pods of "+c.Object.String())
		default:
			commands = append(commands, shell.Line("kubectl rollout restart", target))
		}
	}
	w := lint.Way{Words: "after the apply, " + strings.Join(pods, ", and "), Commands: commands, After: true, Instead: "restart the workloads after the apply"}
	if commands != nil && pods != nil {
		w.Words += ", and "
	}
	if commands != nil {
		w.Words += "run: "
	}
	if again != nil {
		w.Then = ", and create " + strings.Join(again, ", ") + " again"
	}
	return w
}
