package tables

import (
	"cmp"
	"encoding/json"
	"strings"
	"testing"

	"threeway/merge/kube/internal/server"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// patches are the tables of what mutating policies make of objects.
var patches = Harvest{
	Package:   "k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch",
	Functions: []string{"applyConfigPatcher.Patch", "jsonPatcher.Patch"},
	Imports: `threewayreflect "reflect"
	threewayruntime2 "k8s.io/apimachinery/pkg/runtime"`,
	Encode: `case *applyConfigPatcher:
		return threewayMutation(v.expressionEvaluator, "ApplyConfiguration")
	case *jsonPatcher:
		return threewayMutation(v.PatchEvaluator, "JSONPatch")
	case Request:
		k, r := v.VersionedAttributes.VersionedKind, v.MatchedResource
		return map[string]interface{}{
			"kind": map[string]interface{}{"Group": k.Group, "Version": k.Version, "Kind": k.Kind, "Plural": r.Resource},
			"object": threewayObject(v.VersionedAttributes.VersionedObject), "old": threewayObject(v.VersionedAttributes.VersionedOldObject),
			"params": threewayObject(v.OptionalVariables.VersionedParams), "namespace": threewayNamespace(v),
		}
	case threewayruntime2.Object:
		return threewayObject(v)`,
	Helpers: `func threewayObject(obj threewayruntime2.Object) map[string]interface{} {
	if obj == nil || threewayreflect.ValueOf(obj).IsNil() {
		return nil
	}
	u, err := threewayruntime2.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		return nil
	}
	return u
}

func threewayNamespace(v Request) string {
	if v.Namespace == nil {
		return ""
	}
	return v.Namespace.Name
}

// threewayMutation finds the expression and the variables of an evaluator, whose
// fields package cel does not export.
func threewayMutation(evaluator interface{}, patch string) map[string]interface{} {
	expression, variables := "", map[string]string{}
	composited := threewayreflect.ValueOf(evaluator).Elem()
	expression = threewayExpression(composited.FieldByName("MutatingEvaluator").Elem().Elem().FieldByName("compilationResult"))
	for all := composited.FieldByName("state").Elem().FieldByName("compiledVariables").MapRange(); all.Next(); {
		variables[all.Key().String()] = threewayExpression(all.Value())
	}
	return map[string]interface{}{"expression": expression, "variables": variables, "patch": patch}
}

func threewayExpression(compiled threewayreflect.Value) string {
	return compiled.FieldByName("ExpressionAccessor").Elem().Elem().FieldByName("Expression").String()
}`,
	Callers: []string{"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"},
}

// TestPolicyPatches holds what a mutating policy makes of an object, or why it fails,
// to upstream's cases. The server gives an object its defaults before, so does the
// test with what upstream makes of it.
func TestPolicyPatches(t *testing.T) {
	var f figures
	not := excluded{}
	for _, c := range patches.Calls(t) {
		f.patch(t, c, not)
	}
	t.Logf("patches: %v; %v", f, not)
}

func (f *figures) patch(t *testing.T, c Call, not excluded) {
	mutation := decoded[struct {
		Expression, Patch string
		Variables         map[string]string
	}](t, c.On)
	request := decoded[struct {
		Kind                resourceName
		Object, Old, Params json.RawMessage
		Namespace           string
	}](t, c.Args[1])
	obj, old := object(request.Object), object(request.Old)
	if mutation.Expression == "" || obj == nil {
		not["no expression"]++
		return
	}
	k := request.Kind.resource().Kind
	namespace := cmp.Or(request.Namespace, "default")
	for _, o := range []tree.Object{obj, old} {
		if o != nil {
			o["apiVersion"], o["kind"] = k.APIVersion(), k.Kind
			for key, value := range map[string]string{"name": "a", "namespace": namespace} {
				if tree.String(o, "metadata", key) == "" {
					tree.Set(o, value, "metadata", key)
				}
			}
		}
	}
	s := mutatingServer(mutation.Expression, mutation.Patch, mutation.Variables, namespace, object(request.Params))
	var answer server.Result
	if old == nil {
		answer = s.Create(k, obj)
	} else {
		patch := tree.CopyObject(obj)
		patch["$patch"] = "replace"
		answer = s.Patch(k, old, patch)
	}
	if len(answer.Undecided) > 0 {
		not["needs "+strings.Join(answer.Undecided[0].Needs, ", ")+", which is not known offline"]++
		return
	}
	want, got := decoded[string](t, orEmpty(c.Results[1])), ""
	if want == "" {
		result := object(c.Results[0])
		for _, key := range []string{"name", "namespace"} {
			tree.Set(result, tree.String(obj, "metadata", key), "metadata", key)
		}
		result["apiVersion"], result["kind"] = k.APIVersion(), k.Kind
		want = text(s.Completed(k, result))
		after := obj
		for _, change := range answer.Mutations {
			after = change.After
		}
		got = text(s.Completed(k, after))
	}
	if answer.Rejection != nil {
		says := answer.Rejection.Message.Unmasked()
		if _, why, denied := strings.Cut(says, "denied request: "); denied {
			got = why
		} else if answer.Rejection.Reason == "InternalError" {
			got = says
		}
	}
	f.cases++
	switch {
	case got == want:
		f.equal++
		if answer.Rejection != nil && string(c.Results[1]) != "null" {
			f.rejected++
		}
	case exceptions[c.String()] != "":
		f.excepted++
	default:
		t.Errorf("%s %s\n%s\nours\n\t%s\n%v\nupstream\n\t%s", c, c.On, c.Args[1], got, answer.Rejection, want)
	}
}

// mutatingServer has one mutating policy for everything, and the params that it takes.
func mutatingServer(expression, patch string, variables map[string]string, namespace string, params tree.Object) *server.Server {
	mutation := tree.Object{"patchType": patch}
	if patch == "JSONPatch" {
		mutation["jsonPatch"] = tree.Object{"expression": expression}
	} else {
		mutation["applyConfiguration"] = tree.Object{"expression": expression}
	}
	all := tree.Object{"resourceRules": []any{tree.Object{
		"apiGroups": []any{"*"}, "apiVersions": []any{"*"}, "resources": []any{"*"}, "operations": []any{"*"},
	}}}
	spec := tree.Object{"matchConstraints": all, "mutations": []any{mutation}, "reinvocationPolicy": "Never", "failurePolicy": "Fail"}
	if len(variables) > 0 {
		spec["variables"] = inOrderOfUse(variables)
	}
	bound := tree.Object{"policyName": "p"}
	if params != nil {
		params["apiVersion"], params["kind"] = "v1", "ConfigMap"
		tree.Set(params, "params", "metadata", "name")
		tree.Set(params, namespace, "metadata", "namespace")
		spec["paramKind"] = tree.Object{"apiVersion": "v1", "kind": "ConfigMap"}
		bound["paramRef"] = tree.Object{"name": "params", "parameterNotFoundAction": "Deny"}
	}
	const version = "admissionregistration.k8s.io/v1"
	live := map[string][]tree.Object{
		"MutatingAdmissionPolicy.admissionregistration.k8s.io":        {{"apiVersion": version, "kind": "MutatingAdmissionPolicy", "metadata": tree.Object{"name": "p"}, "spec": spec}},
		"MutatingAdmissionPolicyBinding.admissionregistration.k8s.io": {{"apiVersion": version, "kind": "MutatingAdmissionPolicyBinding", "metadata": tree.Object{"name": "b"}, "spec": bound}},
		"ConfigMap": {params},
	}
	return &server.Server{Minor: minor, Strict: true, World: patched{live, tree.Object{"apiVersion": "v1", "kind": "Namespace", "metadata": tree.Object{"name": namespace}}}}
}

// patched is a cluster with some live objects, by kind, in one namespace.
type patched struct {
	live      map[string][]tree.Object
	namespace tree.Object
}

func (p patched) Objects(groupKind string) []tree.Object            { return p.live[groupKind] }
func (p patched) ObjectsIn(groupKind, _ string) []tree.Object       { return p.live[groupKind] }
func (patched) Made(string) []tree.Object                           { return nil }
func (p patched) Namespace(string) (tree.Object, bool)              { return p.namespace, true }
func (patched) Serves(schema.Kind) (served, namespaced, known bool) { return true, true, true }
func (patched) Plural(k schema.Kind) string                         { return strings.ToLower(k.Kind) + "s" }
func (patched) Adds(string, string) bool                            { return false }
func (patched) GivesTokens() bool                                   { return false }
func (patched) Complete() bool                                      { return false }
func (patched) Empty() bool                                         { return false }
func (patched) Assumed() bool                                       { return false }
