// Package validations compiles and evaluates the rules that a schema of a
// CustomResourceDefinition has for its values (x-kubernetes-validations). It
// knows one node of a schema at a time, and values of it; merge/kube/internal/custom
// walks objects, merge/kube/internal/validation definitions.
//
// Source: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel.
package validations

import (
	"strings"

	"threeway/merge/tree"
)

// Key is the key of the rules of a schema.
const Key = "x-kubernetes-validations"

// The variables of rules: the value, and the one that an update replaces.
const (
	self    = "self"
	oldSelf = "oldSelf"
)

// Rule is one of the rules of a node.
type Rule struct {
	Rule, Message, MessageExpression string
	Reason, FieldPath                string
	// OptionalOldSelf says that oldSelf is an optional, so that the rule is
	// evaluated without an old value too. HasOptionalOldSelf says that the rule
	// says yes or no.
	OptionalOldSelf, HasOptionalOldSelf bool
}

// Rules are the rules of a node, in their order.
func Rules(node tree.Object) []Rule {
	bodies := tree.List(node, Key)
	rules := make([]Rule, len(bodies))
	for i, body := range bodies {
		_, has := tree.Get(body, "optionalOldSelf")
		rules[i] = Rule{
			Rule:               tree.String(body, "rule"),
			Message:            tree.String(body, "message"),
			MessageExpression:  tree.String(body, "messageExpression"),
			Reason:             tree.String(body, "reason"),
			FieldPath:          tree.String(body, "fieldPath"),
			OptionalOldSelf:    tree.Bool(body, "optionalOldSelf"),
			HasOptionalOldSelf: has,
		}
	}
	return rules
}

// name is how errors name the rule: by its message, else by its expression.
func (r Rule) name() string {
	if r.Message != "" {
		return strings.TrimSpace(r.Message)
	}
	return strings.TrimSpace(r.Rule)
}

// failed is what is said if the rule is false.
func (r Rule) failed() string {
	if r.Message == "" {
		return "failed rule: " + r.name()
	}
	return r.name()
}
