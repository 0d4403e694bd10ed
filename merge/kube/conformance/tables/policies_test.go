package tables

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	celgo "github.com/google/cel-go/cel"

	"threeway/merge/kube/internal/cel"
	"threeway/merge/kube/internal/policy"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// expressions are the tables of what admission policies, match conditions and
// mutations have in CEL.
var expressions = Harvest{
	Package:   "k8s.io/apiserver/pkg/admission/plugin/cel",
	Functions: []string{"evaluationActivation.Evaluate", "compiler.CompileCELExpression"},
	Imports: `threewayenv "k8s.io/apiserver/pkg/cel/environment"
	threewayref "github.com/google/cel-go/common/types/ref"`,
	Encode: `case *evaluationActivation:
		return map[string]interface{}{"object": v.object, "oldObject": v.oldObject, "params": v.params, "request": v.request, "namespace": v.namespace, "authorizer": v.authorizer != nil}
	case CompilationResult:
		return threewayCompiled(v)
	case *compositionContext:
		all := map[string]string{}
		for name, result := range v.state.compiledVariables {
			all[name] = result.ExpressionAccessor.GetExpression()
		}
		return all
	case EvaluationResult:
		if v.Error != nil {
			return map[string]interface{}{"error": v.Error.Error()}
		}
		return map[string]interface{}{"value": threewayValue(v.EvalResult)}
	case OptionalVariableDeclarations:
		return v
	case threewayenv.Type:
		return string(v)
	case ExpressionAccessor:
		return threewayAccessor(v)`,
	Helpers: `func threewayAccessor(v ExpressionAccessor) map[string]interface{} {
	types := []string{}
	for _, t := range v.ReturnTypes() {
		types = append(types, t.String())
	}
	return map[string]interface{}{"expression": v.GetExpression(), "types": types}
}

func threewayCompiled(v CompilationResult) map[string]interface{} {
	data := map[string]interface{}{}
	if v.ExpressionAccessor != nil {
		data = threewayAccessor(v.ExpressionAccessor)
	}
	if v.Error != nil {
		data["error"] = v.Error.Detail
	}
	if v.OutputType != nil {
		data["type"] = v.OutputType.String()
	}
	return data
}

func threewayValue(v threewayref.Val) interface{} {
	switch x := v.Value().(type) {
	case bool, string:
		return x
	}
	return nil
}`,
	Callers: []string{
		"k8s.io/apiserver/pkg/admission/plugin/policy/validating", "k8s.io/apiserver/pkg/admission/plugin/policy/mutating",
		"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch", "k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions",
	},
}

// accessor is an expression as upstream's compiler gets it.
type accessor struct {
	Expression, Type, Error string
	Types                   []string
}

// resultTypes are those that expressions of admission are to give.
var resultTypes = map[string]*celgo.Type{
	"bool": celgo.BoolType, "string": celgo.StringType, "null_type": celgo.NullType,
	"Object": celgo.ObjectType("Object"), "list(JSONPatch)": celgo.ListType(celgo.ObjectType("JSONPatch")),
}

// excluded counts cases that are not compared, by the reason.
type excluded map[string]int

func (e excluded) String() string {
	var reasons []string
	for why, n := range e {
		reasons = append(reasons, fmt.Sprintf("%d not compared: %s", n, why))
	}
	slices.Sort(reasons)
	return strings.Join(reasons, "; ")
}

func decoded[T any](t *testing.T, text json.RawMessage) (v T) {
	t.Helper()
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return v
}

// TestPolicyExpressions gives the expressions in upstream's tests of admission to our
// compiler and, as policies of one validation, to our evaluator.
func TestPolicyExpressions(t *testing.T) {
	var compiled, evaluated figures
	not, notCompiled := excluded{}, excluded{}
	for _, c := range expressions.Calls(t) {
		if c.Func == "CompileCELExpression" {
			compiled.compile(t, c, notCompiled)
		} else {
			evaluated.evaluate(t, c, not)
		}
	}
	t.Logf("compiled: %v; %v", compiled, notCompiled)
	t.Logf("evaluated: %v; %v", evaluated, not)
}

// compile compares the type of an expression, or why it does not compile.
func (f *figures) compile(t *testing.T, c Call, not excluded) {
	x, want := decoded[accessor](t, c.Args[0]), decoded[accessor](t, c.Results[0])
	if strings.Contains(x.Expression, "variables.") {
		not["variables, which the evaluation compares"]++
		return
	}
	has := decoded[struct{ HasParams, HasAuthorizer, HasPatchTypes bool }](t, c.Args[1])
	base := cel.New(minor)
	if decoded[string](t, c.Args[2]) == "StoredExpressions" {
		base = cel.Stored(minor)
	}
	f.cases++
	got := accessor{Expression: x.Expression, Types: want.Types}
	anything := slices.ContainsFunc(x.Types, func(name string) bool { return resultTypes[name] == nil })
	switch compiled, err := base.Admission(cel.Variables{Params: has.HasParams, Authorizer: has.HasAuthorizer, Patches: has.HasPatchTypes}).Compile(x.Expression); {
	case err != nil:
		got.Error = "compilation failed: " + err.Error()
	case !anything:
		var types []*celgo.Type
		for _, name := range x.Types {
			types = append(types, resultTypes[name])
		}
		if got.Error = cel.Unexpected(compiled.Type(), types); got.Error == "" {
			got.Type = compiled.Type().String()
		}
	default:
		got.Type = compiled.Type().String()
	}
	switch {
	case got.Error == want.Error && got.Type == want.Type:
		f.equal++
		if want.Error != "" {
			f.rejected++
		}
	case exceptions[c.String()] != "":
		f.excepted++
	default:
		t.Errorf("%s %s\nours\n\t%s %s\nupstream\n\t%s %s", c, x.Expression, got.Type, got.Error, want.Type, want.Error)
	}
}

// inOrderOfUse lists variables so that each comes after those that it uses.
func inOrderOfUse(variables map[string]string) (list []any) {
	left := slices.Sorted(maps.Keys(variables))
	for len(left) > 0 {
		next := max(0, slices.IndexFunc(left, func(name string) bool {
			return !slices.ContainsFunc(left, func(other string) bool {
				return other != name && strings.Contains(variables[name], "variables."+other)
			})
		}))
		list = append(list, tree.Object{"name": left[next], "expression": variables[left[next]]})
		left = slices.Delete(left, next, next+1)
	}
	return list
}

// evaluate compares what an expression gives, as the verdict of a policy.
func (f *figures) evaluate(t *testing.T, c Call, not excluded) {
	x := decoded[accessor](t, c.Args[2])
	if x.Expression == "" {
		not["a placeholder"]++
		return
	}
	on := object(c.On)
	r, ok := requestOf(on)
	if !ok {
		not["no create or update of a resource"]++
		return
	}
	result := decoded[struct {
		Value any
		Error string
	}](t, c.Results[0])
	if stop := decoded[string](t, orEmpty(c.Results[2])); stop != "" {
		result.Error = stop
	}
	if strings.Contains(result.Error, "cost limit exceeded") || strings.Contains(result.Error, "cost budget") && decoded[int64](t, c.Args[3]) != 10_000_000 {
		not["smaller limits than the server's"]++
		return
	}
	spec := tree.Object{"variables": inOrderOfUse(decoded[map[string]string](t, c.Args[1]))}
	want := "admitted"
	switch value, isText := result.Value.(string); {
	case slices.Equal(x.Types, []string{"bool"}) || resultTypes[x.Types[0]] == nil && (result.Error != "" || result.Value == true || result.Value == false):
		spec["validations"] = []any{tree.Object{"expression": x.Expression}}
		if result.Value == false {
			want = "failed expression: " + strings.TrimSpace(x.Expression)
		}
	case isText:
		spec["validations"] = []any{tree.Object{"expression": "false", "messageExpression": x.Expression}}
		want = strings.TrimSpace(value)
	default:
		not["a value that is neither bool nor text"]++
		return
	}
	if result.Error != "" {
		want = result.Error
	}
	if strings.Contains(x.Expression, "params") && !strings.Contains(result.Error, "reference to 'params'") {
		spec["paramKind"] = tree.Object{"apiVersion": "v1", "kind": "ConfigMap"} // which the binding need not name one of
	}
	f.cases++
	got, needs := judged(spec, object(orEmptyObject(on["params"])), object(orEmptyObject(on["namespace"])), r)
	switch {
	case len(needs) > 0:
		f.cases--
		not["needs "+strings.Join(needs, ", ")+", which is not known offline"]++
	case got == want:
		f.equal++
		if want != "admitted" {
			f.rejected++
		}
	case exceptions[c.String()] != "":
		f.excepted++
	default:
		t.Errorf("%s %s\n%s\nours\n\t%s\nupstream\n\t%s", c, x.Expression, c.On, got, want)
	}
}

func orEmpty(text json.RawMessage) json.RawMessage {
	if string(text) == "null" {
		return json.RawMessage(`""`)
	}
	return text
}

func orEmptyObject(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return text
}

// requestOf is the request of an activation; ok is false of one that no apply makes.
func requestOf(on tree.Object) (r *policy.Request, ok bool) {
	request := tree.Map(on, "request")
	kind := tree.Map(request, "kind")
	r = &policy.Request{
		Resource: policy.Resource{
			Kind:   schema.Kind{Group: tree.String(kind, "group"), Version: tree.String(kind, "version"), Kind: tree.String(kind, "kind")},
			Plural: tree.String(request, "resource", "resource"),
		},
		Name: tree.String(request, "name"), Namespace: tree.String(request, "namespace"),
		Object: tree.Map(on, "object"), Old: tree.Map(on, "oldObject"), DryRun: tree.Bool(request, "dryRun"), Options: tree.Map(request, "options"),
	}
	user := tree.Map(request, "userInfo")
	r.User = &policy.User{Name: tree.String(user, "username"), UID: tree.String(user, "uid")}
	for _, g := range tree.List(user, "groups") {
		r.User.Groups = append(r.User.Groups, fmt.Sprint(g))
	}
	operation := "CREATE"
	if r.Old != nil {
		operation = "UPDATE"
	}
	return r, r.Object != nil && tree.String(request, "operation") == operation && tree.String(request, "subResource") == ""
}

// judged is what a policy for all requests says of one, and what it needs that is
// not known.
func judged(spec, params, namespace tree.Object, r *policy.Request) (says string, needs []string) {
	bound := tree.Object{"policyName": "p", "validationActions": []any{"Deny"}}
	if params != nil {
		spec["paramKind"] = tree.Object{"apiVersion": tree.String(params, "apiVersion"), "kind": tree.String(params, "kind")}
		bound["paramRef"] = tree.Object{"name": tree.String(params, "metadata", "name"), "parameterNotFoundAction": "Deny"}
	}
	around := fixedAnswers{namespace: namespace, named: namespace != nil, served: true, params: []tree.Object{params}, every: true}
	verdict := policy.Read("ValidatingAdmissionPolicy",
		[]tree.Object{{"metadata": tree.Object{"name": "p"}, "spec": spec}},
		[]tree.Object{{"metadata": tree.Object{"name": "b"}, "spec": bound}}, around, minor).Validate(r)
	for _, u := range verdict.Undecided {
		needs = append(needs, u.Needs...)
	}
	if verdict.Denial == nil {
		return "admitted", needs
	}
	_, says, _ = strings.Cut(verdict.Denial.Message.Unmasked(), "denied request: ")
	return says, nil
}

// fixedAnswers is a policy.World of fixed answers.
type fixedAnswers struct {
	namespace          tree.Object
	named              bool // the namespace is known
	served, namespaced bool
	params             []tree.Object
	every              bool // the params are in every namespace
	others             []policy.Resource
}

func (a fixedAnswers) Namespace(string) (tree.Object, bool) { return a.namespace, a.named }

func (a fixedAnswers) Serves(schema.Kind) (served, namespaced, known bool) {
	return a.served, a.namespaced, a.served
}

func (a fixedAnswers) Params(_ schema.Kind, in string) (list []tree.Object, known bool) {
	for _, obj := range a.params {
		if a.every || tree.String(obj, "metadata", "namespace") == in {
			list = append(list, obj)
		}
	}
	return list, a.served
}

func (a fixedAnswers) Equivalent(schema.Kind) []policy.Resource { return a.others }

func (fixedAnswers) Convert(obj tree.Object, _, _ schema.Kind) tree.Object { return obj }

func (fixedAnswers) Authorize(*policy.User, policy.Question) policy.Answer {
	return policy.Answer{Needs: []string{policy.Authorizer}}
}
