package rules

import (
	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/text/shell"
)

var templateNotRolledOut = &lint.Rule{
	ID:    "template-not-rolled-out",
	Title: "a changed pod template reaches no running pod",
	Text: "The pod template of a workload changes, and its controller replaces no pod: the Deployment is paused, the updateStrategy is OnDelete, all pods " +
		"are below the partition of the StatefulSet, or the workload is a ReplicaSet or ReplicationController. Info if the manifest asks for that.",
	Why: "The pods run the old image and settings until a node fails or a pod is evicted.",
	Fix: "Resume the Deployment, lower the partition, or delete the pods one by one. Replace a ReplicaSet or ReplicationController by a Deployment.",
	Links: []string{"https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#pausing-and-resuming-a-deployment",
		"https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#partitions",
		"https://kubernetes.io/docs/tasks/manage-daemon/update-daemon-set/"},
	Severity: lint.Warning,
	Needs:    lint.Live,
	Run: func(p *lint.Pass) {
		for o, r := range rollouts(p) {
			if held, way := heldBack(o, r); held != nil && r.Kept > 0 && !r.Orphans {
				found := lint.Report{Path: fieldpath.New("spec", "template"), Message: "apply " + r.Words(), Ways: []lint.Way{way}}
				if r.How != impact.NewPods && has(o.Manifest.Tree, held) {
					found.Severity = lint.Info
				}
				p.Report(o, found)
			}
		}
	},
}

// heldBack is the field that keeps a changed template from the pods that run, and
// the way to get it there; nil if nothing does.
func heldBack(o *lint.Object, r *impact.Rollout) (held fieldpath.Path, way lint.Way) {
	switch r.How {
	case impact.Paused:
		paused := fieldpath.New("spec", "paused")
		if has(o.Manifest.Tree, paused) { // the next apply would undo kubectl rollout resume
			return paused, lint.Way{Words: "to roll out the change, set spec.paused to false in " + o.Where()}
		}
		return paused, lint.Way{
			Words: "to roll out the change, resume the Deployment: ", Commands: []string{shell.Line("kubectl rollout resume", o.Target())},
			Paths: []fieldpath.Path{paused}, Instead: "to roll out the change, resume the Deployment",
		}
	case impact.OnDelete:
		return fieldpath.New("spec", "updateStrategy", "type"), lint.Way{Words: "to roll out the change, delete the pods one by one"}
	case impact.Held:
		return fieldpath.New("spec", "updateStrategy", "rollingUpdate", "partition"), lint.Way{Words: "to roll out the change, lower spec.updateStrategy.rollingUpdate.partition"}
	case impact.NewPods:
		if !o.Is("Job.batch") {
			return fieldpath.New("spec", "template"), lint.Way{Words: "delete the pods one by one, or use a Deployment"}
		}
	}
	return nil, lint.Way{}
}
