package rules

import (
	"fmt"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/tree"
)

var crdDropsFields = &lint.Rule{
	ID:    "crd-drops-fields",
	Title: "a definition loses fields that objects have",
	Text:  "The schema of a CustomResourceDefinition loses fields that objects set: in the snapshot, or in the manifests after the apply.",
	Why: "The API server at once shows the objects without these fields, and the next write of an object, even of a label, deletes the " +
		"values for good. A manifest that has them is rejected.",
	Fix:      "Keep the fields in the schema until the values are moved to the fields that the new version of the program reads.",
	Links:    []string{"https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#field-pruning"},
	Severity: lint.Error,
	Effect:   impact.LosesData,
	Needs:    lint.Live,
	Run: func(p *lint.Pass) {
		definitionChanges(p, func(o *lint.Object, change *definitionChange) {
			if change.drops == nil {
				return
			}
			kind := tree.String(o.Result, "spec", "names", "kind")
			p.Report(o, lint.Report{
				Path: fieldpath.New("spec", "versions"),
				Message: fmt.Sprintf("the new schema does not have fields that %s: reads no longer show them, the next write of an object deletes them, and manifests that set them are rejected",
					havingIt(change.counted(change.drops, kind), len(change.drops))),
				Notes: notesOf(change.drops), Count: len(change.drops),
				Fix: "keep the fields in the schema until no object has them",
			})
		})
	},
}

// havingIt is "all 3 Widgets have".
func havingIt(what string, n int) string {
	if n == 1 {
		return what + " has"
	}
	return what + " have"
}
