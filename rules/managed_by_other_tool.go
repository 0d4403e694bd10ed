package rules

import (
	"threeway/lint"
	"threeway/merge/applier"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

var managedByOtherTool = &lint.Rule{
	ID:    "managed-by-other-tool",
	Title: "another tool manages the live object",
	Text: "The live object has the label or annotation of Helm, Argo CD, Flux or kapp, and the manifest does not; or an Argo CD " +
		"Application or a Flux Kustomization in the snapshot lists it. A copied tracking ID does not count. The objects of one release " +
		"or application are one finding.",
	Why:      "The other tool resets the object at its next run, or deletes it when it uninstalls.",
	Fix:      "Change the object in the source of the other tool; or remove it there first, and then apply it.",
	Links:    []string{"https://kubernetes.io/docs/concepts/overview/working-with-objects/object-management/#management-techniques"},
	Severity: lint.Warning,
	Needs:    lint.Live,
	Run: func(p *lint.Pass) {
		for o := range p.Objects() {
			for _, c := range claims(p, o.Live) {
				if c.Mark != nil && has(o.Manifest.Tree, c.Mark) || ours(o, c) {
					continue
				}
				tool := string(c.Program)
				r := lint.Report{
					LivePath: c.Mark,
					Group:    tool + " " + c.By(),
					Message:  tool + " manages the live object; " + undoing(p, c),
					Fix: "change it in the source of " + tool +
						", or remove it there before you apply it",
				}
				switch by := o.By.Claim(); {
				case by.IsKubectl():
				case by.Program == c.Program:
					r.Message = c.By() + " manages the live object; it and " + by.By() + " undo each other's changes"
					r.Fix = "leave the object to one of the two"
				default:
					r.Message = tool + " manages the live object; " + tool + " and " + string(by.Program) + " undo each other's changes"
					r.Fix += "; threeway handover --to shows the steps"
				}
				if c.Listed != nil {
					r.Live, r.Against = c.By()+" lists it", c.Listed
				}
				p.Report(o, r)
				break
			}
		}
	},
}

// ours reports whether a claim is that of the program which applies the manifests.
func ours(o *lint.Object, c applier.Claim) bool {
	return c.Same(o.By.Claim())
}

// claims are those of the programs that apply a live object.
func claims(p *lint.Pass, live *manifest.Object) []applier.Claim {
	lists := lint.SharedByRun(p, func() applier.Lists { return applier.ReadLists(p.Options.Live) })
	return lists.Claims(live)
}

// undoing says when the program of a claim undoes what kubectl apply changes, as far as
// its own object in the snapshot tells.
func undoing(p *lint.Pass, c applier.Claim) string {
	by := c.In(p.Options.Live)
	switch c.Kind {
	case applier.Release:
		return "the next helm upgrade resets what this apply changes of the fields that the chart sets"
	case applier.HelmRelease:
		return "the next upgrade of " + c.By() + " resets what this apply changes of the fields that the chart sets"
	case applier.Application:
		if by != nil && tree.Bool(by.Tree, "spec", "syncPolicy", "automated", "selfHeal") {
			return "Argo CD resets what this apply changes by itself, because " + c.By() + " has self-heal"
		}
		return "the next sync resets what this apply changes"
	case applier.Kustomization:
		if by != nil && tree.Bool(by.Tree, "spec", "suspend") {
			return "once " + c.By() + " is resumed, Flux resets what this apply changes and removes what it adds"
		}
		return "at its next interval Flux resets what this apply changes and removes what it adds"
	}
	return string(c.Program) + " and kubectl apply undo each other's changes"
}
