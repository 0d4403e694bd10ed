package rules

import (
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge"
	"threeway/merge/fieldpath"
)

var stuckAfterSSAMigration = &lint.Rule{
	ID:    "stuck-after-ssa-migration",
	Title: "a field that left the config stays: an old apply owns it",
	Text: "A field is gone from the config, but the entry of an earlier apply of another method, such as before-first-apply, still owns it. A " +
		"server-side apply removes only what nobody else owns. What kubectl itself applied client-side goes: after the apply it takes the " +
		"old entry over and applies once more. Also reported: the server refuses that second apply.",
	Why: "The field never goes away, however often the config is applied. Or, where the second apply is refused: this run ends with a " +
		"warning, and from then on every apply of the object is rejected.",
	Fix:      "Remove the field from the live object by hand, once; or put it back into the config where the server cannot do without it.",
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
				if c.Reason == merge.OwnedBy && at >= 0 && len(c.Path) > 1 && !systems(c.Path) && !filledIn(o, c.Path) {
					left, owner = append(left, c.Path), c.Owners[at]
				}
			}
			if left = outside(o.Config.Tree, left); len(left) == 0 {
				continue
			}
			r := lint.Report{
				Path: left[0], LivePath: left[0],
				Message: listed(left) + " gone from the config, but never from the live object: an earlier apply, " + owner + ", owns that",
				Fix:     removal(o, left),
			}
			if why := refusedMigration(o); why != "" {
				needed := slices.IndexFunc(left, func(p fieldpath.Path) bool {
					return strings.Contains(why, "."+p[len(p)-1].Field+":")
				})
				left = left[max(needed, 0):][:1]
				r.Path, r.LivePath = left[0], left[0]
				r.Message = listed(left) + " gone from the config, and cannot go: this apply ends with a warning, and every later one is rejected: " + firstLine(why)
				r.Fix = "put it back into the config"
			}
			p.Report(o, r)
		}
	},
}

// refusedMigration is what the server says to kubectl's second apply, the one
// after it has taken over what it applied client-side before; "" if it accepts.
func refusedMigration(o *lint.Object) string {
	if o.Migration == nil || len(o.Migration.Warnings) == 0 {
		return ""
	}
	_, why, _ := strings.Cut(o.Migration.Warnings[0], "Error: ")
	return lint.Brief(why)
}

// oldApplier reports whether a manager's name is one that an apply of another
// method has left.
func oldApplier(name string) bool {
	return name == "before-first-apply" || name == "kubectl-client-side-apply" || name == "kubectl-last-applied"
}
