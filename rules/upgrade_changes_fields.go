package rules

import (
	"fmt"

	"threeway/lint"
	"threeway/merge/text/edit"
)

var upgradeChangesFields = &lint.Rule{
	ID:    "upgrade-changes-fields",
	Title: "a field starts or stops having an effect",
	Text:  "The manifest sets a field that one of the two versions drops silently, because the feature behind it is off there, or stores with a different value.",
	Why: "A field that the cluster drops today takes effect with the first apply after the upgrade. One that the other version drops is " +
		"lost.",
	Fix:   "Decide whether the field is meant, and remove it if it is not.",
	Links: []string{"https://kubernetes.io/docs/reference/command-line-tools-reference/feature-gates/"}, Severity: lint.Warning, Needs: lint.Upgrade,
	Run: func(p *lint.Pass) {
		for o, d := range upgraded(p) {
			for _, c := range d.Changes {
				if !c.Set {
					continue
				}
				from, to := kubernetes(p.Upgrade.From), kubernetes(p.Upgrade.To)
				text, fix := fmt.Sprintf("%s drops %s, and %s keeps it: it takes effect with the first apply after the upgrade", from, c.Path, to), "remove the field if you do not want it"
				switch {
				case c.Is == nil:
					text, fix = fmt.Sprintf("%s drops %s, which %s keeps", to, c.Path, from), "remove the field; it has no effect after the upgrade"
				case c.Was != nil:
					text, fix = fmt.Sprintf("%s stores %s differently from %s", to, c.Path, from), "compare the two with --kubernetes-version"
				}
				p.Report(o, lint.Report{Path: c.Path, Message: text, Fix: fix, Suggested: []edit.Edit{edit.Remove(c.Path)}})
			}
		}
	},
}
