package merge_test

import (
	"strings"
	"testing"

	"threeway/merge"
	"threeway/merge/by/helm"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

const shop = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shop, namespace: shop}\n"

func manifests(data string) *manifest.Set {
	return manifest.Read(manifest.Options{Paths: []string{"-"}, Stdin: strings.NewReader(shop + "data: " + data)})
}

// TestNext: what follows an upgrade or a rollback upgrades from what that has applied.
func TestNext(t *testing.T) {
	back := &helm.Release{Namespace: "shop", Name: "shop", Original: manifests("{a: '1'}"), From: 5, Rollback: 3}
	next := back.Next(manifests("{b: '1'}")).(*helm.Release)
	if title := next.Title("client-side"); next.Verb() != "upgrade" || strings.Contains(title, "revision") {
		t.Errorf("after a rollback comes %s", title)
	}
	if first := (&helm.Release{Original: manifests("{a: '1'}")}).Next(nil).(*helm.Release); first.Verb() != "install" {
		t.Errorf("in an empty cluster comes an %s", first.Verb())
	}
}

// TestAgain: applied again, Helm compares with the manifest that was applied last, and so
// removes what only that has.
func TestAgain(t *testing.T) {
	live := shop + `  labels: {app.kubernetes.io/managed-by: Helm}
  annotations: {meta.helm.sh/release-name: shop, meta.helm.sh/release-namespace: shop}
data: {a: '1'}`
	live = strings.Replace(live, "{name: shop, namespace: shop}", "\n  name: shop\n  namespace: shop", 1)
	p, err := merge.New(merge.Options{Options: rehearsal.Options{
		Inputs: rehearsal.Inputs{Manifests: manifests("{a: '1', b: '2'}"), Live: manifest.ReadSnapshot(manifest.Options{Paths: []string{"-"}, Stdin: strings.NewReader(live)})},
		Client: rehearsal.Client{By: &helm.Release{Namespace: "shop", Name: "shop", Major: 4, Original: manifests("{a: '1'}")}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	o := p.Outcomes[0]
	if o.Action != rehearsal.Configured || tree.String(o.Result, "data", "b") != "2" {
		t.Fatalf("the upgrade is %s: %v", o.Action, o.Rejection)
	}
	if back := o.Run.Next(o, manifests("{a: '1'}").Objects[0]); tree.Has(back.Result, "data", "b") {
		t.Errorf("applied again without b, it stays: %v", back.Result["data"])
	}
}
