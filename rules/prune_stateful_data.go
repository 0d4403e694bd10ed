package rules

import (
	"threeway/lint"
	"threeway/merge/impact"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

var pruneStatefulData = &lint.Rule{
	ID:       "prune-stateful-data",
	Title:    "the apply would delete an object that holds data",
	Text:     "The apply would delete a PersistentVolumeClaim, StatefulSet or CustomResourceDefinition: with --prune, or with Helm, Argo CD or Flux.",
	Why:      "Data is deleted with it: a claim's volume, depending on its reclaim policy, or all objects of a definition's kind.",
	Fix:      "Delete such objects by hand, after a backup; keep their kinds out of --prune-allowlist, or keep their manifests.",
	Links:    []string{"https://github.com/kubernetes-sigs/cli-utils/issues/274", pruneKEP},
	Severity: lint.Error,
	Effect:   impact.LosesData,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		reportPruned(p, func(live *manifest.Entry) (what, fix string) {
			return statefulData(live), "keep its kind out of --prune-allowlist, and delete it by hand after a backup"
		})
	},
}

// statefulData says what goes with an object; "" if no data does.
func statefulData(live *manifest.Entry) string {
	switch live.Kind.GroupKind() {
	case "PersistentVolumeClaim":
		return "the data of the volume is deleted, too, unless its reclaim policy is Retain"
	case "CustomResourceDefinition.apiextensions.k8s.io":
		return "all objects of its kind are deleted, too"
	case "StatefulSet.apps":
		if tree.String(live.Object().Tree, "spec", "persistentVolumeClaimRetentionPolicy", "whenDeleted") == "Delete" {
			return "its pods and, by its retention policy, its claims with their data are deleted, too"
		}
		return "its pods are deleted, too, and its claims are left behind"
	}
	return ""
}
