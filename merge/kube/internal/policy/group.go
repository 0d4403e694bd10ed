package policy

import (
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"

	"k8s.io/apiserver/pkg/cel/lazy"

	"threeway/merge/fault"
	"threeway/merge/kube/internal/cel"
	"threeway/merge/tree"
)

// group runs expressions of one policy over one request. They share a budget, and
// each variable is evaluated once.
//
// Source: ForInput and Evaluate of admission/plugin/cel/{condition,activation}.go.
type group struct {
	vars   interpreter.PartialActivation
	budget *cel.Budget
	hidden bool // errors and messages may have values of a Secret among the params
	called map[string]string
}

// input are the variables that all groups of a request have.
type input struct {
	compiled  *compiled
	request   tree.Object
	object    tree.Object
	old       tree.Object
	namespace tree.Object // nil: null
	params    param
	unknown   map[string]string // variables that are not known, and what they are

	authorizer, requestResource ref.Val
	hidden                      bool
	rehearsed                   func(name string) any // nil: those variables are not declared
}

// unauthorized is the input without the authorizer, which a server does not give to messages
// and annotations (policy/validating/validator.go Validate).
func (in *input) unauthorized() *input {
	alone := *in
	alone.authorizer, alone.requestResource = nil, nil
	return &alone
}

// activation resolves the variables of expressions.
type activation struct {
	*input
	variables ref.Val
}

// ResolveName finds a variable.
func (a *activation) ResolveName(name string) (any, bool) {
	null := func(obj tree.Object) (any, bool) {
		if obj == nil {
			return nil, true
		}
		return obj, true
	}
	switch name {
	case "object":
		return null(a.object)
	case "oldObject":
		return null(a.old)
	case "params":
		return null(a.params.object)
	case "request":
		return a.request, true
	case "namespaceObject":
		return null(a.namespace)
	case "authorizer":
		return a.authorizer, a.authorizer != nil
	case "authorizer.requestResource":
		return a.requestResource, a.requestResource != nil
	case "variables":
		return a.variables, true
	}
	if a.rehearsed != nil {
		return a.rehearsed(name), true
	}
	return nil, false
}

// Parent is none.
func (a *activation) Parent() interpreter.Activation { return nil }

// group makes a group with a budget of its own.
func (in *input) group(budget int64) (*group, error) {
	g := &group{budget: cel.NewBudget(budget), hidden: in.hidden, called: in.unknown}
	values := lazy.NewMapValue(in.compiled.typ)
	vars, err := cel.Unknown(&activation{in, values}, slices.Sorted(maps.Keys(in.unknown))...)
	if err != nil {
		return nil, err
	}
	g.vars = vars
	for _, v := range in.compiled.variables {
		values.Append(v.name, func(*lazy.MapValue) ref.Val { return g.variable(v) })
	}
	return g, nil
}

// variable is the value of a variable.
//
// Source: variableAccessor.Callback of admission/plugin/cel/composition.go.
func (g *group) variable(v variable) ref.Val {
	if v.problem != "" {
		return types.NewErr("composited variable %q fails to compile: %v", v.name, v.problem)
	}
	result := v.program.Eval(g.vars)
	g.budget.Spend(result.Cost)
	if result.Err != nil {
		return types.NewErr("composited variable %q fails to evaluate: %v", v.name, result.Err)
	}
	return result.Value
}

// outcome is what one expression gives: a value, an error, or what it needs
// that is unknown.
type outcome struct {
	value ref.Val
	err   fault.Text
	needs []string
}

func (o outcome) failed() bool  { return !o.err.Empty() }
func (o outcome) unknown() bool { return len(o.needs) > 0 }

const outOfBudget = "validation failed due to running out of cost budget, no further validation rules will be run"

// eval runs an expression; ok is false if the budget does not suffice, after which
// the group is of no use.
func (g *group) eval(x *expression) (result outcome, ok bool) {
	if x.problem != "" {
		return outcome{err: fault.Words("compilation error: %s", x.problem)}, true
	}
	r := x.program.Eval(g.vars)
	if !g.budget.Spend(r.Cost) {
		return outcome{err: fault.Words("%s", outOfBudget)}, false
	}
	switch {
	case r.Err != nil:
		return outcome{err: fault.Join(fault.Words("expression '%s' resulted in error: ", x.text), g.quoted(r.Err.Error()))}, true
	case len(r.Unknown) > 0:
		return outcome{needs: g.needs(r.Unknown)}, true
	}
	return outcome{value: r.Value}, true
}

// quoted is a text that an expression has made, which may have values in it.
func (g *group) quoted(text string) fault.Text {
	if g.hidden {
		return fault.Words("%s", fault.Masked)
	}
	return fault.Quote(func() string { return text }, fault.Masked)
}

// needs names the variables that are not known, each once; those of the input as
// a whole, by what they are called.
func (g *group) needs(trails []string) []string {
	var names []string
	for _, trail := range trails {
		name := trail
		for whole, called := range g.called {
			if trail == whole || strings.HasPrefix(trail, whole+".") || strings.HasPrefix(trail, whole+"[") {
				name = called
			}
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// notYetKnown is a value that the server sets and that no file tells.
func notYetKnown(path string) ref.Val {
	return types.NewUnknown(0, types.NewAttributeTrail(path))
}
