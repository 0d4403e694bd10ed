package rules

import (
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

var imperativeManager = &lint.Rule{
	ID:    "imperative-manager",
	Title: "fields of the manifest were last changed by hand",
	Text: "According to managedFields, kubectl edit, scale, patch, set or another imperative command changed fields that the manifest also " +
		"sets, to the same values (else: reverts-live-change).",
	Why:      "Apply undoes the next manual change, and a server-side apply that no longer sets the field leaves it to the other owner.",
	Fix:      "Change these fields in the manifest only. The entry goes away with the next apply that changes the field.",
	Links:    []string{"https://kubernetes.io/docs/concepts/overview/working-with-objects/object-management/#management-techniques", issue + "112701"},
	Severity: lint.Info,
	Needs:    lint.Live | lint.ManagedFields,
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			for _, w := range o.Owners() {
				if w.Operation != "Update" || w.Subresource == "status" || !imperative(w.Manager) {
					continue
				}
				var both []fieldpath.Path
				for _, f := range w.Leaves() {
					config, ok := o.Find(f, o.Manifest.Tree)
					live, _ := o.Find(f, o.Before)
					after, _ := o.Find(f, o.Result)
					if ok && config != nil && !tree.Compound(config) && tree.Equal(live, after) && len(f) > 1 {
						both = append(both, f)
					}
				}
				if len(both) > 0 {
					p.Report(o, lint.Report{
						Path: both[0], LivePath: both[0],
						Message: strings.Replace(w.Manager, "-", " ", 1) + " last changed what the manifest sets: " + named(both),
						Fix:     "change them in " + o.Where() + " only, and apply",
					})
				}
			}
		}
	},
}

// imperative reports whether kubectl writes under this name in a command that
// changes objects without a config (kubectl pkg/cmd/*).
func imperative(manager string) bool {
	switch manager {
	case "kubectl-edit", "kubectl-scale", "kubectl-patch", "kubectl-set", "kubectl-rollout", "kubectl-label", "kubectl-annotate", "kubectl-replace":
		return true
	}
	return false
}
