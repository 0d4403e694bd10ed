package rules

import (
	"threeway/lint"
)

var upgradeWarns = &lint.Rule{
	ID:    "upgrade-warns",
	Title: "the other version warns of the object",
	Text:  "The other version gives a warning that the cluster does not give. Warnings in the same words are one finding.",
	Why:   "The version or the field is deprecated, or does not do what its name says.",
	Fix:   "Follow the warning.",
	Links: []string{"https://kubernetes.io/blog/2020/09/03/warnings/"}, Severity: lint.Info, Needs: lint.Upgrade,
	Run: func(p *lint.Pass) {
		for o, d := range upgraded(p) {
			for _, w := range d.Warnings {
				text, path := firstLine(o.Say(w.Text)), w.Path
				if _, set := o.Find(path, o.Manifest.Tree); !set {
					path = nil // of a default
				}
				p.Report(o, lint.Report{Path: path, Message: kubernetes(p.Upgrade.To) + " warns: " + text, Group: text,
					Fix: "change the manifest as the warning says"})
			}
		}
	},
}
