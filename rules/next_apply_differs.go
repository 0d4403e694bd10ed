package rules

import (
	"fmt"
	"slices"

	"threeway/lint"
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/promise"
	"threeway/merge/rehearsal"
)

var nextApplyDiffers = &lint.Rule{
	ID:    "next-apply-differs",
	Title: "the same apply again is rejected or changes the object",
	Text: "The apply is accepted, but a second run of the same apply is rejected or changes the object again: what is stored is not what the manifest says; or kubectl takes over, server-side, what it applied client-side, and the server rejects the removal of a field. " +
		"missing-from-result and server-metadata-in-config report fields.",
	Why:      "Nothing fails today. The next run of the pipeline fails, or changes what runs, at an unrelated commit; with Argo CD and Flux within minutes.",
	Fix:      "Correct the manifest in the same commit, or apply twice and look at the second result.",
	Links:    []string{declarative + "#merge-patch-calculation", "https://github.com/apache/apisix-helm-chart/issues/755"},
	Severity: lint.Warning,
	Effect:   impact.None,
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			next, changes := o.Again()
			if next == nil {
				continue
			}
			told := func(path fieldpath.Path) bool {
				return len(path) > 0 && (rehearsal.ServerOwned(path) || rehearsal.ControllersNote(path[len(path)-1].Field)) ||
					slices.ContainsFunc(o.Missing(), func(b promise.Broken) bool { return b.Path.Meets(path) })
			}
			if next.Rejection == nil {
				changes = slices.DeleteFunc(slices.Clone(changes), told)
				if len(changes) > 0 {
					p.Report(o, changesAgain(o, next, changes))
				}
				continue
			}
			if f := next.Faults()[0]; !told(o.Keyed(f.Path, next.Before)) {
				r := lint.Report{
					Path: f.Path, LivePath: f.Path, Effect: impact.Blocks,
					Message: "the next apply of the same manifest is rejected: " + firstLine(f.Text),
					Fix:     "correct " + orObject(f.Path) + " in the manifest",
				}
				if f.Code == fault.Policy {
					r.Fix, _ = correction(o, f)
				}
				if refusedMigration(o) {
					r.Message = "what the manifest no longer has cannot be removed: this apply ends with a warning, and every later one is rejected: " + firstLine(f.Text)
					r.Fix = "add it back to " + o.Where()
				}
				p.Report(o, r)
			}
		}
	},
}

// changesAgain says what the second apply changes.
func changesAgain(o, next *lint.Object, changes []fieldpath.Path) lint.Report {
	path := changes[0]
	was, _ := o.Find(path, o.Result)
	is, stays := o.Find(path, next.Result)
	if stays {
		path, was, is = narrowed(path, was, is)
	}
	from, to := lint.Contrast(was, is)
	r := lint.Report{Path: path, LivePath: path, Message: fmt.Sprintf("the next apply of the same manifest changes %s again, from %s to %s", path, from, to)}
	if !stays {
		r.Message = fmt.Sprintf("the next apply of the same manifest removes %s, which this one leaves", path)
	}
	if more := len(changes) - 1; more > 0 {
		r.Message += fmt.Sprintf(", and %d more", more)
	}
	r.Ways = []lint.Way{{Words: "apply twice", First: lint.SameFirst, Instead: "write in the manifest what is to be stored"}}
	return r
}

// orObject is a path, or the object if there is none.
func orObject(p fieldpath.Path) string {
	if len(p) == 0 {
		return "the object"
	}
	return p.String()
}
