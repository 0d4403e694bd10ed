package rules

import (
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/explain"
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
)

var stuckAfterSSAMigration = &lint.Rule{
	ID:    "stuck-after-ssa-migration",
	Title: "a removed field stays: an earlier apply owns it",
	Text: "A field was removed from the manifest, but the managedFields entry of an earlier apply with another method, such as before-first-apply, still owns " +
		"it. A server-side apply removes only fields without another owner. (It does remove fields that kubectl itself applied client-side: after " +
		"the apply, kubectl takes over the old entry and applies a second time.) Also reported: the server rejects that second apply.",
	Why: "The field stays, however often you apply the manifest. Or, if the second apply is rejected: this run ends with a warning, and " +
		"from then on every apply of the object is rejected.",
	Fix:      "Remove the field from the live object by hand, once; or add it back to the manifest if the server requires it.",
	Links:    []string{issue + "99003", "https://github.com/fluxcd/pkg/pull/209", applyPage + "#migration-between-client-side-and-server-side-apply"},
	Severity: lint.Warning,
	Needs:    lint.Live | lint.ManagedFields | lint.ServerSide,
	Since:    "0.1",
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
			if left = outermostAbsent(o, o.Manifest.Tree, left); len(left) == 0 {
				continue
			}
			by, instead := removal(o, left)
			r := lint.Report{
				Path: left[0], LivePath: left[0],
				Message: listed(left) + " no longer in the manifest, but not removed from the live object: " + owner + ", an earlier apply, also owns it",
				Fix:     instead, Ways: by,
			}
			if no := refusedMigration(o); no != nil {
				needed := slices.IndexFunc(left, func(p fieldpath.Path) bool {
					return slices.ContainsFunc(no.Faults, func(f fault.Fault) bool {
						return len(f.Path) > 0 && f.Path[len(f.Path)-1].Field == p[len(p)-1].Field
					})
				})
				left = left[max(needed, 0):][:1]
				r.Path, r.LivePath = left[0], left[0]
				r.Message = listed(left) + " no longer in the manifest, and cannot be removed: this apply ends with a warning, and every later one is rejected: " + firstLine(strings.ReplaceAll(no.Brief().String(), "\n", " "))
				r.Fix, r.Ways = "add it back to "+o.Where(), nil
			}
			p.Report(o, r)
		}
	},
}

// refusedMigration is what the server says to kubectl's second apply, the one
// after it has taken over what it applied client-side before; nil if it accepts.
func refusedMigration(o *lint.Object) *fault.Rejection {
	if o.Migration == nil {
		return nil
	}
	return o.Migration.Rejection
}

// oldApplier reports whether a manager's name is one that an apply of another
// method has left.
func oldApplier(name string) bool {
	return name == "before-first-apply" || name == "kubectl-client-side-apply" || name == "kubectl-last-applied"
}
