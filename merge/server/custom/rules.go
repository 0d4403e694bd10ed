package custom

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// Rule is a validation rule in CEL (x-kubernetes-validations) on a value of
// an object.
type Rule struct {
	// Path is where the value is; nil is the whole object.
	Path *field.Path
	// Schema is the value's schema, and Body the rule in it: rule, message,
	// messageExpression, reason, fieldPath, optionalOldSelf.
	Schema, Body tree.Object
	// Self is the value and Old the one an update replaces, nil if none
	// corresponds to it.
	Self, Old any
	// Unchanged says that the value is what it was: the server then takes no
	// offence if a rule fails that does not use oldSelf.
	Unchanged bool
}

// Text is the expression.
func (r Rule) Text() string { return strings.TrimSpace(tree.String(r.Body, "rule")) }

// String is the rule with the path of its value before it.
func (r Rule) String() string {
	if r.Path == nil {
		return r.Text()
	}
	return r.Path.String() + ": " + r.Text()
}

// Message is what the server says if the rule fails, "" if that is computed.
func (r Rule) Message() string {
	message := strings.TrimSpace(tree.String(r.Body, "message"))
	switch {
	case tree.String(r.Body, "messageExpression") != "":
		return ""
	case message == "":
		return "failed rule: " + r.Text()
	}
	return message
}

// UsesOldSelf reports whether the expression names oldSelf, which makes it a
// rule about changes.
func (r Rule) UsesOldSelf() bool {
	text := r.Text()
	for {
		i := strings.Index(text, "oldSelf")
		if i < 0 {
			return false
		}
		end := i + len("oldSelf")
		if (i == 0 || !isWord(text[i-1]) && text[i-1] != '.') && (end == len(text) || !isWord(text[end])) {
			return true
		}
		text = text[end:]
	}
}

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// ruleWalk collects the rules that the server evaluates, in its order
// (pkg/apiserver/schema/cel/validation.go).
type ruleWalk struct{ rules []Rule }

// place is a value in such a walk.
type place struct {
	path *field.Path
	// rules is the schema that has the rules. It differs from node, the
	// value's own, inside allOf.
	rules, node schema
	self, old   any
	// change is the value beside the one it corresponds to; where there is
	// none, within, what holds it, tells whether it is unchanged.
	change, within *change
}

func (p place) isUnchanged() bool {
	if p.change != nil {
		return p.change.unchanged()
	}
	return p.within.unchanged()
}

func (w *ruleWalk) visit(p place) {
	if p.self == nil || p.rules == nil || p.node == nil {
		return
	}
	bodies, _ := p.rules["x-kubernetes-validations"].([]any)
	for _, body := range bodies {
		rule := Rule{Path: p.path, Schema: tree.Object(p.node), Self: p.self, Old: p.old}
		rule.Body, _ = body.(map[string]any)
		if rule.Text() == "" || rule.UsesOldSelf() && p.old == nil && !tree.Bool(body, "optionalOldSelf") {
			continue
		}
		rule.Unchanged = p.isUnchanged()
		w.rules = append(w.rules, rule)
	}
	for _, sub := range p.rules.list("allOf") {
		in := p
		in.rules, in.change = sub, nil
		w.visit(in)
	}
	switch self := p.self.(type) {
	case map[string]any:
		w.fields(p, self)
	case []any:
		before, _ := p.old.([]any)
		olds := itemsByKeys(p.node, before)
		for i, item := range self {
			in := p.below(p.change.index(i))
			in.path, in.self = p.path.Index(i), item
			in.old = olds.same(item)
			in.rules, in.node = p.rules.items(), p.node.items()
			w.visit(in)
		}
	}
}

func (w *ruleWalk) fields(p place, self tree.Object) {
	before, _ := p.old.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(self)) {
		in := p.below(p.change.key(name))
		if p.within == nil && (name == "apiVersion" || name == "kind") {
			in.change, in.within = nil, nil
		}
		rules, how := p.rules.field(name)
		node, known := p.node.field(name)
		if how == known {
			in.rules, in.node = rules, node
			in.path, in.self, in.old = step(p.path, name, how), self[name], before[name]
			w.visit(in)
		}
	}
}

// below is the place of a value inside, to which c corresponds.
func (p place) below(c *change) place {
	if p.change == nil {
		return place{within: p.within}
	}
	return place{change: c, within: p.change}
}
