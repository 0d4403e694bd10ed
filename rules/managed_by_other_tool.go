package rules

import (
	"threeway/lint"
	"threeway/merge/applier"
	"threeway/merge/manifest"
)

var managedByOtherTool = &lint.Rule{
	ID:    "managed-by-other-tool",
	Title: "another tool manages the live object",
	Text: "The live object has the label or annotation of Helm, Argo CD, Flux or kapp, and the manifest does not; or an Argo CD Application or a " +
		"Flux Kustomization in the snapshot lists it. A tracking ID that was copied from another object does not count. The objects of one release " +
		"or application are one finding.",
	Why: "Only one tool should manage an object. The other tool resets it at its next run, or reports it as changed, and deletes it " +
		"when it uninstalls.",
	Fix:      "Change the object in the source of the other tool; or remove it there first, and then apply it.",
	Links:    []string{"https://kubernetes.io/docs/concepts/overview/working-with-objects/object-management/#management-techniques"},
	Severity: lint.Warning,
	Needs:    lint.Live,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		for o := range p.Objects() {
			for _, c := range claims(p, o.Live) {
				if c.Mark != nil && has(o.Config.Tree, c.Mark) || ours(p, c) {
					continue
				}
				tool, us := string(c.Program), "kubectl apply"
				if o.By != nil {
					us = string(o.By.Claim().Program)
				}
				r := lint.Report{
					LivePath: c.Mark,
					Group:    tool + " " + c.By,
					Message:  tool + " manages the live object; " + tool + " and " + us + " undo each other's changes",
					Fix: "change it in the source of " + tool +
						", or remove it there before you apply it",
				}
				if c.Listed != nil {
					r.Live, r.Against = c.By+" lists it", c.Listed
				}
				p.Report(o, r)
				break
			}
		}
	},
}

// ours reports whether a claim is that of the program which applies the manifests.
func ours(p *lint.Pass, c applier.Claim) bool {
	return p.Options.By != nil && c.Same(p.Options.By.Claim())
}

// claims are those of the programs that apply a live object.
func claims(p *lint.Pass, live *manifest.Object) []applier.Claim {
	lists := lint.SharedByRun(p, func() applier.Lists { return applier.ReadLists(p.Options.Live) })
	return lists.Claims(live)
}
