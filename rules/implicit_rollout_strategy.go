package rules

import (
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

var implicitRolloutStrategy = &lint.Rule{
	ID:    "implicit-rollout-strategy",
	Title: "the rollout strategy is left to the server",
	Text: "A Deployment, StatefulSet or DaemonSet does not say how it rolls out. Info while the object is not in the snapshot, a warning " +
		"once it is: then the default binds.",
	Why: "The server fills the strategy in when the object is made, and never again. What it filled in is in no config: an apply neither " +
		"sees it nor clears it, and a later change of type may leave it behind.",
	Fix:      "Write the strategy down, with its type and, for RollingUpdate, its numbers.",
	Bad:      lint.Example{Applied: deployment(""), Config: deployment("")},
	Good:     lint.Example{Applied: deployment(""), Config: deployment("\n  strategy:\n    type: RollingUpdate\n    rollingUpdate: {maxSurge: 25%, maxUnavailable: 25%}")},
	NearMiss: lint.Example{Config: strings.Replace(deployment("\n  replicas: 1"), "Deployment", "ReplicaSet", 1)},
	Links:    []string{declarative + "#default-field-values", declarative},
	Severity: lint.Warning,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			field := "updateStrategy"
			switch {
			case o.Is("Deployment.apps"):
				field = "strategy"
			case !o.Is("StatefulSet.apps", "DaemonSet.apps"):
				continue
			}
			path := fieldpath.New("spec", field)
			if len(tree.Map(o.Config.Tree, "spec", field)) > 0 {
				continue
			}
			r := lint.Report{Path: path, LivePath: path, Severity: lint.Info,
				Message: "spec." + field + " is not set; the server's default is in the live object and in no config",
				Fix:     "set spec." + field + ", as the live object has it"}
			if o.Live != nil {
				r.Severity = lint.Warning
			}
			p.Report(o, r)
		}
	},
}
