package server_test

import (
	"testing"

	"threeway/merge/kube/internal/custom"
	"threeway/merge/kube/internal/server"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

func TestFresh(t *testing.T) {
	s := &server.Server{Minor: 36, Definition: func(schema.Kind) *custom.Definition { return nil }}
	pod := "{containers: [{name: a, image: b, ports: [{containerPort: 80}], resources: {limits: {cpu: '0.5'}}}]}"
	for _, config := range []string{
		"{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: b}, spec: " + pod + "}",
		"{apiVersion: apps/v1, kind: Deployment, metadata: {name: a, namespace: b}, spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: " + pod + "}}}",
		"{apiVersion: batch/v1, kind: Job, metadata: {name: a, namespace: b}, spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: b}]}}}}",
		"{apiVersion: v1, kind: Service, metadata: {name: a, namespace: b}, spec: {type: NodePort, selector: {a: b}, ports: [{port: 80}]}}",
		"{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: a, namespace: b}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1024Mi}}}}",
		"{apiVersion: v1, kind: Namespace, metadata: {name: a}}",
		"{apiVersion: example.org/v1, kind: Unknown, metadata: {name: a}, spec: {b: [1]}}",
	} {
		obj := object(t, config)
		k := schema.ParseKind(tree.String(obj, "apiVersion"), tree.String(obj, "kind"))
		made := s.Create(k, obj)
		if made.Rejection != nil {
			t.Fatal(made.Rejection)
		}
		if got := s.Fresh(k, obj); !tree.Equal(got, made.Object) {
			t.Errorf("%s\ngot  %v\nwant %v", config, got, made.Object)
		}
	}
}

func TestFreshOfWhatIsRefused(t *testing.T) {
	s := &server.Server{Minor: 36, Definition: func(schema.Kind) *custom.Definition { return nil }}
	claim := object(t, "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: a, namespace: b}, spec: {accessModes: [ReadWriteOnce]}}")
	k := schema.Kind{Version: "v1", Kind: "PersistentVolumeClaim"}
	if s.Create(k, claim).Rejection == nil {
		t.Fatal("a claim for no storage is created")
	}
	if got := tree.String(s.Fresh(k, claim), "spec", "volumeMode"); got != "Filesystem" {
		t.Errorf("the default of volumeMode is %q", got)
	}
	if got := s.Fresh(k, object(t, "{apiVersion: v1, kind: PersistentVolumeClaim, spec: {volumeMode: 1}}")); got != nil {
		t.Errorf("what does not decode is %v", got)
	}
}
