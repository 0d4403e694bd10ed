package owners_test

import (
	"slices"
	"testing"

	"sigs.k8s.io/yaml"

	"threeway/merge/fieldpath"
	"threeway/merge/owners"
	"threeway/merge/tree"
)

const live = `
metadata:
  managedFields:
  - manager: kubectl-client-side-apply
    operation: Update
    apiVersion: apps/v1
    time: "2026-01-01T00:00:00Z"
    fieldsV1:
      f:metadata:
        f:labels: {".": {}, "f:app.kubernetes.io/name": {}}
        f:finalizers: {'v:"example.com/hold"': {}}
      f:spec:
        f:selector: {}
        f:ports:
          'k:{"port":80,"protocol":"TCP"}': {".": {}, f:port: {}, f:targetPort: {}}
          'k:{"port":80,"protocol":"UDP"}': {".": {}, f:port: {}}
        f:containers:
          'k:{"name":"web"}': {".": {}, f:name: {}, f:image: {}}
  - manager: kube-controller-manager
    operation: Update
    subresource: scale
    apiVersion: apps/v1
    fieldsV1: {f:spec: {f:replicas: {}}}
  - manager: garbage
    operation: Update
    apiVersion: apps/v1
    fieldsV1: {f:spec: {"k:[": {}}}
`

func object(t *testing.T) tree.Object {
	t.Helper()
	var o tree.Object
	if err := yaml.Unmarshal([]byte(live), &o); err != nil {
		t.Fatal(err)
	}
	return o
}

func TestOwns(t *testing.T) {
	entries := owners.Read(object(t))
	if len(entries) != 3 || entries[1].String() != "kube-controller-manager (scale)" || len(entries[2].Leaves()) != 0 {
		t.Fatalf("read %v", entries)
	}
	for _, c := range []struct {
		path string
		owns bool
	}{
		{"spec", true},
		{"spec.replicas", false},
		{"metadata.labels[app.kubernetes.io/name]", true},
		{"metadata.labels.app", false},
		{"metadata.finalizers[=example.com/hold]", true},
		{"metadata.finalizers[=example.com/other]", false},
		{"spec.selector.app", true}, // owned as a whole
		{"spec.containers[name=web].image", true},
		{"spec.containers[name=web].command", false},
		{"spec.containers[name=api].image", false},
		{"spec.ports[port=80].targetPort", true}, // by one of two keys, typed
		{"spec.ports[port=80,protocol=TCP].targetPort", true},
		{"spec.ports[port=80,protocol=UDP].targetPort", false},
		{"spec.ports[port=81].targetPort", false},
	} {
		path, err := fieldpath.Parse(c.path)
		if err != nil {
			t.Fatal(err)
		}
		if got := entries[0].Owns(path); got != c.owns {
			t.Errorf("%s: %v", c.path, got)
		}
	}
}

func TestOf(t *testing.T) {
	var got []string
	for _, f := range owners.Of(object(t), fieldpath.New("spec")) {
		got = append(got, f.Path.String()+" "+f.Owners[0].Manager)
	}
	want := []string{
		"spec.containers[name=web].image kubectl-client-side-apply",
		"spec.containers[name=web].name kubectl-client-side-apply",
		"spec.ports[port=80,protocol=TCP].port kubectl-client-side-apply",
		"spec.ports[port=80,protocol=TCP].targetPort kubectl-client-side-apply",
		"spec.ports[port=80,protocol=UDP].port kubectl-client-side-apply",
		"spec.replicas kube-controller-manager",
		"spec.selector kubectl-client-side-apply",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestPart(t *testing.T) {
	all := owners.Read(object(t))[0].All()
	spec := all.Step(fieldpath.Step{Field: "spec"})
	selector := spec.Step(fieldpath.Step{Field: "selector"})
	if spec.Itself() || !selector.Whole() || !selector.Step(fieldpath.Step{Field: "app"}).Itself() || spec.Step(fieldpath.Step{Field: "type"}).Itself() {
		t.Errorf("spec %v, selector %v", spec, selector)
	}
}

// A manager that owns fields in two items, but no item, and nothing in the one
// asked for: what kubectl set image leaves.
func TestPartOfItemsThatNobodyMade(t *testing.T) {
	fields := tree.Object{"f:containers": tree.Object{
		`k:{"name":"a"}`: tree.Object{"f:image": tree.Object{}},
		`k:{"name":"b"}`: tree.Object{"f:image": tree.Object{}},
	}}
	entries := owners.Read(tree.Object{"metadata": tree.Object{"managedFields": []any{
		tree.Object{"manager": "kubectl-set", "operation": "Update", "apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": fields},
	}}})
	image := func(name string) fieldpath.Path {
		return fieldpath.New("containers").Join(fieldpath.Path{{Keys: []fieldpath.Key{{Name: "name", Value: name}}}, {Field: "image"}})
	}
	if e := entries[0]; !e.Owns(image("b")) || e.Owns(image("c")) {
		t.Errorf("owns b: %t, c: %t", e.Owns(image("b")), e.Owns(image("c")))
	}
}

func TestFieldsV1IsReadAsItIsWritten(t *testing.T) {
	for _, e := range tree.List(object(t), "metadata", "managedFields")[:2] {
		set, err := owners.Fields(e)
		if err != nil {
			t.Fatal(err)
		}
		if fields, err := owners.FieldsV1(set); err != nil || !tree.Equal(fields, tree.Map(e, "fieldsV1")) {
			t.Errorf("got %v, %v", fields, err)
		}
	}
}

func TestForget(t *testing.T) {
	o := object(t)
	owners.Forget(o, fieldpath.New("spec", "containers", "name"))
	for _, f := range owners.Of(o, fieldpath.New("spec", "containers")) {
		if len(f.Path) > 2 {
			t.Errorf("%s is left", f.Path)
		}
	}
}
