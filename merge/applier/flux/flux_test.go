package flux

import (
	"encoding/json"
	"slices"
	"testing"

	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// TestOrder is that of Flux: stages, then kinds, then names.
func TestOrder(t *testing.T) {
	set := read(`{apiVersion: v1, kind: Service, metadata: {name: s, namespace: a}}
---
{apiVersion: example.com/v1, kind: Till, metadata: {name: t, namespace: a}}
---
{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: {name: v}}
---
{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: fast}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: b}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: d, namespace: a}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: a}}
---
{apiVersion: v1, kind: Secret, metadata: {name: left, namespace: a, labels: {kustomize.toolkit.fluxcd.io/reconcile: Disabled}}}
`)
	if len(set.Problems) > 0 {
		t.Fatal(set.Problems)
	}
	rest, skipped := (&Kustomization{}).Arrange(set.Objects)
	var names []string
	for _, o := range append(rest, skipped...) {
		names = append(names, o.Name)
	}
	if got, _ := json.Marshal(names); string(got) != `["a","fast","d","c","s","t","v","left"]` {
		t.Errorf("%s", got)
	}
}

// TestManifest: kinds that Flux puts through their Go types lose what these do not have;
// roles, definitions and what client-go does not know stay as they are, without a status.
func TestManifest(t *testing.T) {
	for _, c := range []struct {
		kind        string
		junk, state bool
	}{
		{"rbac.authorization.k8s.io/v1, kind: Role", true, true},
		{"rbac.authorization.k8s.io/v1, kind: ClusterRole", true, true},
		{"rbac.authorization.k8s.io/v1, kind: RoleBinding", false, false},
		{"iam.example.com/v1, kind: Role", true, false},
		{"apiextensions.k8s.io/v1, kind: CustomResourceDefinition", true, true},
		{"apiregistration.k8s.io/v1, kind: APIService", true, false},
		{"v1, kind: ConfigMap", false, false},
	} {
		o := read("{apiVersion: " + c.kind + ", metadata: {name: a}, junk: 1, status: {a: b}}").Objects[0]
		out := (&Kustomization{}).Manifest(o.Tree, o.Kind)
		if tree.Has(out, "junk") != c.junk || tree.Has(out, "status") != c.state {
			t.Errorf("%s: %v", c.kind, out)
		}
	}
}

// FuzzKustomization: whatever a Kustomization and a manifest hold, a pointer of the one is
// found, replaced and removed in the other, and nothing changes what was read.
func FuzzKustomization(f *testing.F) {
	f.Add(`{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: k}, spec: {targetNamespace: b, ignore: [{paths: [/spec/a/0, ""], target: {kind: D.*}}]}}`,
		`{apiVersion: apps/v1, kind: Deployment, metadata: {name: d, labels: {a: null}}, spec: {a: [1, 2]}, subjects: [1]}`)
	f.Add(`{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: k}, spec: {ignore: [{paths: [/data/x]}]}}`,
		`{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Secret, metadata: x, stringData: {x: 1}}]}`)
	f.Fuzz(func(t *testing.T, kustomization, objects string) {
		for _, o := range read(kustomization).Objects {
			k, err := Read(o)
			if err != nil {
				continue
			}
			set := read(objects)
			all := slices.Clone(set.Objects)
			before, _ := json.Marshal(trees(all))
			rest, _ := k.Arrange(set.Objects)
			for _, o := range rest {
				m := k.Manifest(o.Tree, o.Kind)
				k.Ignored.Without(m, m)
				_, _ = k.Ignored.Payload(m, tree.Object{}, m, "kustomize-controller")
				_, _ = k.Ignored.Payload(m, m, tree.Object{}, "kustomize-controller")
			}
			if after, _ := json.Marshal(trees(all)); string(before) != string(after) {
				t.Errorf("%s became %s", before, after)
			}
		}
	})
}

func trees(objects []*manifest.Object) (list []tree.Object) {
	for _, o := range objects {
		list = append(list, o.Tree)
	}
	return list
}

func read(text string) *manifest.Set {
	return manifest.ReadFiles([]manifest.File{{Name: "a.yaml", Data: []byte(text)}}, manifest.Limits{})
}
