package rules

import (
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

var helmHookApplied = &lint.Rule{
	ID:    "helm-hook-applied",
	Title: "a Helm hook is applied like any other object",
	Text: "A manifest has the annotation helm.sh/hook, as in rendered charts. A warning for Jobs and Pods, which run; info for objects that hooks " +
		"need, such as a ServiceAccount.",
	Why: "kubectl applies a hook with the other objects, tests included, and never deletes it. A hook for every upgrade runs once, and " +
		"after a change of its image apply is rejected, because a Job's template is immutable.",
	Fix:      "Render with helm template --no-hooks, or --skip-tests. Run what the hooks do as a separate step, or install with helm.",
	Links:    []string{"https://helm.sh/docs/topics/charts_hooks/", "https://github.com/zegl/kube-score/issues/548"},
	Severity: lint.Warning,
	Needs:    lint.Kubectl,
	Run: func(p *lint.Pass) {
		for o := range p.Objects() {
			hook := tree.String(o.Manifest.Tree, "metadata", "annotations", "helm.sh/hook")
			if hook == "" || hook == "crd-install" {
				continue
			}
			r := lint.Report{
				Path: fieldpath.New("metadata", "annotations", "helm.sh/hook"), Severity: lint.Info,
				Message: "a Helm hook (" + hook + "): kubectl applies it like any other object, and nothing deletes it afterwards",
				Fix:     "render with helm template --no-hooks",
			}
			switch {
			case strings.HasPrefix(hook, "test"):
				r.Severity, r.Fix = lint.Warning, "render with helm template --skip-tests"
				r.Message = "a Helm test: kubectl applies it with the other objects; it runs now, once, and stays"
			case o.Is("Job.batch", "Pod"):
				r.Severity = lint.Warning
				r.Message = "a Helm hook (" + hook + "): kubectl applies it once, in no special order, and a later change is rejected"
				r.Fix = "render with helm template --no-hooks, and run it as a separate step"
			}
			p.Report(o, r)
		}
	},
}
