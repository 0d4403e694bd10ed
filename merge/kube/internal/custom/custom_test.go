package custom_test

import (
	"strings"
	"testing"

	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"

	"threeway/merge/kube/internal/custom"
	"threeway/merge/tree"
)

// object parses YAML into a tree.
func object(t testing.TB, text string) tree.Object {
	t.Helper()
	asJSON, err := yaml.YAMLToJSON([]byte(strings.ReplaceAll(text, "\t", "  ")))
	if err != nil {
		t.Fatal(err)
	}
	var obj tree.Object
	if err := kjson.UnmarshalCaseSensitivePreserveInts(asJSON, &obj); err != nil {
		t.Fatal(err)
	}
	return obj
}

// define compiles a definition of Gear with the given schema in its one
// version, v1, which has the status subresource.
func define(t testing.TB, schema string) *custom.Definition {
	t.Helper()
	return defineWith(t, schema, custom.Checks{Minor: 37})
}

func defineWith(t testing.TB, schema string, checks custom.Checks) *custom.Definition {
	t.Helper()
	crd := object(t, `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gears.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Gear, plural: gears}
  versions:
  - {name: v1, served: true, storage: true, subresources: {status: {}}}
`)
	version := tree.List(crd, "spec", "versions")[0].(tree.Object)
	version["schema"] = tree.Object{"openAPIV3Schema": object(t, schema)}
	d, err := custom.Compile(crd, checks)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// gear is a Gear with more fields.
func gear(t testing.TB, fields string) tree.Object {
	t.Helper()
	return object(t, "apiVersion: example.com/v1\nkind: Gear\nmetadata: {name: g, namespace: ns}\n"+fields)
}

func TestCompile(t *testing.T) {
	d, err := custom.Compile(object(t, `
metadata: {name: wheels.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {kind: Wheel, plural: wheels}
  versions:
  - {name: v2, served: true, storage: true, subresources: {status: {}}}
  - {name: v1, served: false}
`), custom.Checks{})
	if err != nil {
		t.Fatal(err)
	}
	got := []any{d.Group(), d.Kind(), d.Plural(), d.Namespaced(), strings.Join(d.Versions(), " ")}
	want := []any{"example.com", "Wheel", "wheels", false, "v2 v1"}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("property %d is %v, want %v", i, got[i], want[i])
		}
	}
	if !d.Served("v2") || d.Served("v1") || d.Served("v3") {
		t.Error("only v2 is served")
	}
	if !d.StatusSubresource("v2") || d.StatusSubresource("v1") {
		t.Error("only v2 has the status subresource")
	}
}

func TestCompileNamesWhatIsMissing(t *testing.T) {
	for crd, want := range map[string]string{
		"{metadata: {name: x}, spec: {group: g}}": "CustomResourceDefinition x has no spec.group, spec.names.kind or spec.names.plural; its resources cannot be checked",
		"{metadata: {name: x}, spec: {group: g, names: {kind: K, plural: ks}, versions: [{name: v1, served: true}]}}": "CustomResourceDefinition x has no storage version; its resources cannot be checked",
	} {
		if _, err := custom.Compile(object(t, crd), custom.Checks{}); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// In v1beta1 one schema and one set of subresources serve all versions, and
// unknown fields are kept unless the definition says otherwise.
func TestCompileBeta(t *testing.T) {
	const crd = `
apiVersion: apiextensions.k8s.io/v1beta1
metadata: {name: gears.example.com}
spec:
  group: example.com
  version: v1
  names: {kind: Gear, plural: gears}
  subresources: {status: {}}
  validation: {openAPIV3Schema: {type: object, properties: {spec: {type: object, required: [teeth]}}}}
`
	d, err := custom.Compile(object(t, crd), custom.Checks{})
	if err != nil {
		t.Fatal(err)
	}
	r := d.Create("v1", gear(t, "spec: {size: 3}\nstatus: {x: 1}"))
	if len(r.Unknown) != 0 || !tree.Has(r.Object, "spec", "size") {
		t.Errorf("unknown fields %v were dropped", r.Unknown)
	}
	if tree.Has(r.Object, "status") {
		t.Error("status was kept in spite of the status subresource")
	}
	if texts(r.Errors) != "spec.teeth: Required value" {
		t.Errorf("errors %q", texts(r.Errors))
	}
}
