// Package lint runs rules over a rehearsed apply. A rule is a value; it looks
// at a read-only Pass and reports findings, each with its place in a file. The
// engine decides which rules run, claims every rejection for exactly one rule,
// applies suppressions and the baseline, and puts the findings in order.
//
// It reads no files, prints nothing and knows no output format: see
// lint/report and lint/config.
package lint

import (
	"fmt"
	"strings"

	"threeway/merge/impact"
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

// String is the severity as reports and config files write it.
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
	for _, s := range []Severity{Off, Info, Warning, Error} {
		if text == s.String() {
			return s, nil
		}
	}
	return Unset, fmt.Errorf("unknown severity %q: use error, warning, info or off", text)
}

// Needs is the set of inputs that a rule cannot do without. A rule is skipped,
// and counted, when a run lacks one for all objects; Pass.Objects leaves out
// the objects that lack one.
type Needs uint8

// The inputs.
const (
	Live          Needs = 1 << iota // the object in the snapshot
	LastApplied                     // what was applied before
	ManagedFields                   // who wrote which field
	Prune                           // a run with --prune
	ClientSide                      // a client-side apply
	ServerSide                      // a server-side apply
	// Config is what every rule has.
	Config Needs = 0
)

// String names the inputs.
func (n Needs) String() string {
	var names []string
	for i, name := range []string{"live", "last-applied", "managedFields", "prune", "client-side apply", "server-side apply"} {
		if n&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	if names == nil {
		return "config"
	}
	return strings.Join(names, ", ")
}

// Rule is one check. The zero values of the optional fields are the defaults.
type Rule struct {
	// ID is the name in reports, kebab-case; Title at most 60 characters.
	ID, Title string
	// Text says what is found, Why what it does to an apply, Fix the way out
	// in general; the fix of a finding is more precise.
	Text, Why, Fix string
	// Repair says what lint --fix does, empty if nothing; it is what the
	// edits of the reports do.
	Repair   string
	Links    []string
	Severity Severity
	OptIn    bool
	Needs    Needs
	// Effect is what its findings count as in the plan line of review and diff,
	// such as impact.Opens; "" if they do not count. Suppressed findings count too:
	// the line says what the apply does.
	Effect impact.Effect
	Since  string // version of threeway
	// Run looks at the whole pass and reports.
	Run func(*Pass)
	// Claim explains a fault of a rejected object, or returns nil. The faults
	// are offered in the server's order to the rules in theirs; the first
	// report stands for the whole rejection.
	Claim func(*Object, Fault) *Report
	// Fallback claims what no other rule does.
	Fallback bool
}

// Examples are what the page of a rule shows. All are tests.
type Examples struct {
	// Bad makes the rule fire, Good is the repaired form, NearMiss looks alike
	// but is harmless.
	Bad, Good, NearMiss Example
	// Repairable is one that --fix repairs, where it leaves Bad alone.
	Repairable Example
}

// Example is a small apply. The files are YAML.
type Example struct {
	// Applied is applied first; it becomes the live object, with its defaults
	// and last-applied.
	Applied string
	// Live are live objects as they are, instead of or beside Applied.
	Live string
	// Config is what is linted.
	Config string
	// Elsewhere is a manifest of the set that is not among those applied.
	Elsewhere string
	// Kustomization is the kustomization.yaml beside the config.
	Kustomization string
	// Args are flags that matter, as typed: --server-side, --prune --all.
	Args string
}
