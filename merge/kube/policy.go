package kube

import (
	"threeway/merge/fault"
	"threeway/merge/kube/internal/policy"
	"threeway/merge/kube/internal/server"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// An admission Policy, and what policies and webhooks do with an object.
type (
	Policy        = policy.Policy
	Mutation      = policy.Change
	Undecided     = policy.Undecided
	Effect        = policy.Effect
	PolicyWarning = policy.Warning
	Webhook       = policy.Webhook
)

// ParamKind returns the kind of a policy's parameters as KIND.GROUP, "" if it has none.
func ParamKind(policyObject tree.Object) string { return policy.ParamKind(policyObject) }

// Impersonate returns the user that a request impersonates, as authenticators complete it.
func Impersonate(name, uid string, groups []string) *policy.User {
	return policy.Impersonate(name, uid, groups)
}

// A Rulebook answers what policies from files say of a request.
type Rulebook = server.Rulebook

// CheckPolicy returns what is wrong with a ValidatingAdmissionPolicy or a binding from a file.
func CheckPolicy(k schema.Kind, obj tree.Object, minor int) []fault.Fault {
	return server.CheckPolicy(k, obj, minor)
}
