package rules

import (
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

var deletingObject = &lint.Rule{
	ID:       "deleting-object",
	Title:    "the live object is being deleted",
	Text:     "The live object has a deletionTimestamp: it was deleted, and finalizers or a grace period keep it for a while.",
	Why:      "The object disappears together with the change, until the next apply creates it again.",
	Fix:      "Wait until it is gone (kubectl wait --for=delete), or find out which controller must remove its finalizers; then apply.",
	Links:    []string{"https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/", issue + "89254"},
	Severity: lint.Warning,
	Needs:    lint.Live,
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			since := tree.String(o.Before, "metadata", "deletionTimestamp")
			if since == "" {
				continue
			}
			live := "since " + since
			var finalizers []string
			for _, f := range tree.List(o.Before, "metadata", "finalizers") {
				if name, ok := f.(string); ok {
					finalizers = append(finalizers, name)
				}
			}
			if finalizers != nil {
				live += ", held by " + strings.Join(finalizers, ", ")
			}
			p.Report(o, lint.Report{
				LivePath: fieldpath.New("metadata", "deletionTimestamp"), Live: live,
				Message: "the live object is being deleted; this apply is lost, and only the next one creates the object again",
				Ways: []lint.Way{{
					Words: "wait until it is gone, then apply: ", Commands: []string{shell.Line("kubectl wait --for=delete", o.Target())},
					Instead: "wait until it is gone, then apply",
				}},
			})
		}
	},
}
