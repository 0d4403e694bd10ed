package strategic

import (
	"os"
	"testing"

	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// object reads YAML into a tree, nil where there is none.
func object(text string) tree.Object {
	var m tree.Object
	data, err := yaml.YAMLToJSON([]byte(text))
	if err == nil {
		err = kjson.UnmarshalCaseSensitivePreserveInts(data, &m)
	}
	if err != nil {
		panic(err)
	}
	return m
}

func benchmarked(b *testing.B) (last, config, live tree.Object, t *schema.Type) {
	var objects [3]tree.Object
	for i, name := range []string{"last-applied", "config", "live"} {
		text, err := os.ReadFile("testdata/" + name + ".yaml")
		if err != nil {
			b.Fatal(err)
		}
		objects[i] = object(string(text))
	}
	b.ReportAllocs()
	return objects[0], objects[1], objects[2], schema.Lookup(schema.Kind{Group: "apps", Version: "v1", Kind: "Deployment"})
}

func BenchmarkPatch(b *testing.B) {
	last, config, live, t := benchmarked(b)
	for b.Loop() {
		if _, err := Patch(last, config, live, t, true); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkApply(b *testing.B) {
	last, config, live, t := benchmarked(b)
	patch, err := Patch(last, config, live, t, true)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Apply(live, patch, t); err != nil {
			b.Fatal(err)
		}
	}
}
