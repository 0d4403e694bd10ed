package rules

import (
	"fmt"
	"slices"
	"strings"

	"threeway/lint"
)

var pruneScopeChanged = &lint.Rule{
	ID:       "prune-scope-changed",
	Title:    "the prune differs from the recorded one",
	Text:     "The selector, the kinds or the ApplySet of this prune are not those that the config file records for the set. Reported once, at the first object.",
	Why:      "kubectl remembers nothing between runs. With other flags it deletes what belongs to another set, or leaves what was removed.",
	Fix:      "Use the recorded flags, or change the record together with the set.",
	Bad:      lint.Example{Applied: configMap("api"), Config: configMap("api"), Args: "--prune --all --recorded app=shop"},
	Good:     lint.Example{Applied: configMap("api"), Config: configMap("api"), Args: "--prune -l app=shop --recorded app=shop"},
	NearMiss: lint.Example{Applied: configMap("api"), Config: configMap("api"), Args: "--prune --all"},
	Links:    []string{declarative + "#alternative-kubectl-apply-f-directory-prune", pruneKEP},
	Severity: lint.Warning,
	OptIn:    true,
	Needs:    lint.Prune,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		now := p.Options.Prune
		was := now.Recorded
		if was == nil {
			return
		}
		var changes []string
		if was.Selector != now.SelectorText {
			changes = append(changes, fmt.Sprintf("selector %q instead of %q", now.SelectorText, was.Selector))
		}
		if !slices.Equal(slices.Sorted(slices.Values(was.Allowlist)), slices.Sorted(slices.Values(now.Allowlist))) {
			changes = append(changes, "other kinds")
		}
		if was.ApplySet != now.ApplySet {
			changes = append(changes, fmt.Sprintf("ApplySet %q instead of %q", now.ApplySet, was.ApplySet))
		}
		if was.All != now.All {
			changes = append(changes, fmt.Sprintf("--all=%v instead of %v", now.All, was.All))
		}
		for o := range p.Objects() {
			if changes != nil {
				p.Report(o, lint.Report{
					Message: "the prune differs from the one in " + was.Source + ": " + strings.Join(changes, ", "),
					Fix:     "use the recorded flags",
				})
			}
			return
		}
	},
}
