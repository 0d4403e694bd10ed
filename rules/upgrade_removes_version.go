package rules

import (
	"fmt"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/text/edit"
)

var upgradeRemovesVersion = &lint.Rule{
	ID:    "upgrade-removes-version",
	Title: "the other version no longer serves the apiVersion",
	Text: "The other version of Kubernetes does not serve the version of the manifest. The version in the scaleTargetRef of a " +
		"HorizontalPodAutoscaler does not matter: its controller looks for the group and the kind.",
	Why: "kubectl apply rejects the manifest: resource mapping not found, no matches for kind. Stored objects stay, and can be read in the " +
		"versions that are left.",
	Fix: "Write the manifest for a version that both serve, and apply it before the upgrade.",
	Repair: "Rewrites the apiVersion if the cluster stores the same object for both versions, or their fields are the same, and the other " +
		"version of Kubernetes accepts the new one.",
	Links: []string{"https://kubernetes.io/docs/reference/using-api/deprecation-guide/"}, Severity: lint.Error, Needs: lint.Upgrade,
	Run: func(p *lint.Pass) {
		for o, d := range upgraded(p) {
			if d.Gone {
				reportGone(p, o)
			}
		}
	},
}

func reportGone(p *lint.Pass, o *lint.Object) {
	r := lint.Report{Path: fieldpath.New("apiVersion"), Fix: "there is no other version of the kind; remove the manifest before the upgrade",
		Message: fmt.Sprintf("%s does not serve %s %s; apply would fail: no matches for kind %q in version %q",
			kubernetes(p.Upgrade.To), o.Kind.APIVersion(), o.Kind.Kind, o.Kind.Kind, o.Kind.APIVersion())}
	if now := schema.Successor(o.Kind, p.Upgrade.To); now != "" {
		r.Fix, r.Edits = rewriteFor(o, now)
		if p.Upgrade.Rewritten(o.Manifest, now) {
			r.Fix = "set apiVersion: " + now + "; the cluster stores the same object for it"
			r.Edits = []edit.Edit{edit.Set(r.Path, now)}
		}
	}
	p.Report(o, r)
}
