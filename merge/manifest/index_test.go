package manifest

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"threeway/merge/fieldpath"
	"threeway/merge/text/source"
	"threeway/merge/tree"
)

// checkIndex holds the index of a text against the general reader, and tells
// whether the text was indexed. Unheld, the index works through small windows
// of a file, in many chunks.
func checkIndex(t *testing.T, file, text string, held bool) (indexed bool) {
	t.Helper()
	if !held {
		defer func(w, s int64) { windowSize, chunkSize = w, s }(windowSize, chunkSize)
		windowSize, chunkSize = 250, 900
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	from := &sourceFile{file: file, text: text, held: held, size: int64(len(text))}
	if !held {
		var none atomic.Int64
		none.Add(maxHeld)
		var err error
		if from, err = openSource(file, Options{}, nil, &none); err != nil || from.held {
			t.Fatal(err, "held")
		}
	}
	fast := reader{live: true}
	x, ok := from.index()
	if !ok || !fast.indexed(x) {
		return false
	}
	x = fast.index
	general := reader{live: true}
	general.text(file, source.DecodeText([]byte(text)))
	if !reflect.DeepEqual(fast.lists, general.lists) || len(general.set.Problems) > 0 || len(x.entries) != len(general.set.Objects) {
		t.Fatalf("%q\nindexed: %v, %d entries; read: %v, %d objects, %v", text, fast.lists, len(x.entries), general.lists, len(general.set.Objects), general.set.Problems)
	}
	newest := ""
	for i, want := range general.set.Objects {
		newest = max(newest, newestWrite(want.Tree))
		compareEntry(t, x.entries[i], want)
	}
	if err := from.failure(); err != nil || x.newest != newest {
		t.Errorf("newest write %q, want %q; %v", x.newest, newest, err)
	}
	return true
}

func compareEntry(t *testing.T, e *Entry, want *Object) {
	t.Helper()
	reader, parts := treeReader{keep: unmanaged()}, treeReader{keep: only([]string{"spec.containers.name", "data"})}
	defer reader.close()
	defer parts.close()
	if got := reader.tree(e); got != nil {
		all := tree.CopyObject(want.Tree)
		delete(tree.Map(all, "metadata"), "managedFields")
		if !reflect.DeepEqual(got, all) {
			t.Errorf("%s: without managedFields %v, want %v", e.ID(), got, all)
		}
		part := parts.tree(e)
		if part == nil || tree.Has(part, "status") || !reflect.DeepEqual(part["data"], all["data"]) || tree.Has(all, "spec", "containers") != tree.Has(part, "spec", "containers") {
			t.Errorf("%s: parts are %v of %v", e.ID(), part, all)
		}
	} else if !e.event && e.text != nil && e.Kind.Kind != "Secret" && e.text.form != source.FormBlock {
		t.Errorf("%s is not decoded without managedFields", e.ID())
	}
	known, got := newEntry(want.Tree), e.Object()
	if e.ID() != want.ID() || e.Kind != known.Kind || e.UID != known.UID || !slices.Equal(e.Owners, known.Owners) || e.LastApplied != known.LastApplied ||
		fmt.Sprint(e.Labels()) != fmt.Sprint(tree.Map(want.Tree, "metadata", "labels")) {
		t.Errorf("entry %+v, want %+v", e, known)
	}
	if !reflect.DeepEqual(got.Tree, want.Tree) || got.Origin != want.Origin {
		t.Errorf("%s: decoded %v %v, want %v %v", e.ID(), got.Origin, got.Tree, want.Origin, want.Tree)
	}
	paths := []fieldpath.Path{nil, fieldpath.New("metadata", "name"), fieldpath.New("nowhere")}
	eachPath(want.Tree, nil, func(p fieldpath.Path) { paths = append(paths, p) })
	for _, p := range paths[:min(len(paths), 20)] {
		l1, c1, x1 := got.Position(p)
		l2, c2, x2 := want.Position(p)
		if l1 != l2 || c1 != c2 || x1 != x2 {
			t.Errorf("%s %s is at %d:%d %v, want %d:%d %v", e.ID(), p, l1, c1, x1, l2, c2, x2)
		}
		if got.SourceLine(l1) != want.SourceLine(l2) && !strings.Contains(got.SourceLine(l1), "{") && strings.TrimLeft(got.SourceLine(l1), " -") != strings.TrimLeft(want.SourceLine(l2), " -") {
			t.Errorf("%s line %d is %q, want %q", e.ID(), l1, got.SourceLine(l1), want.SourceLine(l2))
		}
	}
}

// FuzzIndex: whatever is indexed is what the general reader reads.
func FuzzIndex(f *testing.F) {
	seed(f)
	for _, text := range lists() {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file := filepath.Join(t.TempDir(), "dump")
		if len(data) > 0 && checkIndex(t, file, string(data), true) != checkIndex(t, file, string(data), false) {
			t.Error("whether a text is indexed depends on the window")
		}
	})
}

// lists are dumps as kubectl writes them, and some that are nearly so.
func lists() []string {
	const item = `        {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {
                "annotations": {
                    "kubectl.kubernetes.io/last-applied-configuration": "{\"a\":\"\u00e9\\n\"}\n"
                },
                "labels": {
                    "app": "é"
                },
                "managedFields": [
                    {
                        "manager": "kubectl",
                        "time": "2026-01-0%dT00:00:00Z"
                    }
                ],
                "name": "api-%d",
                "namespace": "shop",
                "ownerReferences": [
                    {
                        "uid": "u-1"
                    }
                ],
                "uid": "u-%d"
            },
            "spec": {
                "list": [],
                "n": -1.5e3,
                "none": null,
                "replicas": 2,
                "x": {}
            }
        }`
	var items []string
	for i := range 9 {
		items = append(items, fmt.Sprintf(item, i+1, i, i))
	}
	asJSON := "{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n" + strings.Join(items, ",\n") + "\n    ],\n    \"kind\": \"List\",\n    \"metadata\": {\n        \"resourceVersion\": \"\"\n    }\n}\n"
	const yamlItem = `- apiVersion: v1
  kind: ConfigMap
  metadata:
    annotations:
      kubectl.kubernetes.io/last-applied-configuration: |
        {"a":"b"}
    labels:
      app: "é"
    managedFields:
    - manager: kubectl
      time: "2026-01-0%dT00:00:00Z"
    name: settings-%d
    namespace: shop
    ownerReferences:
    - uid: u-1
    uid: u-%d
  data:
    script: |
      #!/bin/sh

      - not an item
    text: long and
      folded
`
	asYAML := "apiVersion: v1\nitems:\n"
	for i := range 9 {
		asYAML += fmt.Sprintf(yamlItem, i+1, i, i)
	}
	asYAML += "kind: List\nmetadata:\n  resourceVersion: \"\"\n"
	nested := strings.ReplaceAll(asYAML[:strings.Index(asYAML, "kind: List")], "\n", "\n  ")
	nested = "kind: List\napiVersion: v1\nitems:\n  " + strings.TrimRight(nested[strings.Index(nested, "- "):], " ")
	flow := strings.ReplaceAll(asJSON, `"apiVersion"`, "apiVersion")
	lines := strings.TrimPrefix(strings.ReplaceAll(asYAML[:strings.Index(asYAML, "kind: List")], "\n- ", "\n---\n- "), "apiVersion: v1\nitems:\n---\n")
	documents := strings.ReplaceAll(strings.ReplaceAll("\n"+lines, "\n  ", "\n"), "\n- ", "\n")[1:]
	typed := strings.NewReplacer("            \"apiVersion\": \"apps/v1\",\n            \"kind\": \"Deployment\",\n", "", `"kind": "List"`, `"kind": "DeploymentList"`, `"apiVersion": "v1"`, `"apiVersion": "apps/v1"`).Replace(asJSON)
	compact := strings.NewReplacer("\n", "", " ", "").Replace(asJSON)
	return []string{
		asJSON, asYAML, compact, strings.ReplaceAll(asJSON, "\n", "\r\n"), strings.ReplaceAll(asYAML, "\n", "\r\n"),
		strings.Replace(asYAML, "kind: List", "---\nkind: List", 1), strings.TrimSuffix(asYAML, "kind: List\nmetadata:\n  resourceVersion: \"\"\n"),
		"kind: List\n" + strings.Replace(asYAML, "kind: List\n", "", 1), strings.Replace(asJSON, `"kind": "List"`, `"kind": "DeploymentList"`, 1),
		asJSON[:len(asJSON)/2], asYAML[:len(asYAML)/2], strings.Replace(asJSON, `"x": {}`, `"x": {"items": [], "x": 1, "x": 2}`, 1),
		strings.Replace(asJSON, "\n        },\n        {\n", "\n        },\n        {\n        \"x\":[{\n        },\n        {\n        }],\n", 4),
		"# by hand\n" + strings.Replace(asYAML, "- apiVersion", "# here\n- apiVersion", 2), asJSON + asJSON, asYAML + "---\n" + asYAML,
		asYAML + "---\napiVersion: v1\nkind: SecretList\nitems: []\n---\napiVersion: apps/v1\nkind: DeploymentList\nitems: []\n",
		asYAML + "---\napiVersion: v1\nkind: SecretList\nitems: [\n", asYAML + "---\napiVersion: v1\nkind: Secret\n",
		nested, flow, "---\n" + flow + "---\n" + flow, documents, documents + "---\n" + asYAML + "---\n" + documents, typed, asJSON + typed + strings.Join(items, "\n"),
	}
}

// What kubectl writes is indexed; what is out of the ordinary is not.
func TestIndexed(t *testing.T) {
	want := []bool{true, true, true, true, false, false, false, true, true, false, false, false, true, true, true, true, true, false, false,
		true, true, true, true, true, true, true}
	for i, text := range lists() {
		for _, held := range []bool{true, false} {
			if got := checkIndex(t, filepath.Join(t.TempDir(), "dump"), text, held); got != want[i] {
				t.Errorf("list %d, held %v: indexed %v, want %v", i, held, got, want[i])
			}
		}
	}
}

// A file that changes after it was indexed is noticed when an object is needed.
func TestChangedFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "dump.json")
	text := lists()[0]
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var none atomic.Int64
	none.Add(maxHeld)
	r := reader{live: true}
	opened, err := openSource(file, Options{}, nil, &none)
	if err != nil {
		t.Fatal(err)
	}
	r.dump(opened, false)
	s := &Snapshot{Entries: r.index.entries, sources: []*sourceFile{r.index.source}}
	if err := os.WriteFile(file, []byte(text[:900]), 0o600); err != nil {
		t.Fatal(err)
	}
	if o := s.Entries[3].Object(); o.Name != "api-3" {
		t.Errorf("object %q", o.Name)
	}
	if err := s.Failed(); err == nil || !strings.Contains(err.Error(), "changed") {
		t.Errorf("failure %v", err)
	}
}
