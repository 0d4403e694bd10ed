package rules

import (
	"fmt"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/impact/setting"
)

var podSecurityLowered = &lint.Rule{
	ID:       "pod-security-lowered",
	Title:    "a Namespace admits pods that it rejects today",
	Text:     "Apply lowers the Pod Security Standard that a Namespace enforces: from restricted to baseline, or to privileged.",
	Why:      "Privileged pods, or pods with access to the node's network or files, are admitted.",
	Fix:      "Keep the level, and move the workload that needs more to its own Namespace.",
	Links:    []string{"https://kubernetes.io/docs/concepts/security/pod-security-admission/"},
	Severity: lint.Warning,
	Needs:    lint.Live,
	Effect:   impact.Widens,
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			path := fieldpath.New("metadata", "labels", "pod-security.kubernetes.io/enforce")
			was, _ := o.Find(path, o.Before)
			now, set := o.Find(path, o.Result)
			if !o.Is("Namespace") || !set || setting.PodSecurity(now) >= setting.PodSecurity(was) {
				continue
			}
			p.Report(o, lint.Report{
				Path: path, LivePath: path,
				Message: fmt.Sprintf("the Namespace enforces %v instead of %v: pods that are rejected today are admitted", now, was),
				Fix:     fmt.Sprintf("keep %v, or move the workload that needs more to its own Namespace", was),
			})
		}
	},
}
