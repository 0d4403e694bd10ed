package rules

import (
	"threeway/lint"
)

var pruneStatefulData = &lint.Rule{
	ID:       "prune-stateful-data",
	Title:    "--prune would delete what holds data",
	Text:     "A PersistentVolumeClaim, StatefulSet or CustomResourceDefinition is among what --prune deletes.",
	Why:      "Data goes with it: a claim's volume, as its reclaim policy says, or all objects of a definition's kind.",
	Fix:      "Delete such objects by hand, after a backup; keep their kinds out of --prune-allowlist.",
	Bad:      lint.Example{Applied: claim + "---\n" + configMap("api"), Config: configMap("api"), Args: "--prune --all"},
	Good:     lint.Example{Applied: claim + "---\n" + configMap("api"), Config: configMap("api"), Args: "--prune --all --prune-allowlist core/v1/ConfigMap"},
	NearMiss: lint.Example{Applied: claim + "---\n" + configMap("api"), Config: claim + "---\n" + configMap("api"), Args: "--prune --all"},
	Links:    []string{"https://github.com/kubernetes-sigs/cli-utils/issues/274", pruneKEP},
	Severity: lint.Error,
	Needs:    lint.Prune,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		for _, c := range pruned(p) {
			switch c.Live.Kind.GroupKind() {
			case "PersistentVolumeClaim", "StatefulSet.apps", "CustomResourceDefinition.apiextensions.k8s.io":
				reportPruned(p, c, "its data goes with it", "keep its kind out of --prune-allowlist, and delete it by hand after a backup")
			}
		}
	},
}
