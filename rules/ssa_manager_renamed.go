package rules

import (
	"fmt"
	"slices"

	"threeway/lint"
	"threeway/merge/explain"
	"threeway/merge/fieldpath"
	"threeway/merge/owners"
)

var ssaManagerRenamed = &lint.Rule{
	ID:    "ssa-manager-renamed",
	Title: "another field manager applied the object before",
	Text: "The object was applied server-side by another manager, never as --field-manager, and fields that were removed from the manifest " +
		"stay because that manager owns them.",
	Why:      "The server records owners by name: a field that the apply no longer sets belongs to the old name and is never removed.",
	Fix:      "Apply with the old --field-manager, or remove the old entry from managedFields.",
	Links:    []string{applyPage + "#managers"},
	Severity: lint.Warning,
	Needs:    lint.Live | lint.ManagedFields | lint.ServerSide | lint.Kubectl,
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			applier := appliedBy(o)
			if applier == "" || owners.Applies(o.Before, o.ServerSide.Manager) {
				continue
			}
			var left []fieldpath.Path
			for _, c := range o.Changes() {
				if c.Reason == explain.OwnedBy && slices.Contains(c.Owners, applier) && !systemMetadata(c.Path) && !byController(o, c.Path) {
					left = append(left, c.Path)
				}
			}
			if left = outermostAbsent(o, o.Manifest.Tree, left); len(left) > 0 {
				p.Report(o, lint.Report{
					Path: left[0], LivePath: left[0],
					Message: fmt.Sprintf("%s applied the object before, not %s: %s no longer in the manifest, but not removed from the live object", applier, o.ServerSide.Manager, listed(left)),
					Fix:     "apply with --field-manager=" + applier + ", as before",
				})
			}
		}
	},
}
