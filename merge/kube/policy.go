package kube

import (
	"threeway/merge/kube/internal/cel"
	"threeway/merge/kube/internal/cel/library"
	"threeway/merge/kube/internal/policy"
	"threeway/merge/tree"
)

// An admission Policy, and what policies and webhooks do with an object.
type (
	Policy        = policy.Policy
	Mutation      = policy.Change
	Undecided     = policy.Undecided
	PolicyWarning = policy.Warning
	Webhook       = policy.Webhook
)

// ParamKind returns the kind of a policy's parameters as KIND.GROUP, "" if it has none.
func ParamKind(policyObject tree.Object) string { return policy.ParamKind(policyObject) }

// Impersonate returns the user that a request impersonates, as authenticators complete it.
func Impersonate(name, uid string, groups []string) *policy.User {
	return policy.Impersonate(name, uid, groups)
}

// Expressions in CEL, as admission evaluates them.
type (
	Env          = cel.Env
	Program      = cel.Program
	Budget       = cel.Budget
	Evaluated    = cel.Result
	CompileError = cel.CompileError
	Cost         = library.CostEstimator
)

// NewBudget returns a budget of that many units of cost.
func NewBudget(limit int64) *Budget { return cel.NewBudget(limit) }

// Stored returns the environment of stored expressions of a server of a minor.
func Stored(minor int) *Env { return cel.Stored(minor) }
