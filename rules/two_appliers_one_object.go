package rules

import (
	"strings"

	"threeway/lint"
)

var twoAppliersOneObject = &lint.Rule{
	ID:    "two-appliers-one-object",
	Title: "two appliers claim the live object",
	Text: "The live object has the marks of two releases or applications of Helm, Argo CD, Flux or kapp, or two Applications or Kustomizations in " +
		"the snapshot list it. The objects of the same two are one finding.",
	Why: "Each applies its own version again and again. The first that no longer has the object, or is uninstalled, deletes it for the " +
		"other.",
	Fix: "Remove the object from one of the two, without pruning it, and then remove that one's labels and annotations from the object.",
	Links: []string{
		"https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#fail-the-sync-if-a-shared-resource-is-found",
		"https://fluxcd.io/flux/components/kustomize/kustomizations/#prune",
	},
	Severity: lint.Warning,
	Needs:    lint.Live,
	Run: func(p *lint.Pass) {
		for o := range p.Objects() {
			all := claims(p, o.Live)
			if len(all) < 2 {
				continue
			}
			var names, where []string
			for _, c := range all {
				names = append(names, string(c.Program)+" ("+c.By()+")")
				if c.Listed != nil {
					where = append(where, c.By()+" lists it")
				} else {
					where = append(where, c.Mark.String())
				}
			}
			both := strings.Join(names, " and ")
			p.Report(o, lint.Report{
				LivePath: all[0].Mark,
				Live:     strings.Join(where, "; "),
				Group:    both,
				Message:  "the live object is claimed by " + both + "; each undoes the other's changes, and may delete it",
				Fix:      "remove it from one of the two, without pruning",
			})
		}
	},
}
