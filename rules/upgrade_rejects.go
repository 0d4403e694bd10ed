package rules

import (
	"fmt"

	"threeway/lint"
	"threeway/merge/fieldpath"
)

var upgradeRejects = &lint.Rule{
	ID:    "upgrade-rejects",
	Title: "the other version rejects what the cluster accepts",
	Text:  "The other version would reject the object (error). As a warning: it would accept the stored object but reject it when it is created again, reject the Pods of a workload, or reject what the cluster rejects already.",
	Why:   "Stored objects may stay, so the rejection is not noticed until one is restored, moved to another cluster, or deleted and applied again.",
	Fix:   "Correct the field before the upgrade; what the newer version accepts, the older does too.",
	Links: []string{skewPage}, Severity: lint.Error, Needs: lint.Upgrade,
	Run: func(p *lint.Pass) {
		for o, d := range upgraded(p) {
			to := kubernetes(p.Upgrade.To)
			switch {
			case d.Rejected != nil:
				path, text, others := firstFault(p, o, d, d.Rejected)
				r := lint.Report{Path: path, Notes: others, Fix: "correct the field that the message names before the upgrade",
					Message: fmt.Sprintf("%s rejects the object: %s", to, text)}
				if d.From.Rejection != nil {
					r.Severity, r.Message = lint.Warning, fmt.Sprintf("%s already rejects the object, and so does %s: %s", kubernetes(p.Upgrade.From), to, text)
				}
				p.Report(o, r)
			case d.Recreated != nil:
				path, text, others := firstFault(p, o, d, d.Recreated)
				p.Report(o, lint.Report{Path: path, Notes: others, Severity: lint.Warning, Fix: "correct the field that the message names",
					Message: fmt.Sprintf("%s accepts the stored object, and would reject it if it were created again: %s", to, text)})
			case d.Pods != "":
				p.Report(o, lint.Report{Path: fieldpath.New("spec"), Severity: lint.Warning, Fix: "change the Pod template, or the labels of the Namespace",
					Message: fmt.Sprintf("%s rejects the Pods of the workload: %s", to, firstLine(d.Pods))})
			}
		}
	},
}
