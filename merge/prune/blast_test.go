package prune

import (
	"slices"
	"strings"
	"testing"

	"threeway/merge/manifest"
	"threeway/merge/selector"
)

const cluster = `
{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop, uid: d, annotations: {kubectl.kubernetes.io/last-applied-configuration: "{}"}}}
---
{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: web-1, namespace: shop, uid: r, ownerReferences: [{uid: d}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: web-1-a, namespace: shop, uid: p, ownerReferences: [{uid: r}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: shared, namespace: shop, uid: s, ownerReferences: [{uid: r}, {uid: elsewhere}]}}
---
{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data, namespace: shop, uid: c, annotations: {kubectl.kubernetes.io/last-applied-configuration: "{}"}}, spec: {volumeName: pv}}
---
{apiVersion: v1, kind: PersistentVolume, metadata: {name: pv, uid: v}, spec: {persistentVolumeReclaimPolicy: Delete, claimRef: {uid: c}}}
---
{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: kept, namespace: shop, uid: k, annotations: {kubectl.kubernetes.io/last-applied-configuration: "{}"}}, spec: {volumeName: pv-kept}}
---
{apiVersion: v1, kind: PersistentVolume, metadata: {name: pv-kept}, spec: {persistentVolumeReclaimPolicy: Retain, claimRef: {uid: k}}}
`

// A deletion takes along what it owns through any number of steps, unless
// another owner is left, and the volumes that the reclaim policy deletes.
func TestBlastRadius(t *testing.T) {
	live := manifest.ReadSnapshot(manifest.Options{Paths: []string{"-"}, Stdin: strings.NewReader(cluster)})
	everything, err := selector.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	visited := Visited{Namespaces: map[string]bool{"shop": true}}
	r := ByAllowlist(live, visited, Allowlist{Selector: everything})
	got := map[string][]string{}
	for _, c := range r.Pruned() {
		for _, taken := range c.Takes {
			got[c.Live.Name] = append(got[c.Live.Name], taken.Live.Name)
		}
	}
	for name, want := range map[string][]string{"web": {"web-1", "web-1-a"}, "data": {"pv"}, "kept": nil} {
		if !slices.Equal(got[name], want) {
			t.Errorf("%s takes %v, want %v", name, got[name], want)
		}
	}
}
