package policy

import (
	"slices"
	"strings"

	"threeway/merge/fault"
)

// Verdict is what the validating policies of a cluster say of a request.
type Verdict struct {
	// Denial is why the request is rejected, nil if it is not.
	Denial *Denial
	// Warnings are those of bindings that warn.
	Warnings []Warning
	// Undecided is what the verdict depends on and no file tells.
	Undecided []Undecided
}

// Warning is what a policy warns the client of.
type Warning struct {
	Policy, Binding string
	Message         fault.Text
}

// Text is the warning in the words of the server.
func (w Warning) Text() fault.Text {
	return fault.Join(fault.Words("Validation failed for ValidatingAdmissionPolicy '%s' with binding '%s': ", w.Policy, w.Binding), w.Message)
}

// Denial is the rejection of a request by a policy.
type Denial struct {
	Policy  string
	Reason  string // Invalid, Forbidden, RequestEntityTooLarge
	Message fault.Text
}

// Undecided is an expression that decides about a request and that needs what is
// not known.
type Undecided struct {
	Kind, Policy string
	Expression   string // "" if it is no expression that needs it
	Needs        []string
	Effect       Effect
}

// NeedsUser reports whether it needs to know who sends the request.
func (u Undecided) NeedsUser() bool {
	return slices.ContainsFunc(u.Needs, func(what string) bool { return what == Authorizer || strings.Contains(what, userInfo) })
}

// Effect is what a policy may do to a request.
type Effect string

// The effects.
const (
	Rejects Effect = "reject"
	Warns   Effect = "warn of"
	Changes Effect = "change"
)
