package conformance

import (
	"os"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"sigs.k8s.io/yaml"

	"threeway/merge"
	"threeway/merge/manifest"
	"threeway/merge/schema"
	"threeway/merge/strategic"
	"threeway/merge/tree"
)

// benchmarked reads the Deployment that merge/strategic is measured with.
func benchmarked(b *testing.B) (k *kind, texts [3][]byte, t triple) {
	for i, name := range []string{"last-applied", "config", "live"} {
		text, err := os.ReadFile("../strategic/testdata/" + name + ".yaml")
		if err != nil {
			b.Fatal(err)
		}
		if texts[i], err = yaml.YAMLToJSON(text); err != nil {
			b.Fatal(err)
		}
	}
	k = kindOf(schema.Kind{Group: "apps", Version: "v1", Kind: "Deployment"})
	b.ReportAllocs()
	return k, texts, triple{last: decode(string(texts[0])), config: decode(string(texts[1])), live: decode(string(texts[2]))}
}

// must stops at an error. b.Fatal does not return.
func must[T any](b *testing.B) func(T, error) T {
	return func(v T, err error) T {
		if err != nil {
			b.Fatal(err)
		}
		return v
	}
}

// BenchmarkPatch computes the patch: kubectl has bytes in and out, "maps" is
// what the same merge costs without them (by the exported functions on maps,
// which do a little more: both halves of each difference).
func BenchmarkPatch(b *testing.B) {
	b.Run("ours", func(b *testing.B) {
		k, _, t := benchmarked(b)
		for b.Loop() {
			must[tree.Object](b)(strategic.Patch(t.last, t.config, t.live, k.ours, true))
		}
	})
	for name, meta := range map[string]func(*kind) strategicpatch.LookupPatchMeta{
		"openapi": func(k *kind) strategicpatch.LookupPatchMeta { return k.openapi },
		"structs": func(k *kind) strategicpatch.LookupPatchMeta { return k.structs },
	} {
		b.Run("kubectl bytes "+name, func(b *testing.B) {
			k, texts, _ := benchmarked(b)
			if meta(k) == nil {
				b.Skip("no OpenAPI document")
			}
			for b.Loop() {
				must[[]byte](b)(strategicpatch.CreateThreeWayMergePatch(texts[0], texts[1], texts[2], meta(k), true))
			}
		})
		b.Run("kubectl maps "+name, func(b *testing.B) {
			k, _, t := benchmarked(b)
			if meta(k) == nil {
				b.Skip("no OpenAPI document")
			}
			patch := must[strategicpatch.JSONMap](b)
			for b.Loop() {
				delta := patch(strategicpatch.CreateTwoWayMergeMapPatchUsingLookupPatchMeta(t.live, t.config, meta(k)))
				deletions := patch(strategicpatch.CreateTwoWayMergeMapPatchUsingLookupPatchMeta(t.last, t.config, meta(k)))
				delete(deletions, "spec") // overlapping directives do not merge
				patch(strategicpatch.MergeStrategicMergeMapPatchUsingLookupPatchMeta(meta(k), deletions, delta))
			}
		})
	}
}

// BenchmarkApply applies the patch. Upstream's function on maps changes its
// arguments, so that it needs copies.
func BenchmarkApply(b *testing.B) {
	b.Run("ours", func(b *testing.B) {
		k, _, t := benchmarked(b)
		patch := must[tree.Object](b)(strategic.Patch(t.last, t.config, t.live, k.ours, true))
		for b.Loop() {
			_, _, err := strategic.Apply(t.live, patch, k.ours)
			must[any](b)(nil, err)
		}
	})
	b.Run("server bytes", func(b *testing.B) {
		k, texts, t := benchmarked(b)
		patch := []byte(encode(must[tree.Object](b)(strategic.Patch(t.last, t.config, t.live, k.ours, true))))
		for b.Loop() {
			must[[]byte](b)(strategicpatch.StrategicMergePatchUsingLookupPatchMeta(texts[2], patch, k.structs))
		}
	})
	b.Run("server maps", func(b *testing.B) {
		k, _, t := benchmarked(b)
		patch := must[tree.Object](b)(strategic.Patch(t.last, t.config, t.live, k.ours, true))
		for b.Loop() {
			must[strategicpatch.JSONMap](b)(strategicpatch.StrategicMergeMapPatchUsingLookupPatchMeta(
				runtime.DeepCopyJSON(t.live), runtime.DeepCopyJSON(patch), k.structs))
		}
	})
}

// BenchmarkReasons rehearses the apply of the Deployment with all that
// threeway does for it: patch, merge, the server's defaults and validation, and
// the reason for each field. "kubectl" is only the patch and the merge.
func BenchmarkReasons(b *testing.B) {
	b.Run("ours", func(b *testing.B) {
		_, texts, t := benchmarked(b)
		live := tree.CopyObject(t.live)
		tree.Set(live, string(texts[0]), "metadata", "annotations", merge.LastAppliedKey)
		object := func(obj tree.Object) *manifest.Object {
			return &manifest.Object{Kind: schema.Kind{Group: "apps", Version: "v1", Kind: "Deployment"}, Namespace: "shop", Name: "web", Tree: obj}
		}
		opts := merge.Options{
			Config: &manifest.Set{Objects: []*manifest.Object{object(t.config)}},
			Live:   (&manifest.Snapshot{}).With([]*manifest.Object{object(live)}, nil),
		}
		for b.Loop() {
			plan := must[*merge.Plan](b)(merge.New(opts))
			if o := plan.Outcomes[0]; o.Action != merge.Configured || len(o.Changes()) == 0 {
				b.Fatal(o.Action, o.Refusal)
			}
		}
	})
	b.Run("kubectl", func(b *testing.B) {
		k, texts, _ := benchmarked(b)
		for b.Loop() {
			patch := must[[]byte](b)(strategicpatch.CreateThreeWayMergePatch(texts[0], texts[1], texts[2], k.structs, true))
			must[[]byte](b)(strategicpatch.StrategicMergePatchUsingLookupPatchMeta(texts[2], patch, k.structs))
		}
	})
}
