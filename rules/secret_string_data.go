package rules

import (
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

var secretStringData = &lint.Rule{
	ID:    "secret-string-data",
	Title: "a key removed from stringData stays in the Secret",
	Text: "stringData in last-applied has a key that the manifest has neither there nor in data. And, as info: the snapshot contains values " +
		"of stringData in plain text, and this apply stores them again.",
	Why: "The server stores stringData in data, so the old value stays readable by all pods that use the Secret. kubectl also copies the " +
		"plain text into the last-applied annotation, and so into exports and backups, and says configured at every apply.",
	Fix:      "Set the key to null in data, once; or use data instead of stringData.",
	Repair:   "Adds the null in data, which removes the key. It writes no value.",
	Links:    []string{issue + "89938", issue + "23564", issue + "123843"},
	Severity: lint.Warning,
	Needs:    lint.Live | lint.Kubectl,
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			if !o.Is("Secret") {
				continue
			}
			var edits []edit.Edit
			applied := tree.Keys(tree.Map(o.LastApplied(), "stringData"))
			left := leftStringData(o.Staying())
			left = slices.DeleteFunc(left, func(key string) bool { return o.ServerSide == nil && changedSince(o, fieldpath.New("data", key)) })
			for _, key := range left {
				edits = append(edits, edit.Set(fieldpath.New("data", key), nil))
			}
			annotation := fieldpath.New("metadata", "annotations", rehearsal.LastAppliedKey)
			if o.ServerSide == nil && len(applied) > 0 && has(o.Manifest.Tree, fieldpath.New("stringData")) && has(o.Before, annotation) {
				p.Report(o, lint.Report{
					Path: fieldpath.New("stringData"), Severity: lint.Info,
					LivePath: annotation, Live: "plain text of " + strings.Join(applied, ", "),
					Message: "kubectl stores the values of stringData in plain text in the last-applied annotation, and so does every export",
					Fix:     "redact every export: threeway snapshot redact",
				})
			}
			if len(left) > 0 {
				r := lint.Report{
					Path: fieldpath.New("stringData"), LivePath: fieldpath.New("data", left[0]), Live: "still has " + strings.Join(left, ", "),
					Message: "the Secret keeps " + strings.Join(left, ", ") + ", removed from stringData",
					Fix:     "add data: {" + strings.Join(left, ": null, ") + ": null} once", Edits: edits,
				}
				if o.ServerSide != nil { // which ignores the null
					var paths []fieldpath.Path
					for _, key := range left {
						paths = append(paths, fieldpath.New("data", key))
					}
					r.Edits = nil
					r.Ways, r.Fix = removal(o, paths)
				}
				p.Report(o, r)
			}
		}
	},
}

// changedSince reports whether another manager has written a field of the data since
// the last client-side apply, so that its value is no longer the applied one.
func changedSince(o *lint.Object, path fieldpath.Path) bool {
	by := o.OwnersOf(path)
	return len(by) > 0 && !slices.ContainsFunc(by, func(w owners.Entry) bool { return w.Manager == owners.ClientSideApply })
}
