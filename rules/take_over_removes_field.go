package rules

import (
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/applier"
	"threeway/merge/fieldpath"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
)

var takeOverRemovesField = &lint.Rule{
	ID:    "take-over-removes-field",
	Title: "Flux removes what kubectl set in the cluster",
	Text:  "A command of kubectl set a field that the manifest does not set: kubectl edit, set, label, annotate, patch or rollout restart. Flux takes over the fields of managers whose names begin with kubectl, and so removes the field.",
	Why: "No dry run or diff of Flux shows it. What was set in a hurry to stop an incident is lost at the next reconciliation; with the " +
		"annotation of kubectl rollout restart, the pods are replaced a second time.",
	Fix: "Add the field to the manifest. Or give the object the annotation kustomize.toolkit.fluxcd.io/ssa: Merge: Flux then leaves " +
		"fields of other managers alone.",
	Links:    []string{"https://fluxcd.io/flux/components/kustomize/kustomizations/#controlling-the-apply-behavior-of-resources"},
	Severity: lint.Warning,
	Needs:    lint.Live | lint.ManagedFields | lint.OtherApplier,
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			if o.By.Claim().Program != applier.Flux || o.Live == nil || o.Recreated || o.PatchType == rehearsal.Put {
				continue
			}
			var gone []fieldpath.Path
			var managers []string
			for _, c := range o.Transfers(o.By.Claim().Manager()) {
				for _, w := range c.Owners {
					byHand := w.Manager != owners.ClientSideApply && strings.HasPrefix(w.Manager, "kubectl") && !w.Applies()
					if c.Removed && byHand {
						gone, managers = append(gone, c.Path), append(managers, w.Manager)
					}
				}
			}
			if gone = outermostAbsent(o, o.Outcome.Target(), gone); len(gone) == 0 {
				continue
			}
			p.Report(o, lint.Report{
				Path: gone[0], LivePath: gone[0],
				Message: "Flux takes over what " + strings.Join(slices.Compact(slices.Sorted(slices.Values(managers))), ", ") + " set and the manifest does not, and removes it: " + named(gone),
				Fix:     "add what you want to keep to " + o.Where(),
			})
		}
	},
}
