package rules

import (
	"fmt"
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/text/edit"
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
	Repair:   "Writes the strategy down that the object has, or gets, from the server.",
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
			chosen := tree.Map(o.Result, "spec", field)
			if len(tree.Map(o.Config.Tree, "spec", field)) > 0 || chosen == nil {
				continue
			}
			r := lint.Report{
				Path: path, LivePath: path, Live: rollout(chosen), Severity: lint.Info,
				Message: "the config leaves " + path.String() + " to the server, which fills in its default once; no later apply sees it",
				Fix:     "write it down under spec: " + field + ": {" + rollout(chosen) + "}",
			}
			if o.Live != nil {
				r.Severity = lint.Unset
				r.Message = path.String() + " of the live object is in no config: no apply sees or clears it"
				if o.Is("StatefulSet.apps") || o.Is("Deployment.apps") && p.Options.ServerSide != nil {
					r.Message += ", and one that changes its type is rejected for what is left of it"
				}
			}
			if strategy := tree.Map(o.Result, "spec", field); len(strategy) > 0 {
				r.Edits = []edit.Edit{edit.Set(path, strategy)}
			}
			p.Report(o, r)
		}
	},
}

// rollout writes a strategy as YAML on one line, without the braces.
func rollout(strategy tree.Object) string {
	text := "type: " + tree.String(strategy, "type")
	if rolling := tree.Map(strategy, "rollingUpdate"); len(rolling) > 0 {
		var parts []string
		for _, key := range tree.Keys(rolling) {
			parts = append(parts, fmt.Sprintf("%s: %v", key, rolling[key]))
		}
		text += ", rollingUpdate: {" + strings.Join(parts, ", ") + "}"
	}
	return text
}
