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
	Text: "A field is gone from the config, but the entry of an earlier client-side apply, or before-first-apply, still owns it. A server-side " +
		"apply removes only what nobody else owns.",
	Why:      "The field never goes away, however often the config is applied.",
	Fix:      "Take the old entry out of managedFields once, or set the field away with kubectl patch.",
	Bad:      lint.Example{Args: "--server-side", Live: stuck, Config: deployment("")},
	Good:     lint.Example{Args: "--server-side", Live: stuck, Config: deployment("\n  replicas: 5")},
	NearMiss: lint.Example{Args: "--server-side", Live: scaledByHand, Config: deployment("")},
	Links:    []string{issue + "99003", "https://github.com/fluxcd/pkg/pull/209", applyPage + "#migration-between-client-side-and-server-side-apply"},
	Severity: lint.Warning,
	Needs:    lint.Live | lint.ManagedFields | lint.ServerSide,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			var left []fieldpath.Path
			for _, c := range o.Changes() {
				if c.Reason == merge.OwnedBy && slices.ContainsFunc(c.Owners, oldApplier) && len(c.Path) > 1 && !systems(c.Path) && !filledIn(o, c.Path) {
					left = append(left, c.Path)
				}
			}
			if len(left) > 0 {
				p.Report(o, lint.Report{
					Path: left[0], LivePath: left[0],
					Message: listed(left) + " gone from the config, but kept: an earlier apply owns it",
					Fix:     "clear it once: kubectl patch " + strings.ToLower(o.Kind.Kind) + " " + o.Config.Name + " --type=json with a remove of the field",
				})
			}
		}
	},
}

// oldApplier reports whether a manager's name is one that an apply of another
// method has left.
func oldApplier(name string) bool {
	return name == "before-first-apply" || name == "kubectl-client-side-apply" || name == "kubectl-last-applied"
}

// stuck is the Deployment of the examples, with an entry from before its first
// server-side apply.
var stuck = strings.Replace(scaledByHand, "kube-controller-manager-hpa", "before-first-apply", 1)
