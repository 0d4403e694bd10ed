package rules

import (
	"fmt"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

var crdRejectsObjects = &lint.Rule{
	ID:    "crd-rejects-objects",
	Title: "a definition does not allow what objects have",
	Text: "The new schema of a CustomResourceDefinition does not allow values that objects of its kind, in the manifests or in the snapshot, have, and " +
		"the live schema does: a field becomes required, a limit or a list of values is narrower, a type changes, or a rule in CEL is added that does not hold. " +
		"Rules that compare with the old value (oldSelf) are about the next change, and not looked at.",
	Why: "The objects stay stored. A write that leaves such a value as it is passes (validation ratcheting); one that changes it, or " +
		"anything in the object that lacks a required field, is rejected: in this apply already if it comes after the definition. A rule at the top of the schema rejects every write, even one of a label, since " +
		"every write changes the object.",
	Fix:      "Correct the objects first, then change the schema; or give the new field a default.",
	Links:    []string{"https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-ratcheting"},
	Severity: lint.Warning,
	Needs:    lint.Live,
	Since:    "0.10",
	Run: func(p *lint.Pass) {
		definitionChanges(p, func(o *lint.Object, change *definitionChange) {
			if change.rejects == nil {
				return
			}
			kind := tree.String(o.Result, "spec", "names", "kind")
			p.Report(o, lint.Report{
				Path:    fieldpath.New("spec", "versions"),
				Message: fmt.Sprintf("the new schema does not allow what %s: %s", havingIt(change.counted(change.rejects, kind), len(change.rejects)), change.rejectedWrites()),
				Notes:   notesOf(change.rejects),
				Fix:     "correct the objects first, or give new required fields a default",
			})
		})
	},
}

// rejectedWrites says which writes of the objects are rejected.
func (d *definitionChange) rejectedWrites() string {
	const some = "writes that change these fields, or what is beside a required one, are rejected"
	switch d.locked {
	case 0:
		return some
	case len(d.rejects):
		return "every write of them is rejected"
	}
	return fmt.Sprintf("%s, and of %d of the objects every write", some, d.locked)
}
