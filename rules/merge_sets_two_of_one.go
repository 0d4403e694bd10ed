package rules

import (
	"slices"

	"threeway/lint"
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/kube"
	"threeway/merge/tree"
)

var mergeSetsTwoOfOne = &lint.Rule{
	ID:    "merge-sets-two-of-one",
	Title: "the merged object sets two fields that exclude each other",
	Text: "After the merge an object has two fields that exclude each other: an env var with value and valueFrom, a volume with two sources, a " +
		"probe with two handlers. One comes from the manifest, the other often from the live object.",
	Why: "Apply removes only fields in last-applied. A field that another manager set, or that an apply without last-applied left behind, stays next " +
		"to the new one, and the server rejects the whole object.",
	Fix:      "Set the other field to null in the manifest, once; apply then clears it.",
	Repair:   "Adds the null if one field is in the manifest and the other only in the live object, unless the apply is server-side.",
	Links:    []string{issue + "46861", issue + "35134", issue + "78607", issue + "48285"},
	Severity: lint.Error,
	Since:    "0.1",
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		if f.Code != fault.OneOf && f.Code != fault.ValueAndSource {
			return nil
		}
		r := &lint.Report{Path: f.Path, Message: f.Path.String() + " cannot be set together with another field; apply is rejected: " + firstLine(f.Detail)}
		switch other, ok := onlyLive(o, f.Path); {
		case !ok:
			r.Fix = "set only one of the two fields"
		case slices.ContainsFunc(o.Faults(), func(f lint.Fault) bool { return f.Code == fault.Immutable }):
			r.LivePath, r.Fix = other, "keep the live "+other.String()+": it cannot be changed"
		default:
			r.LivePath = other
			way, edits := clearing(o, other)
			r.Ways, r.Edits = []lint.Way{way}, edits
		}
		return r
	},
}

// onlyLive finds, beside or at the path, a member that the live object has and
// the config does not mention.
func onlyLive(o *lint.Object, p fieldpath.Path) (fieldpath.Path, bool) {
	for _, parent := range []fieldpath.Path{p, p[:len(p)-1]} {
		live, _ := o.Find(parent, o.Before)
		config, ok := o.Find(parent, o.Manifest.Tree)
		m, isMap := live.(map[string]any)
		c, inConfig := config.(map[string]any)
		if !isMap || !ok || !inConfig {
			continue
		}
		for _, key := range tree.Keys(m) {
			if _, mentioned := c[key]; !mentioned && kube.Alternative(key) {
				return parent.Child(key), true
			}
		}
	}
	return nil, false
}
