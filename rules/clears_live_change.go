package rules

import (
	"fmt"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/explain"
	"threeway/merge/fieldpath"
)

var clearsLiveChange = &lint.Rule{
	ID:    "clears-live-change",
	Title: "removing a field also discards a change in the cluster",
	Text: "Last-applied has a field, or the map or list above it, and the manifest does not; another manager has set the live value since. " +
		"Apply removes it. replicas-drop-to-one reports spec.replicas.",
	Why: "Removing a field from the manifest is how to hand it over, to an autoscaler for example. But while last-applied has it, apply " +
		"removes it, whichever manager wrote it last, and the server sets its default.",
	Fix: "Hand the field over in three steps: the other manager sets it; kubectl apply edit-last-applied removes it there; then remove it from " +
		"the manifest and apply. threeway handover prints these steps and rehearses them. If the live value is to go, there is nothing to do.",
	Links: []string{declarative + "#how-to-change-ownership-of-a-field-between-the-configuration-file-and-direct-imperative-writers",
		declarative + "#how-apply-calculates-differences-and-merges-changes", issue + "67135"},
	Severity: lint.Warning,
	Needs:    lint.Live | lint.LastApplied | lint.ManagedFields | lint.ClientSide,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			for _, c := range o.Changes() {
				writers := managersSince(o, c)
				if writers == nil || stopsProtecting(p, o, c.Path) {
					continue
				}
				p.Report(o, lint.Report{
					Path: c.Path, LivePath: c.Path,
					Message: fmt.Sprintf("%s was removed from the manifest: apply removes the live value, which %s has set since", c.Path, strings.Join(writers, ", ")),
					Fix:     "if the live value is to stay, remove the field from last-applied first: kubectl apply edit-last-applied " + o.Target(),
				})
			}
		}
	},
}

// managersSince names who has set the field that a change clears, if that is
// another manager than the one that applied it.
func managersSince(o *lint.Object, c explain.Change) (writers []string) {
	if !leftConfig(o, c.Path) || c.Reason != explain.Cleared && c.Reason != explain.Defaulted || systemMetadata(c.Path) || filledIn(o, c.Path) || dropsToOne(o, c.Path) {
		return nil
	}
	for _, w := range o.OwnersOf(c.Path) {
		switch {
		case oldApplier(w.Manager) || w.Operation == "Apply":
			return nil
		case w.Subresource != "status" && !slices.Contains(writers, w.Manager):
			writers = append(writers, w.Manager)
		}
	}
	return writers
}

// leftConfig reports whether the field, or what it is in, was in the config
// applied before and is in this one no more.
func leftConfig(o *lint.Object, p fieldpath.Path) bool {
	for n := 1; n <= len(p); n++ {
		_, applied := p[:n].Find(o.LastApplied())
		if _, kept := p[:n].Find(o.Config.Tree); !kept {
			return applied
		}
	}
	return false
}
