package rules

import (
	"slices"

	"threeway/lint"
	"threeway/merge/explain"
	"threeway/merge/fieldpath"
)

var stuckAfterSSAMigration = &lint.Rule{
	ID:    "stuck-after-ssa-migration",
	Title: "a removed field stays: an earlier apply owns it",
	Text: "A field was removed from the manifest, but the managedFields entry of an earlier apply with another method, such as " +
		"before-first-apply, still owns it. Fields that kubectl itself applied client-side do go: kubectl takes over that entry (see " +
		"next-apply-differs).",
	Why:      "A server-side apply removes only fields without another owner, so the field stays, however often you apply the manifest.",
	Fix:      "Remove the field from the live object by hand, once.",
	Links:    []string{issue + "99003", "https://github.com/fluxcd/pkg/pull/209", applyPage + "#migration-between-client-side-and-server-side-apply"},
	Severity: lint.Warning,
	Needs:    lint.Live | lint.ManagedFields | lint.ServerSide,
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			var left []fieldpath.Path
			var owner string
			for _, c := range o.Changes() {
				at := slices.IndexFunc(c.Owners, oldApplier)
				if c.Reason == explain.OwnedBy && at >= 0 && len(c.Path) > 1 && !systemMetadata(c.Path) && !byController(o, c.Path) {
					left, owner = append(left, c.Path), c.Owners[at]
				}
			}
			if left = outermostAbsent(o, o.Manifest.Tree, left); len(left) == 0 || refusedMigration(o) {
				continue // next-apply-differs tells it
			}
			by, instead := removal(o, left)
			p.Report(o, lint.Report{
				Path: left[0], LivePath: left[0],
				Message: listed(left) + " no longer in the manifest, but not removed from the live object: " + owner + ", an earlier apply, also owns it",
				Fix:     instead, Ways: by,
			})
		}
	},
}

// refusedMigration reports whether the server rejects kubectl's second apply, the one
// after it has taken over what it applied client-side before.
func refusedMigration(o *lint.Object) bool { return o.Migration != nil && o.Migration.Rejection != nil }

// oldApplier reports whether a manager's name is one that an apply of another
// method has left.
func oldApplier(name string) bool {
	return name == "before-first-apply" || name == "kubectl-client-side-apply" || name == "kubectl-last-applied"
}
