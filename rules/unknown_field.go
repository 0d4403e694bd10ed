package rules

import (
	"strings"

	"threeway/lint"
	"threeway/merge"
)

var unknownField = &lint.Rule{
	ID:    "unknown-field",
	Title: "the server does not know a field",
	Text: "The schema of the kind has no such field: a typing error, a field in the wrong place, or one of a newer version. kubectl's " +
		"validation rejects the object; with --validate=warn or ignore the field is dropped.",
	Why:      "The setting never takes effect. Where it is dropped silently, the config differs from the live object for ever.",
	Fix:      "Correct the name or the indentation, or remove the field.",
	Bad:      lint.Example{Config: container("\n        imagePullPolice: Always")},
	Good:     lint.Example{Config: container("\n        imagePullPolicy: Always")},
	NearMiss: lint.Example{Config: strings.Replace(deployment(""), "labels: {app: api}", "labels: {app: api, imagePullPolice: Always}", 1)},
	Links:    []string{"https://kubernetes.io/docs/reference/using-api/api-concepts/#field-validation", issue + "63113"},
	Severity: lint.Warning,
	Since:    "0.1",
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		if !strings.Contains(f.Text, "unknown field ") && !strings.Contains(f.Text, "field not declared in schema") || len(f.Path) == 0 {
			return nil
		}
		return &lint.Report{
			Path: f.Path, Message: "the server knows no field " + f.Path.String() + "; apply is rejected",
			Fix: "correct the name or the indentation, or remove the field",
		}
	},
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			for _, c := range o.Changes() {
				if c.Reason == merge.Dropped {
					p.Report(o, lint.Report{
						Path: c.Path, Message: "the server knows no field " + c.Path.String() + "; it is dropped, and the config differs from live for ever",
						Fix: "correct the name or the indentation, or remove the field",
					})
				}
			}
		}
	},
}
