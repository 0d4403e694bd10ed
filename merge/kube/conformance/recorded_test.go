package conformance

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

var cases = flag.String("cases", os.Getenv("CONFORMANCE_CASES"), "folder of recorded cases, each NAME/{config,live.json,expect/csa-patches.json}")

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// TestRecorded takes each object that a case has in its config and live. Both
// sides must agree on it, and with the body that kubectl really sent.
func TestRecorded(t *testing.T) {
	if *cases == "" {
		t.Skip("no -cases")
	}
	dirs, err := filepath.Glob(filepath.Join(*cases, "*", "expect", "csa-patches.json"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no cases in %s: %v", *cases, err)
	}
	var objects, customs, bodies, cut, unseen int
	for _, file := range dirs {
		c := readCase(t, filepath.Dir(filepath.Dir(file)))
		for _, o := range c.config.Objects {
			live := c.live.Find(o.ID())
			if live == nil || live.Kind != o.Kind { // not recorded, or in another version
				unseen += len(c.bodies[c.path(o)])
				delete(c.bodies, c.path(o))
				continue
			}
			tr := triple{last: appliedLast(t, live), config: annotated(o.Tree), live: live.Tree}
			k := kindOf(o.Kind)
			if k == custom {
				customs++
			}
			objects++
			if d := difference(k, tr, nil); d != "" {
				t.Errorf("%s: %s: %s", c.name, o.ID(), d)
			}
			merge := ourJSONPatch(tr)
			if k != custom {
				merge = ourPatch(k, tr, true)
			}
			got := merge().json
			for _, body := range c.bodies[c.path(o)] {
				want, length, wasCut := uncut(body)
				if wasCut {
					cut++
				}
				bodies++
				if len(got) != length || !strings.HasPrefix(got, want) {
					t.Errorf("%s: %s:\nours    %s\nkubectl %s", c.name, o.ID(), got, body)
				}
			}
			delete(c.bodies, c.path(o))
		}
		for path := range c.bodies {
			t.Errorf("%s: no object for the PATCH of %s", c.name, path)
		}
	}
	t.Logf("%d cases: %d objects, %d of them custom resources; %d recorded PATCH bodies, %d of them cut short; %d more without a recorded live object",
		len(dirs), objects, customs, bodies, cut, unseen)
}

// uncut is a recorded body, or the beginning and the length of one that was
// cut short in the recording.
func uncut(body string) (text string, length int, cut bool) {
	text, rest, cut := strings.Cut(body, " [truncated ")
	if !cut {
		return body, len(body), false
	}
	missing, err := strconv.Atoi(strings.TrimSuffix(rest, " chars]"))
	if err != nil {
		return body, len(body), false
	}
	return text, len(text) + missing, true
}

// recorded is a case.
type recorded struct {
	name      string
	config    *manifest.Set
	live      *manifest.Snapshot
	bodies    map[string][]string // of PATCH requests, by path
	resources map[schema.Kind]schema.Resource
}

func readCase(t *testing.T, dir string) recorded {
	c := recorded{name: filepath.Base(dir), bodies: map[string][]string{}, resources: map[schema.Kind]schema.Resource{}}
	c.config = manifest.Read(manifest.Options{Paths: []string{filepath.Join(dir, "config")}, Recursive: true})
	c.live = manifest.ReadSnapshot(manifest.Options{Paths: []string{filepath.Join(dir, "live.json")}})
	for _, o := range append(append([]*manifest.Object(nil), c.config.Objects...), slices.Collect(c.live.Objects())...) {
		if o.Kind.Kind == "CustomResourceDefinition" {
			k := schema.Kind{Group: tree.String(o.Tree, "spec", "group"), Kind: tree.String(o.Tree, "spec", "names", "kind")}
			c.resources[k] = schema.Resource{Kind: k, Plural: tree.String(o.Tree, "spec", "names", "plural"), Namespaced: tree.String(o.Tree, "spec", "scope") == "Namespaced"}
		}
	}
	c.config.Build(manifest.Builder{Scope: func(k schema.Kind) (bool, bool) {
		r, ok := c.resource(k)
		return r.Namespaced, ok
	}})
	text, err := os.ReadFile(filepath.Join(dir, "expect", "csa-patches.json"))
	if err != nil {
		t.Fatal(err)
	}
	var requests []struct{ Verb, Path, Body string }
	if err := json.Unmarshal(text, &requests); err != nil {
		t.Fatal(err)
	}
	for _, r := range requests {
		if r.Verb == "PATCH" {
			c.bodies[r.Path] = append(c.bodies[r.Path], r.Body)
		}
	}
	return c
}

func (c recorded) resource(k schema.Kind) (schema.Resource, bool) {
	if r, ok := schema.Builtin(k); ok {
		return r, true
	}
	r, ok := c.resources[schema.Kind{Group: k.Group, Kind: k.Kind}]
	return r, ok
}

// path is the path of an object in the API.
func (c recorded) path(o *manifest.Object) string {
	root := "/apis/" + o.Kind.Group + "/" + o.Kind.Version
	if o.Kind.Group == "" {
		root = "/api/" + o.Kind.Version
	}
	if o.Namespace != "" {
		root += "/namespaces/" + o.Namespace
	}
	r, _ := c.resource(o.Kind)
	return root + "/" + r.Plural + "/" + o.Name
}

// appliedLast is the config in the annotation of a live object.
func appliedLast(t *testing.T, live *manifest.Object) tree.Object {
	text := tree.String(live.Tree, "metadata", "annotations", lastApplied)
	if text == "" {
		return nil
	}
	if !json.Valid([]byte(text)) {
		t.Fatalf("%s: the annotation is not JSON", live.ID())
	}
	return decode(text)
}

// annotated is the config as kubectl compares it: with itself in the
// annotation (kubectl pkg/util/apply.go GetModifiedConfiguration).
func annotated(config tree.Object) tree.Object {
	config = tree.CopyObject(config)
	tree.Delete(config, "metadata", "annotations", lastApplied)
	if tree.Map(config, "metadata", "annotations") == nil {
		tree.Set(config, tree.Object{}, "metadata", "annotations")
	}
	tree.Set(config, encode(config)+"\n", "metadata", "annotations", lastApplied)
	return config
}
