package rules

import (
	"fmt"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/schema"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

var upgradeRemovesVersion = &lint.Rule{
	ID:    "upgrade-removes-version",
	Title: "the other version no longer serves the apiVersion",
	Text: "The manifest, or a HorizontalPodAutoscaler's scaleTargetRef, names a version of a kind that the other version of Kubernetes does not " +
		"serve.",
	Why: "kubectl apply rejects the manifest: resource mapping not found, no matches for kind. Stored objects stay, and can be read in the " +
		"versions that are left.",
	Fix: "Write the manifest for a version that both serve, and apply it before the upgrade.",
	Repair: "Rewrites the apiVersion if a rehearsal shows that the cluster stores the same object for both versions, and that the other version " +
		"of Kubernetes accepts the new one.",
	Links: []string{"https://kubernetes.io/docs/reference/using-api/deprecation-guide/"}, Severity: lint.Error, Needs: lint.Upgrade, Since: "0.11",
	Run: func(p *lint.Pass) {
		for o, d := range upgraded(p) {
			if d.Gone {
				reportGone(p, o)
			}
		}
		for o := range p.Objects() {
			reportGoneTarget(p, o)
		}
	},
}

func reportGone(p *lint.Pass, o *lint.Object) {
	r := lint.Report{Path: fieldpath.New("apiVersion"), Fix: "there is no other version of the kind; remove the manifest before the upgrade",
		Message: fmt.Sprintf("%s does not serve %s %s; apply would fail: no matches for kind %q in version %q",
			kubernetes(p.Upgrade.To), o.Kind.APIVersion(), o.Kind.Kind, o.Kind.Kind, o.Kind.APIVersion())}
	if now := p.Upgrade.Served(o.Kind); now != "" {
		r.Fix = "rewrite the manifest for " + now + "; its fields may differ"
		if p.Upgrade.Rewritten(o.Config, now) {
			r.Fix = "set apiVersion: " + now + "; the cluster stores the same object for it"
			r.Edits = []edit.Edit{edit.Set(r.Path, now)}
		}
	}
	p.Report(o, r)
}

// reportGoneTarget is about what a HorizontalPodAutoscaler scales.
func reportGoneTarget(p *lint.Pass, o *lint.Object) {
	target := tree.Map(o.Config.Tree, "spec", "scaleTargetRef")
	if !o.Is("HorizontalPodAutoscaler.autoscaling") || target == nil {
		return
	}
	kind := schema.ParseKind(tree.String(target, "apiVersion"), tree.String(target, "kind"))
	r, known := schema.Builtin(kind)
	if _, removed := schema.Removed(kind); !removed && (!known || r.In(p.Upgrade.To)) {
		return
	}
	report := lint.Report{Path: fieldpath.New("spec", "scaleTargetRef", "apiVersion"), Fix: "name a version that is served",
		Message: fmt.Sprintf("%s does not serve %s %s, which the autoscaler names", kubernetes(p.Upgrade.To), kind.APIVersion(), kind.Kind)}
	if now := p.Upgrade.Served(kind); now != "" {
		report.Fix = "set apiVersion: " + now
		report.Edits = []edit.Edit{edit.Set(report.Path, now)}
	}
	p.Report(o, report)
}
