package rules

import (
	"fmt"

	"threeway/lint"
)

var upgradeChangesDefaults = &lint.Rule{
	ID:    "upgrade-changes-defaults",
	Title: "a field that no manifest sets gets another value",
	Text:  "The other version sets a field that the manifest leaves out to another value. All objects of a kind are one finding.",
	Why:   "Live objects show the new default as soon as the server is upgraded, and the next apply stores it.",
	Fix:   "Set the field if the new default is not wanted.",
	Links: []string{skewPage}, Severity: lint.Info, Needs: lint.Upgrade,
	Run: func(p *lint.Pass) {
		for o, d := range upgraded(p) {
			for _, c := range d.Changes {
				if c.Set {
					continue
				}
				text := fmt.Sprintf("%s is %s by default in %s", c.Path, lint.Value(c.Is), kubernetes(p.Upgrade.To))
				switch {
				case c.Is == nil:
					text = fmt.Sprintf("%s is not set by default in %s; %s sets it to %s", c.Path, kubernetes(p.Upgrade.To), kubernetes(p.Upgrade.From), lint.Value(c.Was))
				case c.Was != nil:
					text += fmt.Sprintf(", and %s in %s", lint.Value(c.Was), kubernetes(p.Upgrade.From))
				}
				p.Report(o, lint.Report{Path: c.Path, Message: text, Group: o.Kind.GroupKind() + " " + c.Path.String(),
					Fix: "set " + c.Path.String() + " in the manifest if the default is not wanted"})
			}
		}
	},
}
