package custom

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
	apiservercel "k8s.io/apiserver/pkg/cel"

	"threeway/merge/kube/internal/cel"
	"threeway/merge/kube/internal/cel/value"
	"threeway/merge/kube/internal/custom/validations"
	"threeway/merge/tree"
)

// ruled is a node of a schema that has rules in CEL itself or below it.
type ruled struct {
	schema     schema
	rules      *validations.Node // nil: none of its own
	allOf      []*ruled
	items      *ruled
	additional *ruled
	properties map[string]*ruled
}

// Rules are the rules in CEL of a schema and of all below it. It is safe for
// concurrent use; expressions are compiled when a value is first held against
// them.
type Rules struct{ root *ruled }

// NewRules reads the rules of a schema, as a server of 1.minor evaluates them;
// nil if there are none. isResource says that it is the schema of an object with
// apiVersion, kind and metadata.
func NewRules(node tree.Object, isResource bool, minor int) *Rules {
	if minor == 0 || !schema(node).hasRules() {
		return nil
	}
	shape := value.NewSchema(node, minor)
	root := newRuled(node, spine{node, shape, value.Type(shape, isResource), isResource}, minor)
	if root == nil {
		return nil
	}
	return &Rules{root}
}

// Evaluate holds a value at the path against the rules, in the server's order
// and on the budget. old is the value that it replaces, nil if there is none. In
// an update, what fails but is unchanged is a warning. What is left of the budget
// is below zero if rules were left out.
func (r *Rules) Evaluate(path *field.Path, x, old any, update bool, budget *cel.Budget) (errs, warnings field.ErrorList) {
	at := place{path: path, self: x, old: old}
	if update {
		at.change = &change{new: x, old: old, schema: r.root.schema}
	}
	w := ruleWalk{budget: budget}
	w.visit(r.root, at)
	return w.errs, w.warnings
}

// spine is the node that says what a value looks like. Rules within allOf are
// about values whose shape another node describes.
type spine struct {
	schema     schema
	shape      *value.Schema
	typ        *apiservercel.DeclType // nil: expressions do not see it
	isResource bool
}

// newRuled goes through the rules in s and the shape of their values side by
// side. It is nil if there are no rules.
//
// Source: validator of pkg/apiserver/schema/cel/validation.go.
func newRuled(s schema, at spine, minor int) *ruled {
	r := &ruled{schema: at.schema}
	if rules := validations.Rules(tree.Object(s)); len(rules) > 0 {
		shape := at.shape
		if at.isResource {
			shape = shape.Resource()
		}
		r.rules = validations.NewNode(rules, tree.Object(at.schema), shape, at.typ, minor)
	}
	var element *apiservercel.DeclType
	if at.typ != nil {
		element = at.typ.ElemType
	}
	if items := s.items(); items != nil && at.shape.Items != nil {
		r.items = newRuled(items, spine{at.schema.items(), at.shape.Items, element, at.shape.Items.Embedded}, minor)
	}
	r.properties = ruledProperties(s, at, minor)
	if sub, _ := s.additional(); sub != nil && at.shape.Additional != nil {
		of, _ := at.schema.additional()
		r.additional = newRuled(sub, spine{of, at.shape.Additional, element, at.shape.Additional.Embedded}, minor)
	}
	for _, sub := range s.list("allOf") {
		if sub := newRuled(sub, at, minor); sub != nil {
			r.allOf = append(r.allOf, sub)
		}
	}
	if r.rules == nil && r.items == nil && r.properties == nil && r.additional == nil && r.allOf == nil {
		return nil
	}
	return r
}

// ruledProperties leaves out what expressions cannot see.
func ruledProperties(s schema, at spine, minor int) map[string]*ruled {
	var all map[string]*ruled
	properties, _ := s["properties"].(map[string]any)
	for name, sub := range properties {
		shape := at.shape.Properties[name]
		if shape == nil {
			continue
		}
		var typ *apiservercel.DeclType
		if escaped, ok := apiservercel.Escape(name); !ok {
			typ = value.Type(shape, shape.Embedded)
		} else if at.typ != nil && at.typ.Fields[escaped] != nil {
			typ = at.typ.Fields[escaped].Type
		}
		if typ == nil {
			continue
		}
		of, _ := at.schema.property(name)
		if r := newRuled(asSchema(sub), spine{of, shape, typ, shape.Embedded}, minor); r != nil {
			if all == nil {
				all = map[string]*ruled{}
			}
			all[name] = r
		}
	}
	return all
}

// place is a value that is held against rules.
type place struct {
	path      *field.Path
	self, old any
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

// below is the place of a value inside, to which c corresponds.
func (p place) below(path *field.Path, self, old any, c *change) place {
	in := place{path: path, self: self, old: old, within: p.within}
	if p.change != nil {
		in.change, in.within = c, p.change
	}
	return in
}

// ruleWalk evaluates rules on one budget, in the server's order.
type ruleWalk struct {
	budget   *cel.Budget
	errs     field.ErrorList
	warnings field.ErrorList // of unchanged values that fail
}

func (w *ruleWalk) visit(r *ruled, p place) {
	if r == nil || p.self == nil || w.budget.Exhausted() {
		return
	}
	if r.rules != nil {
		for _, failure := range r.rules.Evaluate(p.path, p.self, p.old, w.budget) {
			if failure.Forgiven && p.isUnchanged() {
				w.warnings = append(w.warnings, failure.Error)
			} else {
				w.errs = append(w.errs, failure.Error)
			}
		}
	}
	for _, sub := range r.allOf {
		in := p
		in.change = nil
		w.visit(sub, in)
	}
	switch self := p.self.(type) {
	case map[string]any:
		w.fields(r, p, self)
	case []any:
		w.items(r, p, self)
	}
}

func (w *ruleWalk) items(r *ruled, p place, self []any) {
	if r.items == nil {
		return
	}
	before, _ := p.old.([]any)
	olds := itemsByKeys(r.schema, before)
	for i, item := range self {
		w.visit(r.items, p.below(p.path.Index(i), item, olds.same(item), p.change.index(i)))
	}
}

func (w *ruleWalk) fields(r *ruled, p place, self map[string]any) {
	before, _ := p.old.(map[string]any)
	names := tree.Keys(self)
	in := func(path *field.Path, name string) place {
		sub := p.below(path, self[name], before[name], p.change.key(name))
		if p.within == nil && (name == "apiVersion" || name == "kind") {
			sub.change, sub.within = nil, nil
		}
		return sub
	}
	if r.additional != nil {
		for _, name := range names {
			w.visit(r.additional, in(p.path.Key(name), name))
		}
	}
	for _, name := range names {
		if sub := r.properties[name]; sub != nil {
			w.visit(sub, in(p.path.Child(name), name))
		}
	}
}
