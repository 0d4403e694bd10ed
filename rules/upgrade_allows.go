package rules

import (
	"fmt"

	"threeway/lint"
)

var upgradeAllows = &lint.Rule{
	ID:    "upgrade-allows",
	Title: "the other version accepts what the cluster rejects",
	Text:  "The Kubernetes of the cluster rejects the object, and the version after the upgrade accepts it.",
	Why:   "A manifest that has failed until now is applied with the first apply after the upgrade.",
	Fix:   "Nothing, if the object is wanted. Else remove the manifest before the upgrade.",
	Links: []string{skewPage}, Severity: lint.Info, Needs: lint.Upgrade,
	Run: func(p *lint.Pass) {
		for o, d := range upgraded(p) {
			if d.Allowed == nil {
				continue
			}
			path, text, _ := firstFault(p, o, d, d.Allowed)
			p.Report(o, lint.Report{Path: path,
				Message: fmt.Sprintf("%s accepts the object, which %s rejects: %s", kubernetes(p.Upgrade.To), kubernetes(p.Upgrade.From), text),
				Fix:     "remove the manifest if the object is not wanted"})
		}
	},
}
