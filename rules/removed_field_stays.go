package rules

import (
	"fmt"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/promise"
	"threeway/merge/rehearsal"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

var removedFieldStays = &lint.Rule{
	ID:    "removed-field-stays",
	Title: "a field that left the manifest stays in the object",
	Text: "The manifest no longer has a field that it had at the last apply, but the result still has it, unlike a new object: the server keeps it, or sets it again from a field with the same value, as serviceAccount does for serviceAccountName. Or kubectl " +
		"rollout undo has brought it back.",
	Why:      "Pods keep the rights of an account, a Service stays headless. A new cluster gets a different object from the same manifest.",
	Fix:      "Set the field with the same value to null, once, or write the value that you want. A field that only the server keeps is lost when the object is recreated.",
	Links:    []string{issue + "108208", issue + "72519", issue + "76367", "https://github.com/helm/helm/issues/5473"},
	Severity: lint.Warning,
	Needs:    lint.Live,
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			for _, s := range o.Staying() {
				if !s.Path.Equal(s.Was) {
					continue // secret-string-data tells it
				}
				is, _ := o.Find(s.Path, o.Result)
				r := lint.Report{Path: s.Path, LivePath: s.Path,
					Message: fmt.Sprintf("%s was removed from the manifest and stays %s", s.Path, lint.Value(is))}
				if o.Has(s.Path, o.Outcome.Target()) {
					r.Message = fmt.Sprintf("%s is emptied in the manifest and stays %s", s.Path, lint.Value(is))
				}
				if s.RolledBack {
					r.Message = fmt.Sprintf("%s came back with kubectl rollout undo and stays: the manifest does not have it", s.Path)
					r.Fix = "add it to the manifest if it is needed"
					r.Ways, _ = removal(o, []fieldpath.Path{s.Path})
					p.Report(o, r)
					continue
				}
				if at, directive := directiveAbove(o, s.Path); at != nil {
					r.Message += ": " + directive + " in the manifest is for patches, and with it kubectl removes nothing there"
					r.Ways = []lint.Way{{Words: "remove it from the manifest: apply then removes " + s.Path.String(), Paths: []fieldpath.Path{s.Path}, Edits: []edit.Edit{edit.Remove(at)}}}
					p.Report(o, r)
					continue
				}
				if s.By == nil {
					r.Message += ": the server keeps it"
					r.Fix, r.Ways = "write the value that you want", []lint.Way{{Words: "delete the object and apply again"}}
					p.Report(o, r)
					continue
				}
				by := s.By[len(s.By)-1].Field
				r.LivePath = s.By
				r.Message += ": the live " + by + " has the same value, and no manifest sets it"
				r.Ways = stopStaying(o, s.By)
				p.Report(o, r)
			}
		}
	},
}

// directiveAbove finds a directive of patches in what the manifest has of the parents of a field; nil if
// there is none.
func directiveAbove(o *lint.Object, p fieldpath.Path) (at fieldpath.Path, text string) {
	for n := len(p) - 1; n > 0; n-- {
		parent, _ := o.Find(p[:n], o.Manifest.Tree)
		if m, is := parent.(tree.Object); is && m["$patch"] != nil {
			return p[:n:n].Child("$patch"), fmt.Sprint("$patch: ", m["$patch"])
		}
	}
	return nil, ""
}

// stopStaying tells how a live field goes from which the server fills another one.
func stopStaying(o *lint.Object, by fieldpath.Path) []lint.Way {
	field, parent := by[len(by)-1].Field, by[:len(by)-1].String()
	ways := []lint.Way{}
	if o.PatchType == rehearsal.StrategicMerge || o.PatchType == "" {
		ways = append(ways, lint.Way{Words: "add '" + field + ": null' under " + parent + ", once", Edits: []edit.Edit{edit.Set(by, nil)}})
	}
	if field == "serviceAccount" {
		name := by[:len(by)-1].Child("serviceAccountName")
		ways = append(ways, lint.Way{Words: "write 'serviceAccountName: default'", Paths: []fieldpath.Path{by}, Edits: []edit.Edit{edit.Set(name, "default")}})
	}
	if len(ways) == 0 {
		ways, _ = removal(o, []fieldpath.Path{by})
	}
	return ways
}

// tellsStaying reports whether a live field is told because a removed one stays by it.
func tellsStaying(o *lint.Object, p fieldpath.Path) bool {
	for _, s := range o.Staying() {
		if s.Path.Holds(p) || s.By != nil && s.By.Equal(p) {
			return true
		}
	}
	return false
}

// leftStringData are the keys that have left stringData and stay in data.
func leftStringData(list []promise.Staying) (keys []string) {
	for _, s := range list {
		if s.Was[0].Field == "stringData" {
			keys = append(keys, s.Was[1].Field)
		}
	}
	return keys
}
