package rules

import (
	"fmt"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/prune"
)

var pruneScope = &lint.Rule{
	ID:     "prune-scope",
	Former: []string{"prune-default-allowlist", "prune-scope-changed"},
	Title:  "--prune can delete more than these manifests had",
	Text: "The run prunes with --all, or by label without a list of kinds, so that kubectl's built-in list applies; or its directory, " +
		"namespace, selector, kinds or ApplySet differ from those that .threeway.yaml records.",
	Why: "kubectl keeps no record between runs. With --all it deletes every applied object in the namespaces of the manifests that is not " +
		"among them. The built-in list has Namespaces, PersistentVolumes and claims, but no Roles, PodDisruptionBudgets, autoscalers or " +
		"custom resources.",
	Fix:      "Prune with -l and --prune-allowlist, always with the same flags; or use --applyset.",
	Links:    []string{declarative + "#alternative-kubectl-apply-f-directory-prune", pruneKEP, issue + "74414"},
	Severity: lint.Warning,
	Needs:    lint.Prune,
	Run: func(p *lint.Pass) {
		otherScope(p)
		builtInList(p)
		pruneAll(p)
	},
}

// builtInList reports that kubectl's list of kinds counts.
func builtInList(p *lint.Pass) {
	prune := p.Options.Prune
	if len(prune.Allowlist) > 0 || prune.ApplySet != "" || prune.Recorded != nil && len(prune.Recorded.Allowlist) > 0 {
		return
	}
	p.ReportRun(lint.Report{
		Message: "--prune uses kubectl's built-in list of kinds, which has Namespaces and claims, but not Roles, PodDisruptionBudgets and custom resources",
		Fix:     "list the kinds of your manifests with --prune-allowlist",
	})
}

// pruneAll reports a prune with --all.
func pruneAll(p *lint.Pass) {
	if !p.Options.Prune.All || p.Options.Prune.ApplySet != "" {
		return
	}
	p.ReportRun(lint.Report{Message: "--prune --all deletes every applied object in the namespaces of the manifests that is not in these files", Fix: wayToSelect(p)})
}

// otherScope reports flags that differ from the recorded ones.
func otherScope(p *lint.Pass) {
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
