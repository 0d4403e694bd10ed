package policy

import (
	"strings"

	celgo "github.com/google/cel-go/cel"

	apiservercel "k8s.io/apiserver/pkg/cel"

	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/kube/internal/cel"
	"threeway/merge/tree"
)

// compiled are the expressions of a policy, ready to run.
type compiled struct {
	variables   []variable
	typ         *apiservercel.DeclType // of the variable variables
	conditions  []*expression
	validations []validation
	annotations []*expression
	mutations   []mutation
}

// expression is one that runs, or why it does not compile.
type expression struct {
	text    string
	program *cel.Program
	problem string
}

type variable struct {
	name string
	*expression
}

type validation struct {
	*expression
	message *expression // nil: none
	words   string      // the message that is no expression
	reason  string
}

type mutation struct {
	*expression
	json bool // JSONPatch, else ApplyConfiguration
}

// compile compiles all of a policy in the environment of the server, which has
// accepted it before.
//
// Source: compilePolicy of policy/validating/plugin.go and
// policy/mutating/compilation.go.
func compile(p *Policy, minor int) *compiled {
	composition := cel.NewComposition()
	c := &compiled{typ: composition.Type}
	base := cel.Stored(minor)
	in := func(text string, has cel.Variables, want ...*celgo.Type) *expression {
		has.Params, has.Rehearsed = p.params != nil, p.all != nil && p.all.rehearsed
		env, err := composition.In(base, has)
		if err != nil {
			return &expression{text: text, problem: err.Error()}
		}
		return compileIn(env, text, want)
	}
	all := cel.Variables{Authorizer: true}
	for _, v := range tree.List(p.spec, "variables") {
		name := tree.String(v, "name")
		x := in(tree.String(v, "expression"), all)
		var known *cel.Expression
		if x.program != nil {
			known = x.program.Expression
		}
		composition.Declare(name, known)
		c.variables = append(c.variables, variable{name, x})
	}
	for _, m := range tree.List(p.spec, "matchConditions") {
		c.conditions = append(c.conditions, in(tree.String(m, "expression"), all, celgo.BoolType))
	}
	for _, v := range tree.List(p.spec, "validations") {
		one := validation{expression: in(tree.String(v, "expression"), all, celgo.BoolType), words: strings.TrimSpace(tree.String(v, "message")), reason: tree.String(v, "reason")}
		if text := tree.String(v, "messageExpression"); text != "" {
			one.message = in(text, cel.Variables{}, celgo.StringType)
		}
		c.validations = append(c.validations, one)
	}
	for _, a := range tree.List(p.spec, "auditAnnotations") {
		c.annotations = append(c.annotations, in(tree.String(a, "valueExpression"), all, celgo.StringType, celgo.NullType))
	}
	for _, m := range tree.List(p.spec, "mutations") {
		patches := cel.Variables{Authorizer: true, Patches: true}
		if tree.String(m, "patchType") == "JSONPatch" {
			c.mutations = append(c.mutations, mutation{in(tree.String(m, "jsonPatch", "expression"), patches, celgo.ListType(celgo.ObjectType("JSONPatch"))), true})
			continue
		}
		c.mutations = append(c.mutations, mutation{in(tree.String(m, "applyConfiguration", "expression"), patches, celgo.ObjectType("Object")), false})
	}
	return c
}

// compileIn follows CompileCELExpression of admission/plugin/cel/compile.go. An
// expression whose result may be anything has no wanted types.
func compileIn(env *cel.Env, text string, want []*celgo.Type) *expression {
	x := &expression{text: text}
	compiled, err := env.Compile(text)
	if err != nil {
		x.problem = "compilation failed: " + err.Error()
		return x
	}
	if text := cel.Unexpected(compiled.Type(), want); text != "" {
		x.problem = text
		return x
	}
	if x.program, err = compiled.Program(cel.Partial); err != nil {
		x.problem = "program instantiation failed: " + err.Error()
	}
	return x
}

// Problems are the expressions that do not compile.
func (p *Policies) Problems() (faults []fault.Fault) {
	at := func(list, name string, i int, x *expression) {
		if x != nil && x.problem != "" {
			first, _, _ := strings.Cut(x.problem, "\n")
			path := fieldpath.New("spec", list).Item(i).Join(fieldpath.New(name))
			faults = append(faults, fault.Fault{Code: fault.Invalid, Path: path, Text: fault.Words("%s: %s", path, first)})
		}
	}
	for _, of := range p.list {
		c := of.compile()
		for i, v := range c.variables {
			at("variables", "expression", i, v.expression)
		}
		for i, x := range c.conditions {
			at("matchConditions", "expression", i, x)
		}
		for i, v := range c.validations {
			at("validations", "expression", i, v.expression)
			at("validations", "messageExpression", i, v.message)
		}
		for i, x := range c.annotations {
			at("auditAnnotations", "valueExpression", i, x)
		}
	}
	return faults
}
