package podsecurity

import (
	"strings"

	"threeway/merge/tree"
)

// Violation is one check that a Pod does not pass: the reason in a word or two,
// and the fields and values, which may be empty.
type Violation struct{ Reason, Detail string }

// Violations are those of one Pod, in the order of the checks.
type Violations []Violation

// Evaluate holds a Pod, or the template of one, to a standard as the server of
// the given minor does. The Pod is decoded and complete.
//
// Source: EvaluatePod of policy/registry.go. A version above the server's own
// counts as that.
func Evaluate(s Standard, minor int, template tree.Object) Violations {
	if s.Level == Privileged {
		return nil
	}
	version := int(s.Version)
	if s.Version == Latest || version > minor {
		version = minor
	}
	pod := pod{tree.Map(template, "metadata", "annotations"), tree.Map(template, "spec"), minor}
	var violations Violations
	for _, c := range checksOf(s.Level, version) {
		if reason, detail := c(pod); reason != "" {
			violations = append(violations, Violation{reason, detail})
		}
	}
	return violations
}

// checksOf are the checks of a level in a version, in order: those of the
// baseline first. A restricted check takes the place of the baseline check
// that it names.
func checksOf(level Level, version int) []function {
	replaced := map[string]bool{}
	if level == Restricted {
		for _, c := range restricted {
			if c.in(version) != nil {
				replaced[c.replaces] = true
			}
		}
	}
	var functions []function
	for _, c := range baseline {
		if f := c.in(version); f != nil && !replaced[c.id] {
			functions = append(functions, f)
		}
	}
	if level == Restricted {
		for _, c := range restricted {
			if f := c.in(version); f != nil {
				functions = append(functions, f)
			}
		}
	}
	return functions
}

// Details are the violations with fields and values, as the answer to a Pod
// or a workload has them.
func (v Violations) Details() string {
	texts := make([]string, len(v))
	for i, violation := range v {
		texts[i] = violation.Reason
		if violation.Detail != "" {
			texts[i] += " (" + violation.Detail + ")"
		}
	}
	return strings.Join(texts, ", ")
}

// Reasons are the violations in short, as the warnings about Pods that exist
// have them.
func (v Violations) Reasons() string {
	texts := make([]string, len(v))
	for i, violation := range v {
		texts[i] = violation.Reason
	}
	return strings.Join(texts, ", ")
}
