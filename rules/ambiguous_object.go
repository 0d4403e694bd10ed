package rules

import (
	"threeway/lint"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

var ambiguousObject = &lint.Rule{
	ID:    "ambiguous-object",
	Title: "the set has the same object twice",
	Text:  "Two manifests of the set have the same kind, namespace and name. Info where they are equal.",
	Why: "kubectl applies both, in the order of the files: the second over the first. What only the first has is set and at once removed, " +
		"or rolled out twice; which one wins depends on file names.",
	Fix:      "Remove one of the two, or merge them.",
	Bad:      lint.Example{Config: configMap("api") + "---\n" + configMap("api") + "binaryData: {}\n"},
	Good:     lint.Example{Config: configMap("api")},
	NearMiss: lint.Example{Config: configMap("api") + "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: api, namespace: other}\ndata: {key: value}\n"},
	Links:    []string{"https://github.com/homeport/dyff/issues/514"},
	Severity: lint.Warning,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		seen := map[manifest.Identity]*lint.Object{}
		for o := range p.Objects() {
			first := seen[o.Identity()]
			if seen[o.Identity()] = o; first == nil || o.Config.Name == "" {
				continue
			}
			line, _, _ := first.Config.Position(nil)
			r := lint.Report{
				Message: "the set has " + o.Name() + " twice, and not the same; kubectl applies this one over the first",
				Notes:   []string{lint.At(first.Config.Origin.File, line) + " is the first"},
				Fix:     "remove one of the two",
			}
			if tree.Equal(first.Config.Tree, o.Config.Tree) {
				r.Severity, r.Message = lint.Info, "the set has "+o.Name()+" twice, with the same content"
			}
			p.Report(o, r)
		}
	},
}
