package mask

import (
	"testing"

	"threeway/merge/tree"
)

// TestReleaseInConfigMap: a release in a ConfigMap is masked even without a policy.
func TestReleaseInConfigMap(t *testing.T) {
	of := func(name string) tree.Object {
		return tree.Object{"apiVersion": "v1", "kind": "ConfigMap", "metadata": tree.Object{"name": name}, "data": tree.Object{"release": "H4sI"}}
	}
	for _, p := range []*Policy{nil, {}} {
		release := of("sh.helm.release.v1.shop.v1")
		if got := tree.String(p.Object(release), "data", "release"); got == "H4sI" {
			t.Errorf("%v: the release is unmasked", p)
		}
		if !p.Holds(release) || len(p.Hidden(release)) == 0 {
			t.Errorf("%v: nothing is said to be hidden", p)
		}
		if got := tree.String(p.Object(of("shop")), "data", "release"); got != "H4sI" {
			t.Errorf("%v: another ConfigMap is masked: %s", p, got)
		}
	}
}
