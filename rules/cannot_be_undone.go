package rules

import (
	"slices"

	"threeway/lint"
	"threeway/merge/explain"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/text/shell"
)

var cannotBeUndone = &lint.Rule{
	ID:    "cannot-be-undone",
	Title: "applying the previous manifest does not undo the change",
	Text: "Applying the previous manifest (last-applied, or --base) after this apply would be rejected, or would leave fields different from " +
		"today: a value that was changed in the cluster and that this apply overwrites, an item of a list that is replaced, a field that the " +
		"server adds and no manifest removes. A warning if it would be rejected, otherwise info. Objects that this apply creates are not reported, " +
		"although the previous manifests do not delete them.",
	Why: "A rollback to the old manifests looks complete but is not: the difference is in no file. You notice it only when the old version " +
		"behaves differently, or when the rollback fails.",
	Fix: "Before the apply, save the values that would be lost, and add those that you want to keep to the manifest. If a rollback would be rejected, plan " +
		"how to fix forward instead.",
	Links: []string{declarative + "#how-apply-calculates-differences-and-merges-changes",
		"https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/#upgrade-existing-objects-to-a-new-stored-version"},
	Severity: lint.Info,
	Needs:    lint.Live,
	Since:    "0.11",
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			if r := p.Impact().Remainder(o.Identity()); r != nil {
				if found := undone(p, o, r); found != nil {
					p.Report(o, *found)
				}
			}
		}
	},
}

// undone says what applying the previous manifest of an object does not undo; nil if
// other rules say all of it.
func undone(p *lint.Pass, o *lint.Object, r *impact.Remainder) *lint.Report {
	if r.Rejected() {
		return &lint.Report{
			Severity: lint.Warning,
			Message:  "this apply " + r.Words(p.Rejection(r.Back)),
			Fix:      "plan how to fix forward, because applying the previous manifest does not work",
		}
	}
	fields := slices.DeleteFunc(slices.Clone(r.Fields), func(f impact.Field) bool { return overwrites(o, f.Path) })
	if len(fields) == 0 {
		return nil
	}
	found := lint.Report{
		Path: fields[0].Path,
		Fix:  "add what you want to keep to " + o.Where() + ", or save a copy of the live object: " + shell.Line("kubectl get", o.Target(), shell.Option("-o yaml")),
	}
	var paths []fieldpath.Path
	for _, f := range fields {
		paths = append(paths, f.Path)
		found.Notes = append(found.Notes, f.Path.String()+": "+afterRollback(f))
	}
	found.Message = "applying the previous manifest afterwards does not restore " + named(paths)
	if len(fields) == 1 {
		found.Message, found.Notes = found.Message+": "+afterRollback(fields[0]), nil
	}
	return &found
}

// afterRollback says what becomes of a field when the previous manifest is applied again.
func afterRollback(f impact.Field) string {
	switch {
	case !f.InBack:
		return "today's value is lost"
	case !f.InToday:
		return "it stays, and is not there today"
	}
	return "it gets another value than today"
}

// overwrites reports whether another rule says that the apply overwrites the live
// value of a field: reverts-live-change, clears-live-change, or one of those about
// lists that are replaced.
func overwrites(o *lint.Object, path fieldpath.Path) bool {
	return slices.ContainsFunc(o.Changes(), func(c explain.Change) bool {
		return path.HasPrefix(c.Path) && (reverts(o, c) || managersSince(o, c) != nil || len(lostItems(o, c)) > 0)
	})
}
