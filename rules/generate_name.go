package rules

import (
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
)

var generateName = &lint.Rule{
	ID:       "generate-name",
	Title:    "an object without a name cannot be applied",
	Text:     "The object has no metadata.name; many have generateName instead, which is for kubectl create.",
	Why:      "An apply looks the live object up by its name. kubectl refuses the object and exits with an error; the others are applied.",
	Fix:      "Give it a name, or make it with kubectl create, from a directory of its own.",
	Links:    []string{issue + "44501", issue + "88998"},
	Severity: lint.Error,
	Since:    "0.1",
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		if o.Config.Name != "" || !strings.Contains(f.Text, "cannot use generate name with apply") && !strings.Contains(f.Text, "resource name may not be empty") {
			return nil
		}
		path := fieldpath.New("metadata", "generateName")
		if !has(o.Config.Tree, path) {
			path = fieldpath.New("metadata")
		}
		return &lint.Report{Path: path, Message: "the object has no name; kubectl apply refuses it", Fix: "set metadata.name, or make the object with kubectl create"}
	},
}
