package rules

import (
	"threeway/lint"
	"threeway/merge/fault"
)

var serviceTypeLeavesDependents = &lint.Rule{
	ID:    "service-type-leaves-dependents",
	Title: "the new type of a Service forbids a field that stays",
	Text: "The type of a Service changes, and a field that only the old type allows stays in the merged object, because last-applied does not " +
		"have it. Not reported if the server clears the field itself, as it does with node ports that it allocated.",
	Why:      "The server rejects the Service.",
	Fix:      "Set the field to null in the manifest, once.",
	Repair:   "Adds a null for each field that belongs to the old type, unless the apply is server-side.",
	Links:    []string{issue + "33766", "https://github.com/kubernetes/kubectl/issues/221", issue + "97797"},
	Severity: lint.Error,
	Needs:    lint.Live,
	Since:    "0.1",
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		if !ofOldType(o, f) {
			return nil
		}
		r := &lint.Report{
			Path: f.Path, LivePath: f.Path,
			Message: f.Path.String() + " belongs to the old type and stays in the object; apply is rejected: " + firstLine(f.Detail),
		}
		way, edits := clearing(o, f.Path)
		r.Ways, r.Edits = []lint.Way{way}, edits
		return r
	},
}

// ofOldType reports whether a fault is about a field that only the live object
// has and that its new type forbids.
func ofOldType(o *lint.Object, f lint.Fault) bool {
	return o.Is("Service") && !has(o.Manifest.Tree, f.Path) && has(o.Before, f.Path) && f.Code == fault.OtherType
}
