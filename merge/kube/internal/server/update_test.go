package server_test

import (
	"strings"
	"testing"

	"threeway/merge/kube/internal/custom"
	"threeway/merge/kube/internal/server"
	"threeway/merge/kube/internal/serverside"
	"threeway/merge/kube/internal/validation"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// defined is the definition of a kind of example.com/v1 with a schema.
func defined(t *testing.T, kind, plural string, schema tree.Object, checks custom.Checks) *custom.Definition {
	t.Helper()
	d, err := custom.Compile(tree.Object{"spec": tree.Object{
		"group": "example.com", "names": tree.Object{"kind": kind, "plural": plural},
		"versions": []any{tree.Object{"name": "v1", "served": true, "storage": true, "schema": tree.Object{"openAPIV3Schema": schema}}},
	}}, checks)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// outsideCore gives a definition to every kind that has a group.
func outsideCore(d *custom.Definition) func(schema.Kind) *custom.Definition {
	return func(k schema.Kind) *custom.Definition {
		if k.Group == "" {
			return nil
		}
		return d
	}
}

// TestGrowingStorage: of a claim, and of nothing else that requests storage, a class decides whether it may grow.
func TestGrowingStorage(t *testing.T) {
	d := defined(t, "Store", "stores", tree.Object{
		"type": "object", "properties": tree.Object{"spec": tree.Object{"type": "object", "x-kubernetes-preserve-unknown-fields": true}},
	}, custom.Checks{Minor: 37})
	s := &server.Server{Minor: 37, Strict: true, World: around(t, true), Definition: outsideCore(d)}
	for head, refused := range map[string]bool{
		"apiVersion: example.com/v1, kind: Store":                             false,
		"apiVersion: v1, kind: PersistentVolumeClaim, status: {phase: Bound}": true,
	} {
		of := func(size string) tree.Object {
			return object(t, "{"+head+", metadata: {name: a, namespace: default}, spec: {accessModes: [ReadWriteOnce], volumeMode: Filesystem, volumeName: v, storageClassName: '', resources: {requests: {storage: "+size+"}}}}")
		}
		r := s.Update(kindOf(of("1Gi")), of("1Gi"), of("2Gi")).Rejection
		if (r != nil) != refused || r != nil && !strings.Contains(r.Message.Unmasked(), "only dynamically provisioned pvc can be resized") {
			t.Errorf("%s: %v", head, r)
		}
	}
}

// TestUnknownFieldsOfRequests: what is sent as JSON is called unreadable, not an invalid
// patch, and a path is quoted as Go does. Asked of 1.37.2 by conformance-mutants.
func TestUnknownFieldsOfRequests(t *testing.T) {
	d := defined(t, "Ship", "ships", tree.Object{
		"type": "object", "properties": tree.Object{"spec": tree.Object{"type": "object", "properties": tree.Object{"crew": tree.Object{"type": "integer"}}}},
	}, custom.Checks{Minor: 37})
	s := &server.Server{Minor: 37, Strict: true, Definition: func(schema.Kind) *custom.Definition { return d }}
	ship := func(spec tree.Object) tree.Object {
		return tree.Object{"apiVersion": "example.com/v1", "kind": "Ship", "metadata": tree.Object{"name": "a", "namespace": "default"}, "spec": spec}
	}
	want := `Ship in version "v1" cannot be handled as a Ship: strict decoding error: unknown field "spec.crewx"`
	if r := s.Update(schema.ParseKind("example.com/v1", "Ship"), ship(tree.Object{}), ship(tree.Object{"crewx": int64(1)})).Rejection; r == nil || r.Message.Unmasked() != want {
		t.Errorf("got %v, want %s", r, want)
	}
	claim := tree.Object{"apiVersion": "v1", "kind": "ConfigMap", "metadata": tree.Object{"name": "a", "namespace": "default"}, `a\b`: "x"}
	want = `ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "a\\b"`
	if r := s.Create(schema.ParseKind("v1", "ConfigMap"), claim).Rejection; r == nil || r.Message.Unmasked() != want {
		t.Errorf("got %v, want %s", r, want)
	}
}

// TestPatchedMetadata: a changed object passes the checks of a new one, and its
// resourceVersion counts after it is read. Asked of 1.37.2.
func TestPatchedMetadata(t *testing.T) {
	d := defined(t, "Ship", "ships", tree.Object{"type": "object"}, custom.Checks{Object: validation.CustomMeta(37), Minor: 37})
	s := &server.Server{Minor: 37, Strict: true, World: around(t, true), Definition: outsideCore(d)}
	const ship, config, class = "apiVersion: example.com/v1, kind: Ship", "apiVersion: v1, kind: ConfigMap", "apiVersion: node.k8s.io/v1, kind: RuntimeClass, handler: a"
	for _, c := range []struct{ head, patch, want string }{
		{ship, "metadata: {finalizers: [a/b]}", ""},
		{ship, "metadata: {finalizers: ['-']}", "metadata.finalizers: Invalid value: \"-\": name part"},
		{ship, "metadata: {finalizers: [orphan, foregroundDeletion]}", "cannot be both set"},
		{ship, "metadata: {resourceVersion: x}", `parsing "x": invalid syntax`},
		{ship, "{metadata: {resourceVersion: x}, crew: 1}", `unknown field "crew"`},
		{config, "metadata: {resourceVersion: x}", `parsing "x": invalid syntax`},
		{config, "{metadata: {resourceVersion: x}, data: {a: [b]}}", "unrecognized type: string"},
		{config, "metadata: {resourceVersion: '2'}", "the object has been modified"},
		{config, "metadata: {resourceVersion: '01'}", ""},
		{config, "metadata: {resourceVersion: '00'}", ""},
		{ship, "metadata: {resourceVersion: '01'}", ""},
		{ship, "metadata: {resourceVersion: '00'}", `The ships "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update`},
		{ship, "metadata: {resourceVersion: ''}", "must be specified for an update"},
		{class, "metadata: {resourceVersion: '0'}", `The runtimeclasses "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update`},
	} {
		live := object(t, "{"+c.head+", metadata: {name: a, namespace: default, resourceVersion: '1'}}")
		r := s.Patch(kindOf(live), live, object(t, c.patch)).Rejection
		if (r != nil) != (c.want != "") || r != nil && !strings.Contains(r.Text().Unmasked(), c.want) {
			t.Errorf("%s, %s: %v", c.head, c.patch, r)
		}
	}
	fresh := object(t, "{"+config+", metadata: {name: b, namespace: default, resourceVersion: x}}")
	if r := s.Apply(kindOf(fresh), nil, serverside.Request{Manifest: fresh, Manager: "kubectl"}).Rejection; r == nil || !strings.Contains(r.Text().Unmasked(), `parsing "x": invalid syntax`) {
		t.Errorf("new, server-side: %v", r)
	}
}
