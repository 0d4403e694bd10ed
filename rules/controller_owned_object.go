package rules

import (
	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

var controllerOwnedObject = &lint.Rule{
	ID:       "controller-owned-object",
	Title:    "a controller owns the live object",
	Text:     "The live object has an owner reference with controller: true, so a controller creates and updates it.",
	Why:      "The controller resets the object to match its owner, or deletes it with the owner.",
	Fix:      "Change the owner instead.",
	Links:    []string{pruneKEP, "https://kubernetes.io/docs/concepts/overview/working-with-objects/owners-dependents/"},
	Severity: lint.Warning,
	Needs:    lint.Live,
	Run: func(p *lint.Pass) {
		for o := range p.Objects() {
			for _, ref := range tree.List(o.Before, "metadata", "ownerReferences") {
				if !tree.Bool(ref, "controller") {
					continue
				}
				owner := tree.String(ref, "kind") + "/" + tree.String(ref, "name")
				p.Report(o, lint.Report{
					LivePath: fieldpath.New("metadata", "ownerReferences"), Live: "controlled by " + owner,
					Message: owner + " controls the live object and undoes the apply",
					Fix:     "change " + owner + " instead",
				})
			}
		}
	},
}
