package rules

import (
	"fmt"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/prune"
)

var pruneScopeChanged = &lint.Rule{
	ID:    "prune-scope-changed",
	Title: "the prune flags differ from the recorded ones",
	Text: "The directory, the namespace, the selector, the kinds or the ApplySet of this prune differ from those that .threeway.yaml " +
		"records. Reported once, at the first object.",
	Why:      "kubectl keeps no record between runs. With other flags it deletes unrelated objects, or leaves removed objects behind.",
	Fix:      "Use the recorded flags, or update the record.",
	Links:    []string{declarative + "#alternative-kubectl-apply-f-directory-prune", pruneKEP},
	Severity: lint.Warning,
	OptIn:    true,
	Needs:    lint.Prune,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		was := p.Options.Prune.Recorded
		if was == nil {
			return
		}
		if changes := scopeChanges(p, was); changes != nil {
			p.ReportRun(lint.Report{
				Message: "the prune flags differ from those in " + was.Source + ": " + strings.Join(changes, ", "),
				Fix:     "use the recorded flags, or update the record",
			})
		}
	},
}

// scopeChanges lists what is not as recorded.
func scopeChanges(p *lint.Pass, was *prune.Selection) []string {
	now := p.Options.Prune
	var changes []string
	differs := func(what, now, was string) {
		if now != was {
			changes = append(changes, fmt.Sprintf("%s %q instead of %q", what, now, was))
		}
	}
	if was.Root != "" && !slices.Contains(p.Paths, was.Root) {
		differs("-f", strings.Join(p.Paths, ","), was.Root)
	}
	if was.Namespace != "" {
		differs("namespace", p.Options.Namespace, was.Namespace)
	}
	if !was.Selects() {
		return changes
	}
	differs("selector", now.SelectorText, was.Selector)
	differs("ApplySet", now.ApplySet, was.ApplySet)
	if !slices.Equal(slices.Sorted(slices.Values(was.Allowlist)), slices.Sorted(slices.Values(now.Allowlist))) {
		changes = append(changes, "other kinds")
	}
	if was.All != now.All {
		changes = append(changes, fmt.Sprintf("--all=%v instead of %v", now.All, was.All))
	}
	return changes
}
