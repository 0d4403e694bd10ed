// Package lint runs rules over a rehearsed apply. A rule is a value; it looks
// at a read-only Pass and reports findings, each with its position in a file.
// The engine decides which rules run, gives every rejection to exactly one
// rule, applies suppressions and the baseline, and sorts the findings.
//
// It reads no files, prints nothing and knows no output format: see
// lint/report and command/settings.
package lint

import (
	"slices"
	"strings"

	"threeway/merge/impact"
	"threeway/merge/text/phrase"
)

// Severity says how bad a finding is.
type Severity uint8

// The severities. Error means: the apply fails, or deletes or loses something.
const (
	Unset Severity = iota // the rule's own
	Off
	Info
	Warning
	Error
)

// String returns the severity as reports and settings write it.
func (s Severity) String() string {
	switch s {
	case Off:
		return "off"
	case Info:
		return "info"
	case Warning:
		return "warning"
	case Error:
		return "error"
	}
	return "default"
}

// ParseSeverity reads error, warning, info or off.
func ParseSeverity(text string) (Severity, error) {
	var known []string
	for _, s := range []Severity{Error, Warning, Info, Off} {
		if text == s.String() {
			return s, nil
		}
		known = append(known, s.String())
	}
	return Unset, phrase.Unknown("severity", text, known)
}

// Needs is the set of inputs that a rule requires. If an input is missing for
// all objects, the rule is skipped and counted. Pass.Objects leaves out objects
// for which an input is missing.
type Needs uint16

// The inputs.
const (
	Live          Needs = 1 << iota // the object in the snapshot
	LastApplied                     // the last-applied manifest
	ManagedFields                   // which manager wrote which field
	Prune                           // a run with --prune
	ClientSide                      // a client-side apply
	ServerSide                      // a server-side apply
	Upgrade                         // a comparison with another minor of Kubernetes
	Kubectl                         // an apply by kubectl, and by no other applier
	OtherApplier                    // an apply by another applier: Helm, Argo CD, Flux
	Root                            // the directory of all manifests, in a run with --prune
	// Manifests are what every rule has.
	Manifests Needs = 0
)

// String names the inputs.
func (n Needs) String() string {
	var names []string
	for i, name := range []string{"live", "last-applied", "managedFields", "prune", "client-side apply", "server-side apply", "upgrade", "kubectl", "another applier", "root of all manifests"} {
		if n&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	if names == nil {
		return "manifests"
	}
	return strings.Join(names, ", ")
}

// Rule is one check. The zero values of the optional fields are the defaults.
//
// A run goes over the rules once. First each fault of a rejection is offered to Claim of
// all rules, also of those that are off. A rule that is on, and has what it Needs, gets
// the Pass in Run, side by side with the others: it may ask the Pass and change nothing.
// A rule without its Needs is skipped, which the result counts. Last the findings are
// suppressed, compared with the baseline and sorted.
type Rule struct {
	// ID is the name in reports, in kebab-case. Title has at most 60
	// characters.
	ID, Title string
	// Former are the IDs that the rule had in earlier versions, oldest first.
	// Suppressions, settings, flags and baselines that use one keep working.
	Former []string
	// Text says what is found, Why what it does to an apply, Fix what to do in
	// general; the fix of a finding is more precise.
	Text, Why, Fix string
	// Repair says what lint --fix does with the edits of the reports; empty if
	// there are none.
	Repair   string
	Links    []string
	Severity Severity
	OptIn    bool
	Needs    Needs
	// Decides reports whether the rule, with all that it Needs, could have found something in
	// an object that the apply changes: only then a rule that is skipped is a gap. nil: always.
	Decides func(*Object) bool
	// Effect is the part of the plan line in which the findings count, such as
	// impact.Opens; "" if they do not count. Suppressed findings count too,
	// because the line says what the apply does.
	Effect impact.Effect
	// Origin is the file and line of a rule that the project has written itself;
	// "" for the rules of threeway.
	Origin string
	// Run looks at the whole pass and reports; nil for a rule that only claims.
	Run func(*Pass)
	// Claim explains a fault of a rejected object, or returns nil. Each fault,
	// in the server's order, is offered to the rules in their order. The first
	// report is the finding for the whole rejection.
	Claim func(*Object, Fault) *Report
	// Fallback claims the rejections that no other rule claims.
	Fallback bool
}

// Named reports whether the rule has an ID, or had it in an earlier version.
func (r *Rule) Named(id string) bool { return r.ID == id || slices.Contains(r.Former, id) }

// Names returns the IDs of the rule, oldest first. The first one never changes.
func (r *Rule) Names() []string { return append(slices.Clone(r.Former), r.ID) }

// Examples of a rule are tests; its page shows Bad and Good.
type Examples struct {
	// Bad is reported, Good is the repaired form, NearMiss looks similar but is
	// harmless.
	Bad, Good, NearMiss Example
	// Repairable is an example that --fix repairs, if it does not repair Bad.
	Repairable Example
}

// Example is a small apply. The files are YAML.
type Example struct {
	// Applied is applied first. It becomes the live object, with defaults and
	// last-applied.
	Applied string
	// Live has live objects as exported, instead of Applied or in addition to
	// it.
	Live string
	// Manifest is the one that is linted.
	Manifest string
	// Elsewhere is a manifest in the repository that is not applied.
	Elsewhere string
	// Kustomization is the kustomization.yaml in the directory of the manifest.
	Kustomization string
	// Args are further flags, as typed: --server-side, --prune --all.
	Args string
}
