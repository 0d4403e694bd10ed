package rules

import (
	"threeway/lint"
	"threeway/merge/fault"
	"threeway/merge/tree"
)

var envValueSourceSwitch = &lint.Rule{
	ID:    "env-value-source-switch",
	Title: "an env var switches between value and valueFrom",
	Text: "The manifest gives an env var a value and the live object has valueFrom, or the reverse, and apply does not clear the old field, " +
		"because it was changed in the cluster or last-applied is missing.",
	Why:      "Apply clears only fields in last-applied. Both fields stay in the merged env var, and the server rejects the object.",
	Fix:      "Set the other field to null in the manifest, once.",
	Repair:   "Adds the null next to the field that the manifest sets, unless the apply is server-side.",
	Links:    []string{issue + "46861", issue + "78607"},
	Severity: lint.Error,
	Needs:    lint.Live,
	Since:    "0.1",
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		n := len(f.Path) - 1
		if n < 2 || f.Path[n-2].Field != "env" || f.Code != fault.ValueAndSource {
			return nil
		}
		item := f.Path[:n]
		v, _ := o.Find(item, o.Manifest.Tree)
		set, other := "valueFrom", "value"
		switch {
		case tree.Has(v, "value") && tree.Has(v, "valueFrom"):
			return nil // merge-sets-two-of-one: the config itself sets both
		case tree.Has(v, "value"):
			set, other = other, set
		}
		way, edits := clearing(o, item.Child(other))
		return &lint.Report{
			Path: item.Child(set), LivePath: item.Child(other),
			Message: "the manifest sets " + set + ", and the live " + other + " stays next to it; apply is rejected",
			Ways:    []lint.Way{way}, Edits: edits,
		}
	},
}
