package rules

import (
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
)

var upgradeWarns = &lint.Rule{
	ID:    "upgrade-warns",
	Title: "the other version warns of the object",
	Text:  "The API server of the other version gives a warning with the object that that of the cluster does not give. Warnings in the same words are one finding.",
	Why:   "A warning comes before a rejection: the version or the field is on its way out, or means something else than it says.",
	Fix:   "Do what the warning says.",
	Links: []string{"https://kubernetes.io/blog/2020/09/03/warnings/"}, Severity: lint.Info, Needs: lint.Upgrade, Since: "0.11",
	Run: func(p *lint.Pass) {
		for o, d := range upgraded(p) {
			for _, w := range d.Warnings {
				text := firstLine(o.Say(w))
				p.Report(o, lint.Report{Path: warnedField(o, text), Message: kubernetes(p.Upgrade.To) + " warns: " + text, Group: text,
					Fix: "change the manifest as the warning says"})
			}
		}
	},
}

// warnedField is the field that a warning begins with; of one about the version,
// apiVersion; else none.
func warnedField(o *lint.Object, text string) fieldpath.Path {
	if strings.HasPrefix(text, o.Kind.APIVersion()+" ") {
		return fieldpath.New("apiVersion")
	}
	field, _, _ := strings.Cut(strings.ReplaceAll(text, ":", " "), " ")
	path, err := fieldpath.ParseIn(field, o.Config.Tree)
	if _, found := path.Find(o.Config.Tree); err != nil || !found {
		return nil
	}
	return path
}
