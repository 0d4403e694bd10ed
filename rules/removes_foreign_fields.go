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

var removesForeignFields = &lint.Rule{
	ID:     "removes-foreign-fields",
	Former: []string{"replacing-removes-fields", "take-over-removes-field"},
	Title:  "Argo CD or Flux removes what other managers set",
	Text: "Another manager set a field that the manifest does not set, and it goes: Argo CD with Replace=true, or a HelmRelease of Flux with upgrade.force, replaces the live object by the manifest. " +
		"And Flux takes over the fields of managers whose names begin with kubectl, such as those of kubectl edit, set, label, annotate, patch or rollout restart.",
	Why: "A webhook has no certificate until an injector writes its caBundle again, pods are replaced a second time, and what was set in a hurry to stop an incident is lost at the next run. " +
		"No dry run or diff of Flux shows it.",
	Fix: "Add the fields to the manifest, or remove Replace=true or force: ServerSideApply=true also works without last-applied, and keeps fields of other managers. With the annotation " +
		"kustomize.toolkit.fluxcd.io/ssa: Merge Flux leaves fields of other managers alone.",
	Links: []string{
		"https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#replace-resource-instead-of-applying-changes",
		"https://fluxcd.io/flux/components/helm/helmreleases/#upgrade-configuration",
		"https://fluxcd.io/flux/components/kustomize/kustomizations/#controlling-the-apply-behavior-of-resources",
		"https://cert-manager.io/docs/concepts/ca-injector/",
	},
	Severity: lint.Warning,
	Needs:    lint.Live | lint.ManagedFields | lint.OtherApplier,
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			gone, managers := takenAway(o)
			if gone = outermostAbsent(o, o.Outcome.Target(), gone); len(gone) == 0 {
				continue
			}
			flux := o.By.Claim().Program == applier.Flux
			r := lint.Report{Path: gone[0], LivePath: gone[0], Fix: "add what you want to keep to " + o.Where()}
			r.Message = "each " + o.By.Run() + " replaces the object and so removes what " + strings.Join(managers, ", ") + " set and the manifest does not: " + named(gone)
			switch {
			case o.PatchType != rehearsal.Put:
				r.Message = "Flux takes over what " + strings.Join(managers, ", ") + " set and the manifest does not, and removes it: " + named(gone)
			case flux:
				r.Fix = "add what you want to keep to the chart, or remove spec.upgrade.force"
			default:
				r.Fix += ", or remove the sync option Replace=true"
			}
			if o.PatchType == rehearsal.Put {
				r.Suggested = taken(o, gone)
			}
			p.Report(o, r)
		}
	},
}

// takenAway are the fields of other managers that an applier takes over or replaces, so that they
// go. What kubectl or another program applied has left the manifest.
func takenAway(o *lint.Object) (gone []fieldpath.Path, managers []string) {
	replaces := o.PatchType == rehearsal.Put
	if o.Live == nil || o.Recreated || !replaces && o.By.Claim().Program != applier.Flux {
		return nil, nil
	}
	for _, c := range o.Transfers(o.By.Claim().Manager()) {
		bookkeeping := c.Path[0].Field == "metadata" && strings.Contains(c.Path[len(c.Path)-1].Field, "kubernetes.io/")
		if !c.Removed || replaces && (bookkeeping || filledIn(o, c.Path)) {
			continue
		}
		for _, w := range c.Owners {
			applied := w.Applies() && (!replaces || w.Manager == rehearsal.DefaultManager) || oldApplier(w.Manager) || applier.IsManager(w.Manager)
			if byHand := strings.HasPrefix(w.Manager, "kubectl"); !applied && (byHand || replaces) && w.Manager != owners.ClientSideApply {
				gone, managers = append(gone, c.Path), append(managers, w.Manager)
			}
		}
	}
	return gone, slices.Compact(slices.Sorted(slices.Values(managers)))
}
