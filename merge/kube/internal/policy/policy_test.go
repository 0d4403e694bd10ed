package policy

import (
	"fmt"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

var (
	configMaps = Resource{schema.Kind{Version: "v1", Kind: "ConfigMap"}, "configmaps"}
	namespaces = Resource{namespaceKind, "namespaces"}
	nodes      = Resource{schema.Kind{Version: "v1", Kind: "Node"}, "nodes"}
	scalersV2  = Resource{schema.Kind{Group: "autoscaling", Version: "v2", Kind: "HorizontalPodAutoscaler"}, "horizontalpodautoscalers"}
	scalersV1  = Resource{schema.Kind{Group: "autoscaling", Version: "v1", Kind: "HorizontalPodAutoscaler"}, "horizontalpodautoscalers"}
)

// world is a cluster with a Namespace shop, labeled env=prod, and ConfigMaps as
// params in it.
type world []tree.Object

func (world) Namespace(name string) (tree.Object, bool) {
	if name == "shop" {
		return tree.Object{"metadata": tree.Object{"name": "shop", "labels": tree.Object{"env": "prod"}}}, true
	}
	return nil, false
}

func (world) Serves(k schema.Kind) (served, namespaced, known bool) {
	return k.Group == "", k.Kind == "ConfigMap", k.Group != "unknown.io"
}

func (w world) Params(_ schema.Kind, namespace string) ([]tree.Object, bool) {
	if namespace != "shop" {
		return nil, false
	}
	return w, true
}

func (world) Equivalent(k schema.Kind) []Resource {
	if k == scalersV2.Kind {
		return []Resource{scalersV1}
	}
	return nil
}

func (world) Convert(obj tree.Object, _, to schema.Kind) tree.Object {
	return tree.Object{"kind": to.Kind, "metadata": obj["metadata"], "spec": tree.Object{"version": to.Version}}
}

func (world) Authorize(*User, Question) Answer { return Answer{Needs: []string{Authorizer}} }

func parsed(t *testing.T, text string) tree.Object {
	t.Helper()
	var obj map[string]any
	if err := yaml.Unmarshal([]byte(text), &obj); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return obj
}

// policies are one policy with one binding.
func policies(t *testing.T, around World, spec, binding string) *Policies {
	t.Helper()
	return Read("ValidatingAdmissionPolicy",
		[]tree.Object{{"metadata": tree.Object{"name": "p"}, "spec": parsed(t, spec)}},
		[]tree.Object{{"metadata": tree.Object{"name": "b"}, "spec": parsed(t, "policyName: p\n"+binding)}}, around, 36)
}

func request(of Resource, namespace string, labels tree.Object) *Request {
	return &Request{Resource: of, Name: "a", Namespace: namespace, Object: tree.Object{
		"kind": of.Kind.Kind, "metadata": tree.Object{"name": "a", "namespace": namespace, "labels": labels}, "data": tree.Object{"n": "7"},
	}}
}

// says is a verdict in one word, with what it is about.
func says(v Verdict) string {
	switch {
	case v.Denial != nil:
		return "denied: " + v.Denial.Message.Unmasked()
	case len(v.Undecided) > 0:
		return "needs " + strings.Join(v.Undecided[0].Needs, " and ")
	case len(v.Warnings) > 0:
		return "warned: " + v.Warnings[0].Message.Unmasked()
	}
	return "admitted"
}

// TestMatching: which requests a policy is asked about. Its only validation is
// false, so that a request that it matches is denied.
func TestMatching(t *testing.T) {
	inShop, plain := request(configMaps, "shop", tree.Object{"app": "web"}), "{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*']}"
	updated := request(configMaps, "shop", tree.Object{})
	updated.Old = request(configMaps, "shop", tree.Object{"app": "web"}).Object
	for _, c := range []struct {
		constraints string
		r           *Request
		want        string // "": not matched
	}{
		{"{resourceRules: [" + plain + "]}", inShop, "denied"},
		{"{resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]}", inShop, "denied"},
		{"{resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [UPDATE], resources: [configmaps]}]}", inShop, ""},
		{"{resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [UPDATE], resources: [configmaps]}]}", updated, "denied"},
		{"{resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps/status]}]}", inShop, ""},
		{"{resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: ['*/*']}]}", inShop, "denied"},
		{"{resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: ['*']}]}", inShop, ""},
		{"{resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: ['*'], resourceNames: [b]}]}", inShop, ""},
		{"{resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: ['*'], resourceNames: [a, b]}]}", inShop, "denied"},
		{"{resourceRules: [" + plain + "], excludeResourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]}", inShop, ""},
		{"{resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'], scope: Namespaced}]}", inShop, "denied"},
		{"{resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'], scope: Cluster}]}", inShop, ""},
		{"{resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'], scope: Cluster}]}", request(nodes, "", nil), "denied"},
		{"{resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'], scope: Cluster}]}", request(namespaces, "a", nil), "denied"},
		{"{resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'], scope: Namespaced}]}", request(namespaces, "a", nil), ""},
		// Selectors: of objects the new or the old one, of a Namespace its own labels,
		// of what is in no namespace none.
		{"{objectSelector: {matchLabels: {app: web}}, resourceRules: [" + plain + "]}", inShop, "denied"},
		{"{objectSelector: {matchLabels: {app: web}}, resourceRules: [" + plain + "]}", updated, "denied"},
		{"{objectSelector: {matchExpressions: [{key: app, operator: NotIn, values: [web]}]}, resourceRules: [" + plain + "]}", inShop, ""},
		{"{objectSelector: {matchExpressions: [{key: app, operator: DoesNotExist}]}, resourceRules: [" + plain + "]}", inShop, ""},
		{"{namespaceSelector: {matchLabels: {env: prod}}, resourceRules: [" + plain + "]}", inShop, "denied"},
		{"{namespaceSelector: {matchLabels: {env: test}}, resourceRules: [" + plain + "]}", inShop, ""},
		{"{namespaceSelector: {matchLabels: {env: test}}, resourceRules: [" + plain + "]}", request(nodes, "", nil), "denied"},
		{"{namespaceSelector: {matchLabels: {env: test}}, resourceRules: [" + plain + "]}", request(namespaces, "a", tree.Object{"env": "test"}), "denied"},
		{"{namespaceSelector: {matchLabels: {env: test}}, resourceRules: [" + plain + "]}", request(configMaps, "elsewhere", nil), "needs Namespace elsewhere"},
		// Another version of the kind, unless the match is to be exact.
		{"{resourceRules: [{apiGroups: [autoscaling], apiVersions: [v1], operations: [CREATE], resources: ['*']}]}", request(scalersV2, "shop", nil), "denied: v1 of v2"},
		{"{matchPolicy: Exact, resourceRules: [{apiGroups: [autoscaling], apiVersions: [v1], operations: [CREATE], resources: ['*']}]}", request(scalersV2, "shop", nil), ""},
	} {
		p := policies(t, world{}, "matchConstraints: "+c.constraints+"\nvalidations: [{expression: 'false', messageExpression: request.kind.version + ' of ' + request.requestKind.version}]", "validationActions: [Deny]")
		got := says(p.Validate(c.r))
		got = strings.Replace(got, "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: ", "", 1)
		if want := c.want; want == "" && got != "admitted" || !strings.HasPrefix(got, want) {
			t.Errorf("%s, %s: %s, not %q", c.constraints, c.r.Kind, got, want)
		}
	}
}

// TestNarrowerBinding: a binding matches only what the policy matches too.
func TestNarrowerBinding(t *testing.T) {
	p := policies(t, world{}, "matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: ['*']}]}\nvalidations: [{expression: 'false'}]",
		"validationActions: [Warn, Audit]\nmatchResources: {objectSelector: {matchLabels: {app: web}}}")
	if v := p.Validate(request(configMaps, "shop", nil)); says(v) != "admitted" {
		t.Error(says(v))
	}
	if v := p.Validate(request(configMaps, "shop", tree.Object{"app": "web"})); says(v) != "warned: failed expression: false" {
		t.Error(says(v))
	}
}

// TestParams: a policy is asked once for each of its params; what is wrong with
// them denies, unless failures are ignored.
func TestParams(t *testing.T) {
	small := tree.Object{"metadata": tree.Object{"name": "small", "namespace": "shop", "labels": tree.Object{"of": "p"}}, "data": tree.Object{"max": "3"}}
	large := tree.Object{"metadata": tree.Object{"name": "large", "namespace": "shop", "labels": tree.Object{"of": "p"}}, "data": tree.Object{"max": "9"}}
	const spec = `
paramKind: {apiVersion: v1, kind: ConfigMap}
matchConstraints: {resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*']}]}
validations: [{expression: 'params == null || int(object.data.n) <= int(params.data.max)', messageExpression: '"at most " + params.data.max'}]
`
	const denied, unbound = "denied: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: ", "denied: ValidatingAdmissionPolicy 'p' denied request: "
	for _, c := range []struct {
		spec, ref string
		r         *Request
		want      string
	}{
		{spec, "{name: large}", request(configMaps, "shop", nil), "admitted"},
		{spec, "{name: small}", request(configMaps, "shop", nil), denied + "at most 3"},
		{spec, "{selector: {matchLabels: {of: p}}}", request(configMaps, "shop", nil), denied + "at most 3"},
		{spec, "{selector: {matchLabels: {of: q}}, parameterNotFoundAction: Allow}", request(configMaps, "shop", nil), "admitted"},
		{spec, "{name: none, parameterNotFoundAction: Deny}", request(configMaps, "shop", nil), denied + "failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction"},
		{spec + "failurePolicy: Ignore\n", "{name: none, parameterNotFoundAction: Deny}", request(configMaps, "shop", nil), "admitted"},
		{spec, "{name: small, namespace: shop}", request(nodes, "", nil), denied + "at most 3"},
		{spec, "{name: small}", request(nodes, "", nil), denied + "failed to configure binding: cannot use namespaced paramRef in policy binding that matches cluster-scoped resources"},
		{spec, "{name: small, namespace: elsewhere}", request(configMaps, "shop", nil), "needs ConfigMap small in namespace elsewhere"},
		{strings.Replace(spec, "v1, kind: ConfigMap", "nope.io/v1, kind: Nope", 1), "{name: small}", request(configMaps, "shop", nil),
			unbound + "failed to configure policy: failed to find resource referenced by paramKind: 'nope.io/v1, Kind=Nope'"},
		{strings.Replace(spec, "v1, kind: ConfigMap", "unknown.io/v1, kind: Nope", 1), "{name: small}", request(configMaps, "shop", nil), "needs the definition of Nope.unknown.io"},
	} {
		p := policies(t, world{large, small}, c.spec, "validationActions: [Deny]\nparamRef: "+c.ref)
		if got := says(p.Validate(c.r)); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.ref, got, c.want)
		}
	}
}

// TestDenialDecides: what one policy denies, no other has to decide.
func TestDenialDecides(t *testing.T) {
	const all = "matchConstraints: {resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*']}]}\n"
	named := func(name string) tree.Object { return tree.Object{"name": name} }
	unknown := parsed(t, all+"paramKind: {apiVersion: unknown.io/v1, kind: Nope}\nvalidations: [{expression: 'false'}]")
	for expression, want := range map[string]string{"false": "denied: ValidatingAdmissionPolicy 'p' with binding 'p' denied request: failed expression: false", "true": "needs the definition of Nope.unknown.io"} {
		decided := parsed(t, all+"validations: [{expression: '"+expression+"'}]")
		p := Read("ValidatingAdmissionPolicy", []tree.Object{{"metadata": named("a"), "spec": unknown}, {"metadata": named("p"), "spec": decided}}, []tree.Object{
			{"metadata": named("a"), "spec": parsed(t, "policyName: a\nvalidationActions: [Deny]\nparamRef: {name: x}")},
			{"metadata": named("p"), "spec": parsed(t, "policyName: p\nvalidationActions: [Deny]")},
		}, world{}, 36)
		if v := p.Validate(request(configMaps, "shop", nil)); says(v) != want || v.Denial != nil && len(v.Undecided) > 0 {
			t.Errorf("%s: %s, %v", expression, says(v), v.Undecided)
		}
	}
}

// TestBudgets: an expression, and all match conditions together, cannot cost more
// than the server allows; a variable costs once, however often it is used.
func TestBudgets(t *testing.T) {
	// The cost of a search is the length of the text times that of the pattern: half of what an expression can cost.
	dear := `"` + strings.Repeat("a", 18000) + `".find("` + strings.Repeat("b", 1000) + `") == ""`
	const most = "matchConstraints: {resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*']}]}\n"
	conditions := "matchConditions:\n" + strings.Repeat("- {name: a, expression: '"+dear+"'}\n", 6) + "validations: [{expression: 'false'}]\n"
	variables, used := "variables:\n", "true"
	for i := range 25 {
		variables += fmt.Sprintf("- {name: v%d, expression: '%s'}\n", i, dear)
		used += fmt.Sprintf(" && variables.v%d", i)
	}
	for _, c := range []struct{ spec, want string }{
		{"validations: [{expression: '" + dear + " && " + dear + " && " + dear + "'}]\n", "actual cost limit exceeded"},
		{conditions, "out of cost budget"},
		{variables + "validations: [{expression: '" + used + "'}]\n", "out of cost budget"},
		{"variables: [{name: v, expression: '" + dear + "'}]\nvalidations:\n" + strings.Repeat("- {expression: 'variables.v'}\n", 200), "admitted"},
	} {
		p := policies(t, world{}, most+c.spec, "validationActions: [Deny]")
		if got := says(p.Validate(request(configMaps, "shop", nil))); got != c.want && (c.want == "admitted" || !strings.Contains(got, c.want)) {
			t.Errorf("%.300s\n%.300s, not %s", c.spec, got, c.want)
		}
	}
}

// TestUsers: what asks for the user is decided if it is known, in the groups that
// the server adds.
func TestUsers(t *testing.T) {
	p := policies(t, world{}, "matchConstraints: {resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*']}]}\n"+
		"validations: [{expression: 'false', messageExpression: 'request.userInfo.username + string(has(request.userInfo.uid)) + request.userInfo.groups.join(\",\")'}]", "validationActions: [Warn]")
	for want, user := range map[string]*User{
		"warned: janefalsesystem:authenticated":                                                                        Impersonate("jane", "", nil),
		"warned: janetruedev,system:authenticated":                                                                     Impersonate("jane", "7", []string{"dev"}),
		"warned: janefalsesystem:unauthenticated":                                                                      Impersonate("jane", "", []string{"system:unauthenticated"}),
		"warned: system:anonymousfalsesystem:unauthenticated":                                                          Impersonate("system:anonymous", "", nil),
		"warned: system:serviceaccount:ci:dfalsedev,system:authenticated":                                              Impersonate("system:serviceaccount:ci:d", "", []string{"dev"}),
		"warned: (its messageExpression needs request.userInfo)":                                                       nil,
		"warned: system:serviceaccount:ci:dfalsesystem:serviceaccounts,system:serviceaccounts:ci,system:authenticated": Impersonate("system:serviceaccount:ci:d", "", nil),
	} {
		r := request(configMaps, "shop", nil)
		r.User = user
		if got := says(p.Validate(r)); got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
}
