package rules

import (
	"fmt"
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/schema"
	"threeway/merge/tree"
)

var apiVersionShift = &lint.Rule{
	ID:    "api-version-shift",
	Title: "the apiVersion is gone, or differs from the applied one",
	Text: "The config has an apiVersion that the simulated Kubernetes does not serve any more (error), or another one than the config " +
		"applied before (warning).",
	Why: "A kind that is not served cannot be applied. Between two versions the three-way merge compares fields that have other names " +
		"in each: what was renamed looks added, and what the old config had may not be cleared.",
	Fix:      "Rewrite the manifest for the served version, fields included (kubectl convert), and read the diff of the first apply.",
	Bad:      lint.Example{Config: "apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: api, namespace: shop}\nspec: {minAvailable: 1}\n"},
	Good:     lint.Example{Config: "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: api, namespace: shop}\nspec: {minAvailable: 1, selector: {matchLabels: {app: api}}}\n"},
	NearMiss: lint.Example{Config: "apiVersion: autoscaling/v1\nkind: HorizontalPodAutoscaler\nmetadata: {name: api, namespace: shop}\nspec: {maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: api}}\n"},
	Links:    []string{"https://kubernetes.io/docs/reference/using-api/deprecation-guide/", applyPage, "https://pluto.docs.fairwinds.com/faq/"},
	Severity: lint.Warning,
	Since:    "0.1",
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		if !strings.Contains(f.Text, "no matches for kind") {
			return nil
		}
		last := 0
		if r, ok := schema.Removed(o.Kind); ok {
			last = r.Until
		} else if r, ok := schema.Builtin(o.Kind); ok && r.Until != 0 {
			last = r.Until
		}
		if last == 0 {
			return nil
		}
		r := &lint.Report{Path: fieldpath.New("apiVersion"), Fix: "rewrite the manifest for a version that is served",
			Message: fmt.Sprintf("%s %s was last served by Kubernetes 1.%d; apply is rejected", o.Kind.APIVersion(), o.Kind.Kind, last)}
		if now := served(o.Kind); now != "" {
			r.Fix = "rewrite the manifest for " + now + "; its fields may differ"
		}
		return r
	},
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			was := tree.String(o.LastApplied(), "apiVersion")
			if o.Live == nil || was == "" || was == o.Kind.APIVersion() {
				continue
			}
			p.Report(o, lint.Report{
				Path: fieldpath.New("apiVersion"), Live: "last applied as " + was, LivePath: fieldpath.New("metadata", "annotations"),
				Message: fmt.Sprintf("the config was last applied as %s and is now %s; fields that the versions name differently are not cleared", was, o.Kind.APIVersion()),
				Fix:     "read the diff of this apply, and clear what is left of the old version",
			})
		}
	},
}

// served is the newest version of a built-in kind that is stable, or "".
func served(k schema.Kind) string {
	found := ""
	for _, r := range schema.Resources() {
		same := r.Kind.Kind == k.Kind && (r.Group == k.Group || k.Group == "extensions")
		if same && r.Until == 0 && r.OnByDefault() {
			found = r.APIVersion()
		}
	}
	return found
}
