package rules

import (
	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
)

var managedByOtherTool = &lint.Rule{
	ID:    "managed-by-other-tool",
	Title: "another tool manages the live object",
	Text: "The live object has the label or annotation of Helm, Argo CD, Flux or kapp, and the manifest does not. The objects of one release or " +
		"application are one finding.",
	Why: "Only one tool should manage an object. The other tool resets it at its next run, or reports it as changed, and deletes it " +
		"when it uninstalls.",
	Fix:      "Change the object in the source of the other tool; or remove it there first, and then apply it.",
	Links:    []string{"https://kubernetes.io/docs/concepts/overview/working-with-objects/object-management/#management-techniques"},
	Severity: lint.Warning,
	Needs:    lint.Live,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		for o := range p.Objects() {
			tool, mark := foreign(o.Live)
			if tool == "" || has(o.Config.Tree, mark) {
				continue
			}
			release, _ := mark.Find(o.Live.Tree)
			p.Report(o, lint.Report{
				LivePath: mark,
				Group:    tool + " " + lint.Value(release),
				Message:  tool + " manages the live object; " + tool + " and kubectl apply undo each other's changes",
				Fix: "change it in the source of " + tool +
					", or remove it there before you apply it",
			})
		}
	},
}

// foreign names the tool whose mark an object has, and the mark.
func foreign(o *manifest.Object) (tool string, mark fieldpath.Path) {
	for _, m := range []struct{ tool, where, key string }{
		{"Helm", "annotations", "meta.helm.sh/release-name"},
		{"Argo CD", "annotations", "argocd.argoproj.io/tracking-id"},
		{"Argo CD", "labels", "argocd.argoproj.io/instance"},
		{"Flux", "labels", "kustomize.toolkit.fluxcd.io/name"},
		{"Flux", "labels", "helm.toolkit.fluxcd.io/name"},
		{"kapp", "labels", "kapp.k14s.io/app"},
	} {
		if p := fieldpath.New("metadata", m.where, m.key); has(o.Tree, p) {
			return m.tool, p
		}
	}
	return "", nil
}
