package rules

import (
	"fmt"
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

var implicitRolloutStrategy = &lint.Rule{
	ID:    "implicit-rollout-strategy",
	Title: "the rollout strategy is not in the manifest",
	Text: "A Deployment, StatefulSet or DaemonSet has no rollout strategy in its manifest. A warning if the live object has another one " +
		"than the server's default, which apply keeps; info if it has the default, or does not exist yet, and most other workloads of " +
		"the manifests have a strategy.",
	Why: "No review sees a strategy that no manifest sets, and a recreated object gets the default. When the type changes later, a " +
		"StatefulSet, or a Deployment that is applied server-side, is rejected because of the leftover rollingUpdate " +
		"(live-field-rejected).",
	Fix:      "Set the strategy in the manifest, with its type and, for RollingUpdate, its numbers.",
	Repair:   "Sets the strategy of the live object, or the server's default for a new one.",
	Links:    []string{declarative + "#default-field-values", declarative},
	Severity: lint.Warning,
	Run: func(p *lint.Pass) {
		expected := strategiesAreSet(p)
		for o := range p.Accepted() {
			path := rolloutPath(o.Kind)
			if path == nil || strategyIn(o.Manifest.Tree, path) != nil {
				continue
			}
			live, result := strategyIn(o.Before, path), strategyIn(o.Result, path)
			if result == nil || departsIn(p, o, path) {
				continue // nothing is stored, or falls-back-to-default says it
			}
			keep := live
			r := lint.Report{Path: path, LivePath: path, Live: rollout(live)}
			switch {
			case live == nil:
				keep, r.Severity, r.LivePath = result, lint.Info, nil
				r.Message = path.String() + " is not set; the default is set at creation, and later applies ignore this field"
			case !tree.Equal(live, result):
				r.Message = fmt.Sprintf("%s is not in the manifest: apply resets it from {%s} to the server's default, {%s}", path, rollout(live), rollout(result))
			case rollout(live) == rollout(strategyIn(o.Fresh(), path)):
				r.Severity = lint.Info
				r.Message = "no manifest sets " + path.String() + "; apply keeps the server's default, and also any manual change"
			default:
				r.Message = "no manifest sets " + path.String() + ", which is not the server's default; apply keeps the live value"
			}
			if r.Severity == lint.Info && !expected {
				continue
			}
			r.Fix = "set it under spec: " + path[1].Field + ": {" + rollout(keep) + "}"
			r.Edits = []edit.Edit{edit.Set(path, keep)}
			p.Report(o, r)
		}
	},
}

// strategiesAreSet reports whether most of the other workloads of the set have a
// strategy in their manifest, for one that has none.
func strategiesAreSet(p *lint.Pass) bool {
	with, without := 0, 0
	for _, o := range p.Set() {
		if path := rolloutPath(o.Manifest.Kind); path == nil {
			continue
		} else if strategyIn(o.Manifest.Tree, path) != nil {
			with++
		} else {
			without++
		}
	}
	return with > 0 && with >= without
}

// rolloutPath is where objects of a kind say how they roll out; nil if they do not.
func rolloutPath(k schema.Kind) fieldpath.Path {
	switch k.GroupKind() {
	case "Deployment.apps":
		return fieldpath.New("spec", "strategy")
	case "StatefulSet.apps", "DaemonSet.apps":
		return fieldpath.New("spec", "updateStrategy")
	}
	return nil
}

func strategyIn(root tree.Object, path fieldpath.Path) tree.Object {
	if strategy := tree.Map(root, "spec", path[1].Field); len(strategy) > 0 {
		return strategy
	}
	return nil
}

// rollout writes a strategy as YAML on one line, without the braces.
func rollout(strategy tree.Object) string {
	if strategy == nil {
		return ""
	}
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
