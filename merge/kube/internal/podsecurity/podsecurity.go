// Package podsecurity evaluates the Pod Security Standards as the admission
// plugin PodSecurity does: which standard the labels of a Namespace ask for,
// and in which fields a Pod violates it, in upstream's order and words.
//
// The checks are a table (checks.go) with the policy version since which each
// revision holds, and one short function each (baseline.go, restricted.go).
//
// Source: k8s.io/pod-security-admission, packages api and policy, whose own
// test data and evaluator merge/kube/conformance/podsecurity compares it with.
package podsecurity

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// Level is how strict a standard is.
type Level string

// The levels, from the one that allows everything to the strictest.
const (
	Privileged Level = "privileged"
	Baseline   Level = "baseline"
	Restricted Level = "restricted"
)

// strictness orders the levels; a level that is not here does not exist.
var strictness = map[Level]int{Privileged: 0, Baseline: 1, Restricted: 2}

// Stricter reports whether l forbids more than other.
func (l Level) Stricter(other Level) bool { return strictness[l] > strictness[other] }

// Version is the minor of Kubernetes whose checks a standard has, or Latest.
type Version int

// Latest is the version of the server itself.
const Latest Version = -1

func (v Version) String() string {
	if v == Latest {
		return "latest"
	}
	return "v1." + strconv.Itoa(int(v))
}

// Standard is what Pods are held to: a level in a version.
type Standard struct {
	Level   Level
	Version Version
}

func (s Standard) String() string { return string(s.Level) + ":" + s.Version.String() }

// Policy is what a Namespace asks for. Pods that violate Enforce are rejected,
// those that violate Warn get a warning. Those that violate Audit are only
// written to the audit log, which no one who applies sees.
type Policy struct{ Enforce, Warn Standard }

// The labels of a Namespace begin with prefix, then comes the mode.
const prefix = "pod-security.kubernetes.io/"

// Of is the policy that the labels of a Namespace ask for, a valid one even if
// a label is not, and what is wrong with the labels.
//
// Source: PolicyToEvaluate of package api.
func Of(labels tree.Object) (Policy, field.ErrorList) {
	var errs field.ErrorList
	enforce, hasEnforce := standard(labels, "enforce", Restricted, &errs)
	standard(labels, "audit", Privileged, &errs)
	warn, _ := standard(labels, "warn", Privileged, &errs)
	if !tree.Has(labels, prefix+"warn") && hasEnforce && enforce.Level.Stricter(warn.Level) {
		warn.Level = enforce.Level
		if !tree.Has(labels, prefix+"warn-version") {
			warn.Version = enforce.Version
		}
	}
	return Policy{enforce, warn}, errs
}

// standard reads the two labels of a mode. A level that does not exist counts
// as invalid says; a version that does not parse counts as the latest. valid
// tells whether there is a level that exists.
func standard(labels tree.Object, mode string, invalid Level, errs *field.ErrorList) (s Standard, valid bool) {
	s = Standard{Privileged, Latest}
	p := field.NewPath("metadata", "labels")
	if label, ok := labels[prefix+mode]; ok {
		s.Level = Level(tree.String(label))
		if _, valid = strictness[s.Level]; !valid {
			s.Level = invalid
			*errs = append(*errs, field.Invalid(p.Key(prefix+mode), label, "must be one of privileged, baseline, restricted"))
		}
	}
	key := prefix + mode + "-version"
	if label, ok := labels[key]; ok {
		if s.Version, ok = parseVersion(tree.String(label)); !ok {
			*errs = append(*errs, field.Invalid(p.Key(key), label, `must be "latest" or "v1.x"`))
		}
	}
	return s, valid
}

// parseVersion reads "latest" or "v1.N", N without a sign or leading zeros.
func parseVersion(s string) (v Version, ok bool) {
	text, ok := strings.CutPrefix(s, "v1.")
	if !ok {
		return Latest, s == "latest"
	}
	minor, err := strconv.Atoi(text)
	if err != nil || minor < 0 || strconv.Itoa(minor) != text {
		return Latest, false
	}
	return Version(minor), true
}

// InvalidLabels returns why the server rejects the labels of a Namespace: what
// is wrong with them, unless the same was wrong before. old is nil for a new
// Namespace.
//
// Source: ValidateNamespace of package admission.
func InvalidLabels(labels, old tree.Object) field.ErrorList {
	_, errs := Of(labels)
	_, before := Of(old)
	if errs.ToAggregate() != nil && before.ToAggregate() != nil && errs.ToAggregate().Error() == before.ToAggregate().Error() {
		return nil
	}
	return errs
}
