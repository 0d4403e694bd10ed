package rules

import (
	"threeway/lint"
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
)

var generateName = &lint.Rule{
	ID:       "generate-name",
	Title:    "apply needs metadata.name",
	Text:     "The object has no metadata.name. It may have generateName instead, which works only with kubectl create.",
	Why:      "Apply finds the live object by its name. kubectl rejects the object and exits with an error; the other objects are applied.",
	Fix:      "Give it a name, or create it with kubectl create, from its own directory.",
	Links:    []string{issue + "44501", issue + "88998"},
	Severity: lint.Error,
	Since:    "0.1",
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		if f.Code != fault.NoName {
			return nil
		}
		path := fieldpath.New("metadata", "generateName")
		if !has(o.Manifest.Tree, path) {
			path = fieldpath.New("metadata")
		}
		return &lint.Report{Path: path, Message: "the object has no metadata.name; kubectl apply rejects it", Fix: "set metadata.name, or create the object with kubectl create; generateName works only there"}
	},
}
