package merge_test

import (
	"fmt"
	"strings"
	"testing"

	"threeway/merge/kube"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// TestMaskedForms: what a policy has copied from a Secret is in no form of a masked outcome.
func TestMaskedForms(t *testing.T) {
	labelled := func(value string) tree.Object {
		return tree.Object{"apiVersion": "v1", "kind": "ConfigMap", "metadata": tree.Object{"name": "a", "labels": tree.Object{"copy": value}}}
	}
	o := &rehearsal.Outcome{}
	o.Manifest = &manifest.Object{Tree: tree.Object{"apiVersion": "v1", "kind": "ConfigMap", "metadata": tree.Object{"name": "a"}}}
	o.Before, o.Result = labelled("was-secret"), labelled("is-secret")
	o.Owned = func() tree.Object { return labelled("is-secret") }
	o.Mutations = []kube.Mutation{{Secret: true, Before: labelled("was-secret"), After: labelled("is-secret")}}
	m := o.Masked(nil)
	for name, form := range map[string]tree.Object{"live": m.Before, "result": m.Result, "stored": m.Stored()} {
		if text := fmt.Sprint(form); strings.Contains(text, "secret") || !strings.Contains(text, "***") {
			t.Errorf("%s: %s", name, text)
		}
	}
}
