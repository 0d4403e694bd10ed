package validation

import (
	"fmt"
	"strings"

	celgo "github.com/google/cel-go/cel"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/cel"
	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// expressions compiles what a policy, or a webhook configuration, has in CEL.
//
// Source: validateCELCondition and the functions that call it in
// pkg/apis/admissionregistration/validation; CompileCELExpression of
// k8s.io/apiserver/pkg/admission/plugin/cel/compile.go.
type expressions struct {
	minor     int
	params    bool             // the policy has parameters
	variables *cel.Composition // nil: expressions have no variables
	// old are those of the object that an update replaces, by their place. They
	// may use what the server knows; others what the minor before it knows.
	old map[string]map[string]bool
}

// keep notes an old expression.
func (x *expressions) keep(place string, text any) {
	if x.old[place] == nil {
		x.old[place] = map[string]bool{}
	}
	x.old[place][tree.String(text)] = true
}

// Where expressions stand.
const (
	inCondition  = "matchConditions"
	inValidation = "validations"
	inMessage    = "messageExpression"
	inAnnotation = "auditAnnotations"
	inMutation   = "applyConfiguration"
)

// hookExpressions are the match conditions of webhooks.
func hookExpressions(r *Request) *expressions {
	x := &expressions{minor: r.Minor, old: map[string]map[string]bool{}}
	for _, hook := range tree.List(r.Old, "webhooks") {
		for _, c := range tree.List(hook, "matchConditions") {
			x.keep(inCondition, tree.String(c, "expression"))
		}
	}
	return x
}

// policyExpressions are those of a policy. A mutating one always knows the
// variable variables, a validating one only if it has some.
func policyExpressions(r *Request, mutating bool) *expressions {
	spec, old := tree.Map(r.Object, "spec"), tree.Map(r.Old, "spec")
	x := &expressions{minor: r.Minor, params: tree.Has(spec, "paramKind"), old: map[string]map[string]bool{}}
	if mutating || len(tree.List(spec, "variables")) > 0 {
		x.variables = cel.NewComposition()
	}
	for _, c := range tree.List(old, "matchConditions") {
		x.keep(inCondition, tree.String(c, "expression"))
	}
	for _, v := range tree.List(old, "validations") {
		x.keep(inValidation, tree.String(v, "expression"))
		x.keep(inMessage, tree.String(v, "messageExpression"))
	}
	for _, a := range tree.List(old, "auditAnnotations") {
		x.keep(inAnnotation, tree.String(a, "valueExpression"))
	}
	for _, m := range tree.List(old, "mutations") {
		x.keep(inMutation, tree.String(m, "applyConfiguration", "expression"))
	}
	return x
}

// env is the environment of an expression.
func (x *expressions) env(place, text string, has cel.Variables) (*cel.Env, error) {
	base := cel.New(x.minor)
	if x.old[place][text] {
		base = cel.Stored(x.minor)
	}
	has.Params = x.params
	if x.variables == nil || place == inCondition {
		return base.Admission(has), nil
	}
	return x.variables.In(base, has)
}

// check compiles an expression that must give one of the types. It is compiled
// without the spaces around it if trimmed.
func (x *expressions) check(place, text string, trimmed bool, has cel.Variables, p *field.Path, want ...*celgo.Type) field.ErrorList {
	source := text
	if trimmed {
		source = strings.TrimSpace(text)
	}
	shown := source
	known := source
	if place == inAnnotation || place == inMutation {
		known = text
	}
	if place == inAnnotation {
		shown = text
	}
	env, err := x.env(place, known, has)
	if err != nil {
		return field.ErrorList{field.InternalError(p, err)}
	}
	compiled, err := env.Compile(source)
	if err != nil {
		return field.ErrorList{field.Invalid(p, shown, "compilation failed: "+err.Error())}
	}
	for _, typ := range want {
		if compiled.Type().IsExactType(typ) {
			return nil
		}
	}
	words := "must evaluate to "
	if len(want) > 1 {
		words += "one of " + fmt.Sprint(want)
	} else {
		words += want[0].String()
	}
	return field.ErrorList{field.Invalid(p, shown, words+" but got "+compiled.Type().String())}
}

// condition checks a match condition.
func (x *expressions) condition(text string, p *field.Path) field.ErrorList {
	return x.check(inCondition, text, true, cel.Variables{Authorizer: true}, p, celgo.BoolType)
}

// validation checks what a policy validates by.
func (x *expressions) validation(text string, p *field.Path) field.ErrorList {
	return x.check(inValidation, text, false, cel.Variables{Authorizer: true}, p, celgo.BoolType)
}

// message checks the expression of a message, which has no authorizer.
func (x *expressions) message(text string, p *field.Path) field.ErrorList {
	return x.check(inMessage, text, false, cel.Variables{}, p, celgo.StringType)
}

// annotation checks the value of an audit annotation.
func (x *expressions) annotation(text string, p *field.Path) field.ErrorList {
	return x.check(inAnnotation, text, true, cel.Variables{Authorizer: true}, p, celgo.StringType, celgo.NullType)
}

// mutation checks a patch of the type.
func (x *expressions) mutation(text, patchType string, p *field.Path) field.ErrorList {
	want := celgo.ObjectType("Object")
	if patchType == "JSONPatch" {
		want = celgo.ListType(celgo.ObjectType("JSONPatch"))
	}
	return x.check(inMutation, text, true, cel.Variables{Authorizer: true, Patches: true}, p, want)
}

// variable checks a variable, of any type, and declares it to what comes after.
func (x *expressions) variable(name, text string, p *field.Path) field.ErrorList {
	env, err := x.env(inValidation, text, cel.Variables{Authorizer: true})
	if err != nil {
		return field.ErrorList{field.InternalError(p, err)}
	}
	compiled, err := env.Compile(text)
	x.variables.Declare(name, compiled)
	if err != nil {
		return field.ErrorList{field.Invalid(p, text, "compilation failed: "+err.Error())}
	}
	return nil
}

// deviceExpression checks the selector of a device.
//
// Source: validateCELSelector of pkg/apis/resource/validation.
func deviceExpression(r *Request, text string, p *field.Path) field.ErrorList {
	const mostCost = 1_000_000
	env := cel.New(r.Minor)
	if r.Old != nil {
		env = cel.Stored(r.Minor)
	}
	devices := env.Devices(minors.SharedDevices.In(r.Minor))
	compiled, err := devices.Compile(text)
	if err != nil {
		return field.ErrorList{field.Invalid(p, text, "compilation failed: "+err.Error())}
	}
	if typ := compiled.Type(); typ != celgo.BoolType && typ != celgo.AnyType {
		return field.ErrorList{field.Invalid(p, text, "must evaluate to bool or the unknown type, not "+typ.String())}
	}
	cost, err := compiled.MaxCost(devices.Sizes)
	if err != nil {
		return field.ErrorList{field.InternalError(p, fmt.Errorf("cost estimation failed: %w", err))}
	}
	if cost > mostCost {
		return field.ErrorList{field.Forbidden(p, "too complex, exceeds cost limit")}
	}
	return nil
}
