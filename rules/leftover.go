package rules

import (
	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/rehearsal"
	"threeway/merge/text/edit"
)

// onceForced ends the advice to apply server-side what was applied client-side: the fields
// of that apply conflict where the manifest changes them.
const onceForced = "; once with --force-conflicts if it conflicts with kubectl-client-side-apply"

// clearing tells how to get rid of a live field that stays in the way of what
// the config sets, and edits the config where that is enough. A null does it in
// a client-side apply; a server-side one ignores nulls.
func clearing(o *lint.Object, path fieldpath.Path) (way lint.Way, edits []edit.Edit) {
	field, parent := path[len(path)-1].Field, path[:len(path)-1].String()
	if o.PatchType != rehearsal.Apply {
		if o.PatchType == rehearsal.StrategicMerge {
			edits = []edit.Edit{edit.Set(path, nil)}
		}
		return lint.Way{Words: "add '" + field + ": null' under " + parent + ", once; the apply then clears it"}, edits
	}
	return switching(o, path), nil
}

// switching tells the way out of a server-side apply: a client-side one, if it
// knows that the field was applied before, else a person.
func switching(o *lint.Object, path fieldpath.Path) lint.Way {
	if _, applied := o.Find(path, o.LastApplied()); applied {
		return lint.Way{
			Words: "apply once without --server-side; a client-side apply removes fields that an earlier one set", First: lint.ClientFirst,
			Instead: "change both by hand, once, then apply",
		}
	}
	return lint.Way{Words: "change both by hand, once, then apply"}
}
