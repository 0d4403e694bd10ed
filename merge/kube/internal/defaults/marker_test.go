package defaults_test

import (
	"testing"

	"threeway/merge/kube/internal/defaults"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// TestMarkers: what a +default marker of the types says, a number or an object, becomes
// the value of the field (staging/src/k8s.io/api of Kubernetes 1.37).
func TestMarkers(t *testing.T) {
	for _, c := range []struct {
		group, version, kind, field string
		want                        any
	}{
		{"", "v1", "ReplicationController", "replicas", int64(1)},
		{"certificates.k8s.io", "v1beta1", "PodCertificateRequest", "maxExpirationSeconds", int64(86400)},
		{"scheduling.k8s.io", "v1beta1", "PodGroup", "disruptionMode", tree.Object{"single": tree.Object{}}},
	} {
		o := tree.Object{"spec": tree.Object{}}
		defaults.Apply(o, schema.Lookup(schema.Kind{Group: c.group, Version: c.version, Kind: c.kind}), 37)
		if got, _ := tree.Get(o, "spec", c.field); !tree.Equal(got, c.want) {
			t.Errorf("%s of %s is %v", c.field, c.kind, got)
		}
	}
}

// TestRequests: a Pod gets the requests that its limits say, an empty map of an empty one
// (pkg/apis/core/v1 SetDefaults_Pod).
func TestRequests(t *testing.T) {
	for _, c := range []struct{ resources, want tree.Object }{
		{tree.Object{}, tree.Object{}},
		{tree.Object{"limits": tree.Object{}}, tree.Object{"limits": tree.Object{}, "requests": tree.Object{}}},
		{tree.Object{"limits": tree.Object{"cpu": "1"}}, tree.Object{"limits": tree.Object{"cpu": "1"}, "requests": tree.Object{"cpu": "1"}}},
	} {
		o := tree.Object{"spec": tree.Object{"containers": []any{tree.Object{"name": "main", "resources": c.resources}}}}
		defaults.Apply(o, schema.Lookup(schema.Kind{Version: "v1", Kind: "Pod"}), 37)
		if got := tree.Map(tree.List(o, "spec", "containers")[0], "resources"); !tree.Equal(got, c.want) {
			t.Errorf("resources are %v, want %v", got, c.want)
		}
	}
}
