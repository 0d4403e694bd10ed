package rules

import (
	"threeway/lint"
	"threeway/merge/applier"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/prune"
	"threeway/merge/tree"
)

var pruneForeignObject = &lint.Rule{
	ID:    "prune-foreign-object",
	Title: "--prune would delete another tool's object",
	Text: "--prune would delete an object that Helm, Argo CD, Flux or kapp manages, that is a member of an ApplySet, or whose " +
		"app.kubernetes.io/managed-by names a manager that no manifest names (warning).",
	Why:      "The labels and the allowlist also select objects of other tools and teams.",
	Fix:      "Narrow -l to a label that only your objects have.",
	Links:    []string{pruneKEP},
	Severity: lint.Error,
	Needs:    lint.Prune,
	Run: func(p *lint.Pass) {
		ours := map[string]bool{}
		for _, o := range p.Options.Manifests.Objects {
			ours[managedBy(o)] = true
		}
		for _, c := range p.Plan.Prune.Pruned() {
			live := c.Live.Object()
			owner, mark := "", fieldpath.Path(nil)
			if all := claims(p, live); len(all) > 0 {
				owner, mark = string(all[0].Program), all[0].Mark
			}
			severity := lint.Error
			switch by := managedBy(live); {
			case owner != "":
			case p.Plan.ApplySet == nil && tree.Has(live.Tree, "metadata", "labels", prune.PartOfLabel):
				owner, mark = "another ApplySet", fieldpath.New("metadata", "labels", prune.PartOfLabel)
			case by != "" && !ours[by]:
				owner, mark, severity = by, fieldpath.New("metadata", "labels", applier.ManagedByLabel), lint.Warning
			default:
				continue
			}
			p.ReportAt(live, lint.Report{Path: mark, Severity: severity, Message: deleting(p) + c.Live.ID().String() + ", which " + owner + " manages",
				Notes: []string{c.Why}, Fix: "narrow -l to a label that only your objects have"})
		}
	},
}

func managedBy(o *manifest.Object) string {
	return tree.String(o.Tree, "metadata", "labels", applier.ManagedByLabel)
}
