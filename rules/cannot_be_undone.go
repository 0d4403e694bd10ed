package rules

import (
	"fmt"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/report"
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
				p.Report(o, undone(p, o, r))
			}
		}
	},
}

// undone says what applying the previous manifest of an object does not undo.
func undone(p *lint.Pass, o *lint.Object, r *impact.Remainder) lint.Report {
	if r.Rejected() {
		return lint.Report{
			Severity: lint.Warning,
			Message:  "this apply " + report.Remainder(r, report.Options{Secrets: p.Secrets}),
			Fix:      "plan how to fix forward, because applying the previous manifest does not work",
		}
	}
	found := lint.Report{Fix: "add what you want to keep to the manifest, or save a copy of the live object: kubectl get " + o.Target() + " -o yaml"}
	var paths []fieldpath.Path
	for _, f := range r.Fields {
		paths = append(paths, f.Path)
		switch {
		case !f.InBack:
			found.Notes = append(found.Notes, f.Path.String()+" is live today and then gone")
		case !f.InToday:
			found.Notes = append(found.Notes, f.Path.String()+" is not live today and then stays")
		default:
			found.Notes = append(found.Notes, f.Path.String()+" then has another value than today")
		}
	}
	found.Path = paths[0]
	verb := "differ"
	if len(paths) == 1 {
		verb, found.Notes = "differs", nil
	}
	found.Message = fmt.Sprintf("applying the previous manifest does not undo this apply: %s then %s from today's", named(paths), verb)
	return found
}
