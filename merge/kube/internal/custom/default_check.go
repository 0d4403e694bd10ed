package custom

import (
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"

	"threeway/merge/kube/internal/cel"
	"threeway/merge/tree"
)

// CheckDefaults holds the defaults in a structural schema against it; p is the
// path of the schema. Like the server, it brings the metadata of resources
// within the defaults into the form of its Go type, in place.
//
// Source: ValidateDefaults of pkg/apiserver/schema/defaulting/validation.go.
func (c Checks) CheckDefaults(root tree.Object, p *field.Path) field.ErrorList {
	s := maps.Clone(schema(root))
	s["x-kubernetes-embedded-resource"] = true
	w := defaultWalk{checks: c, budget: *cel.NewBudget(celconfig.RuntimeCELCostBudget)}
	w.visit(s, surroundings{root: s}, false, p)
	return w.errs
}

// defaultWalk visits every schema that can have a default.
type defaultWalk struct {
	checks   Checks
	budget   cel.Budget // for the rules of all defaults
	patterns checker    // of all defaults
	errs     field.ErrorList
}

// surroundings are what a default in the metadata of a resource is put into to
// be checked: the schema of the resource, and the way from there. The name of a
// field is a string, an item of a list true.
type surroundings struct {
	root schema
	way  []any
}

func (at surroundings) within(step any) surroundings {
	at.way = append(slices.Clip(at.way), step)
	return at
}

// around is an object with the value in its place (surroundingobject.go).
func (at surroundings) around(value any) tree.Object {
	for _, step := range slices.Backward(at.way) {
		if name, ok := step.(string); ok {
			value = tree.Object{name: value}
		} else {
			value = []any{value}
		}
	}
	obj, _ := value.(tree.Object)
	for key, text := range map[string]any{"apiVersion": "validation/v1", "kind": "Validation"} {
		if _, ok := obj[key]; !ok {
			obj[key] = text
		}
	}
	return obj
}

// visit checks the default of s and those below it. insideMeta says that s
// describes the apiVersion, kind or metadata of a resource, or a part of it.
func (w *defaultWalk) visit(s schema, at surroundings, insideMeta bool, p *field.Path) {
	if s == nil || w.budget.Exhausted() {
		return
	}
	isRoot := at.way == nil
	if s.isResource() {
		isRoot, insideMeta, at = true, false, surroundings{root: s}
	}
	if s["default"] != nil && insideMeta {
		w.insideMeta(s, at, isRoot, p.Child("default"))
	} else if s["default"] != nil {
		w.outsideMeta(s, isRoot, p.Child("default"))
	}
	w.visit(s.items(), at.within(true), insideMeta, p.Child("items"))
	properties, _ := s["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		sub, _ := s.property(name)
		w.visit(sub, at.within(name), insideMeta || s.isResource() && isMetaField(name), p.Child("properties").Key(name))
	}
}

func (w *defaultWalk) insideMeta(s schema, at surroundings, isRoot bool, p *field.Path) {
	obj := at.around(tree.Copy(s["default"]))
	var cause error
	if err := new(coercion).value(nil, obj, at.root); err != nil {
		cause = err
	} else {
		cause = w.checks.embedded(nil, obj, at.root).ToAggregate()
	}
	if cause != nil {
		w.errs = append(w.errs, field.Invalid(p, s["default"], fmt.Sprintf("must result in valid metadata: %v", cause)))
		return
	}
	w.value(s, isRoot, p)
}

func (w *defaultWalk) outsideMeta(s schema, isRoot bool, p *field.Path) {
	value := tree.Copy(s["default"]) // it may be shared with the manifest
	s["default"] = value
	var pruned pruner
	if pruned.value(tree.Copy(value), s); len(pruned.found) > 0 {
		w.errs = append(w.errs, field.Invalid(p, value, "must not have unknown fields"))
	}
	if err := new(coercion).value(p, value, s); err != nil {
		w.errs = append(w.errs, err)
	} else if errs := w.checks.embedded(p, value, s); len(errs) > 0 {
		w.errs = append(w.errs, errs...)
	} else {
		w.value(s, isRoot, p)
	}
}

// value holds a default against its schema, as the server knows it by then: no
// default within has completed it, and a value that is an integer or a string
// may be anything. Rules come last: as if nothing had changed, and as if there
// had been nothing.
func (w *defaultWalk) value(s schema, isRoot bool, p *field.Path) {
	problems := w.patterns.check(s["default"], unprocessed(s), "", nil).problems
	if w.patterns.undecided > 0 {
		problems = append(problems, problem{value: s["default"], text: Unmatched + " is unknown"})
	}
	if len(problems) > 0 {
		for _, problem := range problems {
			w.errs = append(w.errs, problem.fieldError(p, w.checks.Minor))
		}
		return
	}
	rules := NewRules(tree.Object(s), isRoot, w.checks.Minor)
	if rules == nil {
		return
	}
	left := w.budget
	for _, old := range []any{s["default"], nil} {
		budget := w.budget
		errs, _ := rules.Evaluate(p, s["default"], old, false, &budget)
		w.errs = append(w.errs, errs...)
		if budget.Left() < left.Left() {
			left = budget
		}
		if len(errs) > 0 {
			break
		}
	}
	w.budget = left
}

// unprocessed copies a schema without what the server takes from it, or adds,
// before it validates custom resources, but not before it validates defaults.
func unprocessed(s schema) schema {
	c := maps.Clone(s)
	delete(c, "x-kubernetes-int-or-string")
	c[anyFormat] = true
	for _, key := range []string{"items", "not", "additionalProperties"} {
		if sub, ok := s[key].(map[string]any); ok {
			c[key] = map[string]any(unprocessed(sub))
		}
	}
	if properties, ok := s["properties"].(map[string]any); ok {
		copies := make(map[string]any, len(properties))
		for name, sub := range properties {
			copies[name] = map[string]any(unprocessed(asSchema(sub)))
		}
		c["properties"] = copies
	}
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		var copies []any
		for _, sub := range s.list(key) {
			copies = append(copies, map[string]any(unprocessed(sub)))
		}
		c[key] = copies
	}
	return c
}
