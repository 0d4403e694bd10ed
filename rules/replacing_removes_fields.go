package rules

import (
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/applier"
	"threeway/merge/fieldpath"
	"threeway/merge/rehearsal"
)

var replacingRemovesFields = &lint.Rule{
	ID:    "replacing-removes-fields",
	Title: "replacing the object removes what other managers set",
	Text: "Argo CD with Replace=true, or a HelmRelease of Flux with upgrade.force, replaces the live object by the manifest. Fields that only another manager set are lost: the caBundle that an injector writes into a webhook, a sidecar that an operator adds to a pod " +
		"template.",
	Why: "At every run, the webhook has no certificate until the injector writes it again, the pods are replaced twice, and a label or " +
		"finalizer that was set by hand is lost.",
	Fix: "Add the fields to the manifest, or remove Replace=true or force. ServerSideApply=true also works without last-applied, and keeps fields of other managers.",
	Links: []string{
		"https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#replace-resource-instead-of-applying-changes",
		"https://fluxcd.io/flux/components/helm/helmreleases/#upgrade-configuration",
		"https://cert-manager.io/docs/concepts/ca-injector/",
	},
	Severity: lint.Warning,
	Needs:    lint.Live | lint.ManagedFields | lint.OtherApplier,
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			gone, managers := replacedAway(o)
			if gone = outermostAbsent(o, o.Outcome.Target(), gone); len(gone) == 0 {
				continue
			}
			r := lint.Report{
				Path: gone[0], LivePath: gone[0], Suggested: taken(o, gone),
				Message: "each " + o.By.Run() + " replaces the object and so removes what " + strings.Join(managers, ", ") + " set and the manifest does not: " + named(gone),
				Fix:     "add what you want to keep to " + o.Where() + ", or remove the sync option Replace=true",
			}
			if o.By.Claim().Program == applier.Flux {
				r.Fix = "add what you want to keep to the chart, or remove spec.upgrade.force"
			}
			p.Report(o, r)
		}
	},
}

// replacedAway are the fields of other managers that are not in the object that takes the
// place of the live one. What kubectl or another program applied has left the manifest.
func replacedAway(o *lint.Object) (gone []fieldpath.Path, managers []string) {
	if o.PatchType != rehearsal.Put || o.Live == nil || o.Recreated {
		return nil, nil
	}
	for _, w := range o.Owners() {
		if w.Subresource == "status" || w.Applies() && w.Manager == rehearsal.DefaultManager || oldApplier(w.Manager) || applier.IsManager(w.Manager) {
			continue
		}
		for _, f := range w.Leaves() {
			_, was := o.Find(f, o.Before)
			_, is := o.Find(f, o.Result)
			if bookkeeping := f[0].Field == "metadata" && strings.Contains(f[len(f)-1].Field, "kubernetes.io/"); was && !is && !bookkeeping && !filledIn(o, f) {
				gone = append(gone, f)
				managers = append(managers, w.Manager)
			}
		}
	}
	return gone, slices.Compact(slices.Sorted(slices.Values(managers)))
}
