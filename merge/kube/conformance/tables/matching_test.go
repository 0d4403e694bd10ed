package tables

import (
	"slices"
	"strings"
	"testing"

	"threeway/merge/kube/internal/policy"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// matching are the tables of which requests a policy is for.
var matching = Harvest{
	Package:   "k8s.io/apiserver/pkg/admission/plugin/policy/matching",
	Functions: []string{"Matcher.Matches"},
	Imports: `threewayschema "k8s.io/apimachinery/pkg/runtime/schema"
	threewaymeta "k8s.io/apimachinery/pkg/api/meta"
	threewayruntime2 "k8s.io/apimachinery/pkg/runtime"
	threewayadmission "k8s.io/apiserver/pkg/admission"`,
	Encode: `case threewayadmission.Attributes:
		threewayAttributes = v
		return map[string]interface{}{
			"resource": threewayResource(v.GetResource(), v.GetKind()), "name": v.GetName(), "namespace": v.GetNamespace(),
			"operation": string(v.GetOperation()), "subresource": v.GetSubresource(),
			"object": threewayLabels(v.GetObject()), "old": threewayLabels(v.GetOldObject()),
		}
	case threewayadmission.ObjectInterfaces:
		others := []map[string]interface{}{}
		mapper, a := v.GetEquivalentResourceMapper(), threewayAttributes
		for _, other := range mapper.EquivalentResourcesFor(a.GetResource(), a.GetSubresource()) {
			if other != a.GetResource() {
				others = append(others, threewayResource(other, mapper.KindFor(other, a.GetSubresource())))
			}
		}
		return others
	case MatchCriteria:
		return v.GetMatchResources()
	case threewayschema.GroupVersionResource:
		return threewayResource(v, threewayschema.GroupVersionKind{})
	case threewayschema.GroupVersionKind:
		return threewayResource(threewayschema.GroupVersionResource{}, v)`,
	Helpers: `var threewayAttributes threewayadmission.Attributes

func threewayResource(r threewayschema.GroupVersionResource, k threewayschema.GroupVersionKind) map[string]interface{} {
	return map[string]interface{}{"Group": r.Group, "Version": r.Version, "Plural": r.Resource, "Kind": k.Kind}
}

func threewayLabels(obj threewayruntime2.Object) interface{} {
	if obj == nil {
		return nil
	}
	accessor, err := threewaymeta.Accessor(obj)
	if err != nil {
		return nil
	}
	return map[string]interface{}{"metadata": map[string]interface{}{"labels": accessor.GetLabels()}}
}`,
	Callers: []string{"k8s.io/apiserver/pkg/admission/plugin/policy/validating", "k8s.io/apiserver/pkg/admission/plugin/policy/mutating"},
}

// resourceName is a resource as the tables have it.
type resourceName struct{ Group, Version, Plural, Kind string }

func (r resourceName) resource() policy.Resource {
	return policy.Resource{Kind: schema.Kind{Group: r.Group, Version: r.Version, Kind: r.Kind}, Plural: r.Plural}
}

// TestPolicyMatches holds which requests a policy is for, and at which version, to
// upstream's cases.
func TestPolicyMatches(t *testing.T) {
	var f figures
	not := excluded{}
	for _, c := range matching.Calls(t) {
		f.match(t, c, not)
	}
	t.Logf("matches: %v; %v", f, not)
}

func (f *figures) match(t *testing.T, c Call, not excluded) {
	a := decoded[struct {
		Resource                                resourceName
		Name, Namespace, Operation, Subresource string
		Object, Old                             tree.Object
	}](t, c.Args[0])
	constraints := object(c.Args[2])
	switch {
	case a.Subresource != "":
		not["a request for a subresource"]++
		return
	case a.Operation != "CREATE" && a.Operation != "UPDATE":
		not["no create or update"]++
		return
	case tree.Map(constraints, "objectSelector") == nil || tree.Map(constraints, "namespaceSelector") == nil:
		not["no default selector, which every stored policy has"]++
		return
	case string(c.Results[3]) != "null":
		not["an error about what no server stores"]++
		return
	}
	if !tree.Has(constraints, "matchPolicy") {
		constraints["matchPolicy"] = "Exact"
	}
	r := &policy.Request{Resource: a.Resource.resource(), Name: a.Name, Namespace: a.Namespace, Object: a.Object, Old: a.Old}
	if r.Object == nil {
		r.Object = tree.Object{}
	}
	if a.Operation == "UPDATE" && r.Old == nil {
		r.Old = tree.Object{}
	}
	var others []policy.Resource
	for _, other := range decoded[[]resourceName](t, c.Args[1]) {
		others = append(others, other.resource())
	}
	want := ""
	if decoded[bool](t, c.Results[0]) {
		at, kind := decoded[resourceName](t, c.Results[1]), decoded[resourceName](t, c.Results[2])
		want = strings.Join([]string{at.Plural, at.Group, at.Version, kind.Kind}, " ")
	}
	f.cases++
	switch got := matched(constraints, r, others); {
	case got == want:
		f.equal++
		if want != "" {
			f.rejected++
		}
	default:
		t.Errorf("%s %s\n%s\nothers %v\nours\n\t%s\nupstream\n\t%s", c, c.Args[0], c.Args[2], others, got, want)
	}
}

// matched is the resource that a policy sees of a request, "" if it is not for it.
func matched(constraints tree.Object, r *policy.Request, others []policy.Resource) string {
	around := fixedAnswers{namespace: tree.Object{}, named: true, others: others}
	spec := tree.Object{"matchConstraints": constraints, "validations": []any{tree.Object{
		"expression": "false", "messageExpression": "[request.resource.resource, request.resource.group, request.resource.version, request.kind.kind].join(' ')",
	}}}
	verdict := policy.Read("ValidatingAdmissionPolicy",
		[]tree.Object{{"metadata": tree.Object{"name": "p"}, "spec": spec}},
		[]tree.Object{{"metadata": tree.Object{"name": "b"}, "spec": tree.Object{"policyName": "p", "validationActions": []any{"Deny"}}}}, around, minor).Validate(r)
	if verdict.Denial == nil {
		return ""
	}
	_, says, _ := strings.Cut(verdict.Denial.Message.Unmasked(), "denied request: ")
	return says
}

// params are the tables of the params that a binding evaluates a policy with.
var params = Harvest{
	Package:   "k8s.io/apiserver/pkg/admission/plugin/policy/generic",
	Functions: []string{"CollectParams"},
	Imports: `threewayv1 "k8s.io/api/admissionregistration/v1"
	threewaymeta "k8s.io/apimachinery/pkg/api/meta"
	threewayruntime2 "k8s.io/apimachinery/pkg/runtime"
	threewayinformers "k8s.io/client-go/informers"`,
	Encode: `case *threewayv1.ParamKind:
		return v
	case *threewayv1.ParamRef:
		return v
	case threewaymeta.RESTScope:
		return string(v.Name())
	case threewayinformers.GenericInformer:
		list := []interface{}{}
		for _, obj := range v.Informer().GetStore().List() {
			list = append(list, threewayNamed(obj.(threewayruntime2.Object)))
		}
		return list
	case []threewayruntime2.Object:
		list := []interface{}{}
		for _, obj := range v {
			list = append(list, threewayNamed(obj))
		}
		return list`,
	Helpers: `func threewayNamed(obj threewayruntime2.Object) interface{} {
	if obj == nil {
		return nil
	}
	m, _ := threewaymeta.Accessor(obj)
	labels := map[string]interface{}{}
	for k, v := range m.GetLabels() {
		labels[k] = v
	}
	return map[string]interface{}{"metadata": map[string]interface{}{"name": m.GetName(), "namespace": m.GetNamespace(), "labels": labels}}
}`,
	Callers: []string{"k8s.io/apiserver/pkg/admission/plugin/policy/validating", "k8s.io/apiserver/pkg/admission/plugin/policy/mutating"},
}

// TestPolicyParams holds which params a binding gives to upstream's cases.
func TestPolicyParams(t *testing.T) {
	var f figures
	not := excluded{}
	for _, c := range params.Calls(t) {
		f.params(t, c, not)
	}
	t.Logf("params: %v; %v", f, not)
}

func (f *figures) params(t *testing.T, c Call, not excluded) {
	failed := decoded[string](t, orEmpty(c.Results[1]))
	if strings.Contains(failed, "not yet synced") || strings.Contains(failed, "not known") {
		not["a server that is starting"]++
		return
	}
	kind, ref, namespace := object(c.Args[0]), object(c.Args[3]), decoded[string](t, c.Args[4])
	name := tree.Object{"expression": "false", "messageExpression": "'null'"}
	spec := tree.Object{"validations": []any{name}}
	bound := tree.Object{"policyName": "p", "validationActions": []any{"Warn"}}
	if kind != nil {
		spec["paramKind"], name["messageExpression"] = kind, "params == null ? 'null' : string(params.metadata.name)"
	}
	if ref != nil {
		bound["paramRef"] = ref
	}
	live := decoded[[]tree.Object](t, orNothing(c.Args[1]))
	around := fixedAnswers{namespace: tree.Object{}, named: true, served: true, namespaced: decoded[string](t, orEmpty(c.Args[2])) == "namespace", params: live}
	verdict := policy.Read("ValidatingAdmissionPolicy",
		[]tree.Object{{"metadata": tree.Object{"name": "p"}, "spec": spec}},
		[]tree.Object{{"metadata": tree.Object{"name": "b"}, "spec": bound}}, around, minor).
		Validate(&policy.Request{Namespace: namespace, Object: tree.Object{}})
	var got, want []string
	for _, w := range verdict.Warnings {
		got = append(got, w.Message.Unmasked())
	}
	if d := verdict.Denial; d != nil {
		_, why, _ := strings.Cut(d.Message.Unmasked(), "failed to configure binding: ")
		got = append(got, why)
	}
	for _, obj := range decoded[[]tree.Object](t, orNothing(c.Results[0])) {
		if want = append(want, "null"); obj != nil {
			want[len(want)-1] = tree.String(obj, "metadata", "name")
		}
	}
	if failed != "" {
		want = append(want, failed)
	}
	f.cases++
	if slices.Equal(sorted(got), sorted(want)) {
		f.equal++
		if failed != "" {
			f.rejected++
		}
	} else {
		t.Errorf("%s %s\n%s in %q of %s\nours\n\t%v\nupstream\n\t%v", c, c.Args[0], c.Args[3], namespace, c.Args[1], got, want)
	}
}

func orNothing(text []byte) []byte {
	if string(text) == "null" {
		return []byte("[]")
	}
	return text
}
