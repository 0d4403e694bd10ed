package manifest

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

func snapshotOf(text string) *Snapshot {
	return ReadSnapshot(Options{Paths: []string{"-"}, Stdin: strings.NewReader(text)})
}

const dump = `apiVersion: v1
kind: List
metadata: {resourceVersion: ""}
items:
- apiVersion: apps/v1
  kind: Deployment
  metadata:
    name: api
    namespace: shop
    managedFields: [{manager: kubectl, operation: Update, fieldsV1: {f:spec: {}}}]
- apiVersion: v1
  kind: Namespace
  metadata: {name: shop}
---
apiVersion: batch/v1
kind: JobList
items: []
`

func TestSnapshot(t *testing.T) {
	s := snapshotOf(dump)
	if len(s.Problems) > 0 || len(s.Entries) != 2 {
		t.Fatalf("%d objects, %v", len(s.Entries), s.Problems)
	}
	o := s.Find(Identity{"apps", "Deployment", "shop", "api"})
	if o == nil || o.Kind.Version != "v1" || !tree.Has(o.Tree, "metadata", "managedFields") {
		t.Errorf("found %+v", o)
	}
	if o := s.Find(Identity{"apps", "Deployment", "other", "api"}); o != nil {
		t.Errorf("found %v in another namespace", o.ID())
	}
	if got, want := fmt.Sprint(s.Kinds()), "[{ v1 Namespace} {apps v1 Deployment} {batch v1 Job}]"; got != want {
		t.Errorf("kinds %s, want %s", got, want)
	}
	if got := s.Namespaces(); !reflect.DeepEqual(got, []string{"shop"}) {
		t.Errorf("namespaces %v", got)
	}
	if !s.Covers("batch", "Job") || s.Covers("", "Job") || s.Covers("", "Pod") {
		t.Error("covers more or less than Deployment, Namespace and Job")
	}
	for kind, want := range map[string][2]bool{"Deployment": {true, true}, "Job": {false, false}} {
		namespaced, known := s.Scope(schema.Kind{Group: "apps", Version: "v2", Kind: kind})
		if namespaced != want[0] || known != want[1] {
			t.Errorf("scope of %s: %v, %v", kind, namespaced, known)
		}
	}
}

// The namespace that an object is given must be in the tree, since kubectl
// writes it into the last-applied annotation.
func TestNamespaceInTree(t *testing.T) {
	s := readText("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: b, namespace: x}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: \"\"}\n")
	s.Build(Builder{Scope: testScope, Namespace: "team"})
	var got []string
	for _, o := range s.Objects {
		got = append(got, fmt.Sprint(o.Tree["metadata"]))
	}
	want := []string{"map[name:a namespace:team]", "map[name:b]", "map[name:c namespace:team]"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestErr(t *testing.T) {
	s := readText("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, name: b}\n---\n\ta")
	if err := Err(s.Problems[:1]); err != nil {
		t.Errorf("a warning is an error: %v", err)
	}
	if err := Err(s.Problems); err == nil || !strings.HasPrefix(err.Error(), "STDIN:5:1: error parsing STDIN: ") {
		t.Errorf("got %v", err)
	}
}

// writeConfig writes n files of manifests and returns their directory.
func writeConfig(b *testing.B, n int) (dir string, size int64) {
	dir = b.TempDir()
	text := strings.Repeat(strings.ReplaceAll(deployment, "12: y", "12: z")+"---\n", 10)
	for i := range n {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%03d.yaml", i)), []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	return dir, int64(n * len(text))
}

func BenchmarkRead(b *testing.B) {
	dir, size := writeConfig(b, 80)
	b.SetBytes(size)
	for b.Loop() {
		if s := Read(Options{Paths: []string{dir}}); len(s.Objects) != 800 {
			b.Fatal(s.Problems)
		}
	}
}

func BenchmarkReadSnapshot(b *testing.B) {
	item := `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a%d","namespace":"shop"},"data":{"k":"v\n","n":[1,2.5,true,null]}}`
	items := make([]string, 20000)
	for i := range items {
		items[i] = fmt.Sprintf(item, i)
	}
	text := `{"apiVersion":"v1","kind":"List","items":[` + strings.Join(items, ",\n") + `]}`
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if s := snapshotOf(text); len(s.Entries) != len(items) {
			b.Fatal(s.Problems)
		}
	}
}
