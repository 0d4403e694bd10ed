package own

import (
	"fmt"
	"slices"

	"threeway/lint"
	"threeway/merge"
	"threeway/merge/manifest"
	"threeway/merge/text/visible"
)

// Program is the ID of the rule for what the program of another policy engine says, and the
// setting that names it.
const Program = "policy-command"

// Violation is what a policy has against an object.
type Violation struct {
	// Object is the zero value if the program does not say which one.
	Object          manifest.Identity
	Policy, Message string
	// Severity is Unset if the program could not evaluate the policy.
	Severity lint.Severity
}

// New returns the violations after a change that there are not before, each once, and the policies
// that could not be evaluated after it.
func New(before, after []Violation) (list []Violation) {
	known := map[Violation]bool{}
	for i, v := range slices.Concat(before, after) {
		key := v
		key.Severity = lint.Unset
		if i >= len(before) && (!known[key] || !v.Evaluated()) {
			list = append(list, v)
		}
		known[key] = true
	}
	return list
}

// Evaluated reports whether the program could evaluate the policy.
func (v Violation) Evaluated() bool { return v.Severity != lint.Unset }

// OfProgram is the rule of the findings. origin are the settings that name the program.
func OfProgram(origin string) *lint.Rule {
	return &lint.Rule{
		ID: Program, Title: "a policy of another engine is violated", Severity: lint.Error, Origin: origin,
		Text: "The program of policy-command in the settings reports a violation for the object that would be stored, and not for the live one.",
	}
}

// Reporting is rule with the violations that it reports of a plan.
func Reporting(rule *lint.Rule, plan *merge.Plan, list []Violation) *lint.Rule {
	reporting := *rule
	reporting.Run = func(p *lint.Pass) {
		if p.Plan != plan {
			return // that of the base, to find what is not new
		}
		objects := map[manifest.Identity]*lint.Object{}
		for o := range p.Objects() {
			objects[o.Identity()] = o
		}
		for _, v := range list {
			report := lint.Report{Message: visible.Short(v.Policy + ": " + v.Message), Severity: v.Severity}
			if o := objects[v.Object]; o != nil {
				p.Report(o, report)
				continue
			}
			if v.Object != (manifest.Identity{}) {
				report.Message = visible.Short(fmt.Sprintf("%s: %s", v.Object, report.Message))
			}
			p.ReportRun(report)
		}
	}
	return &reporting
}
