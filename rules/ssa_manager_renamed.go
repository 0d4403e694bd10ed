package rules

import (
	"fmt"
	"slices"

	"threeway/lint"
	"threeway/merge"
	"threeway/merge/fieldpath"
)

var ssaManagerRenamed = &lint.Rule{
	ID:    "ssa-manager-renamed",
	Title: "another field manager applied the object before",
	Text: "Nobody has applied the object server-side under the name of --field-manager, another manager has, and fields that left the config " +
		"stay because that one owns them.",
	Why: "The server keeps books by name. Under a new one the apply owns what it sets, but what it no longer sets belongs to the old name " +
		"and is never removed.",
	Fix:      "Apply with the old --field-manager, or remove the old entry from managedFields.",
	Links:    []string{applyPage + "#managers"},
	Severity: lint.Warning,
	Needs:    lint.Live | lint.ManagedFields | lint.ServerSide,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			var appliers []string
			for _, w := range o.Owners() {
				if w.Operation == "Apply" && w.Subresource == "" {
					appliers = append(appliers, w.Manager)
				}
			}
			if len(appliers) != 1 || appliers[0] == p.Options.ServerSide.Manager {
				continue
			}
			var left []fieldpath.Path
			for _, c := range o.Changes() {
				if c.Reason == merge.OwnedBy && slices.Contains(c.Owners, appliers[0]) && !systems(c.Path) && !filledIn(o, c.Path) {
					left = append(left, c.Path)
				}
			}
			if left = outside(o.Config.Tree, left); len(left) > 0 {
				p.Report(o, lint.Report{
					Path: left[0], LivePath: left[0],
					Message: fmt.Sprintf("%s applied the object before, not %s: %s gone from the config, but never from the live object", appliers[0], p.Options.ServerSide.Manager, listed(left)),
					Fix:     "apply with --field-manager=" + appliers[0] + ", as before",
				})
			}
		}
	},
}
