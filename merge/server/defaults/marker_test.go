package defaults_test

import (
	"testing"

	"threeway/merge/schema"
	"threeway/merge/server/defaults"
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
