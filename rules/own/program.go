package own

import (
	"cmp"
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

func (v Violation) same(o Violation) bool {
	return v.Object == o.Object && v.Policy == o.Policy && v.Message == o.Message
}

// New returns the violations after a change that there are not before, sorted, each once.
func New(before, after []Violation) []Violation {
	was := map[Violation]bool{}
	for _, v := range before {
		v.Severity = lint.Unset
		was[v] = true
	}
	list := slices.DeleteFunc(slices.Clone(after), func(v Violation) bool {
		v.Severity = lint.Unset
		return was[v]
	})
	slices.SortFunc(list, func(a, b Violation) int {
		return cmp.Or(cmp.Compare(a.Object.String(), b.Object.String()), cmp.Compare(a.Policy, b.Policy), cmp.Compare(a.Message, b.Message), cmp.Compare(b.Severity, a.Severity))
	})
	return slices.CompactFunc(list, Violation.same)
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
