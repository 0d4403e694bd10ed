package rules

import (
	"fmt"

	"threeway/lint"
	"threeway/merge/by/helm"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

var replicasDropToOne = &lint.Rule{
	ID:    "replicas-drop-to-one",
	Title: "removing replicas from the manifest scales to one",
	Text:  "Last-applied has spec.replicas and the manifest does not; the live object does not run exactly one replica.",
	Why:   "Apply resets the field to the default, 1, often just when an autoscaler takes over: all pods but one are stopped at once.",
	Fix: "Follow the steps of forget-replicas. Server-side: keep it until the autoscaler has changed it and so owns it, as threeway handover " +
		"spec.replicas says in steps.",
	Links:    []string{issue + "67135", applyPage + "#transferring-ownership", "https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/#migrating-deployments-and-statefulsets-to-horizontal-autoscaling"},
	Severity: lint.Error,
	Effect:   impact.Says,
	Needs:    lint.Live,
	Run: func(p *lint.Pass) {
		path := fieldpath.New("spec", "replicas")
		for o := range p.Accepted() {
			if !dropsToOne(o, path) {
				continue
			}
			before, _ := tree.Int(o.Before, "spec", "replicas")
			gone, null := "was removed from", ""
			way := lint.Way{Commands: o.Forgetting(), Forget: []fieldpath.Path{path}}
			if _, is := o.Find(path, o.Manifest.Tree); is { // the patch has it, whatever was applied last
				gone, null, way.Edits = "is null in", " and the null from the manifest", []edit.Edit{edit.Remove(path)}
			}
			fix := fmt.Sprintf("add replicas: %d back", before)
			switch way.Words = "to leave it to an autoscaler, remove replicas from last-applied" + null + " before this apply: "; {
			case o.ServerSide != nil:
				way = lint.Way{Words: "to leave it to an autoscaler, keep it until the autoscaler has changed it and owns the field"}
			case helm.Of(o.Outcome) != nil:
				fix, way = fix+" to the chart's values", lint.Way{}
			}
			p.Report(o, lint.Report{
				Path: path, LivePath: path, Fix: fix, Ways: []lint.Way{way}, Suggested: []edit.Edit{edit.Set(path, before)},
				Message: fmt.Sprintf("spec.replicas %s the manifest: apply scales from %d to 1", gone, before),
			})
		}
	},
}

// dropsToOne reports whether the field is replicas, which the config has no
// more and the apply sets from more than one to one.
func dropsToOne(o *lint.Object, p fieldpath.Path) bool {
	path := fieldpath.New("spec", "replicas")
	before, ok := tree.Int(o.Before, "spec", "replicas")
	after, ok2 := tree.Int(o.Result, "spec", "replicas")
	return p.Equal(path) && o.Schema != nil && ok && ok2 && before > 1 && after == 1 && !has(o.Manifest.Tree, path)
}
