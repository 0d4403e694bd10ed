package conformance

import (
	"bytes"
	"os"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"sigs.k8s.io/yaml"

	"threeway/merge"
	"threeway/merge/explain"
	"threeway/merge/kube/internal/strategic"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// benchmarked reads the Deployment that merge/kube/internal/strategic is measured with.
func benchmarked(b *testing.B) (k *kind, texts [3][]byte, t triple) {
	for i, name := range []string{"last-applied", "config", "live"} {
		text, err := os.ReadFile("../internal/strategic/testdata/" + name + ".yaml")
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
			must[tree.Object](b)(strategic.Apply(t.live, patch, k.ours))
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

// BenchmarkMerge is a patch and its application, upstream's as kubectl and the
// server do it. "with reasons" adds a reason for every field of the result;
// "rehearsal" is all that threeway does with one object: defaults, validation
// and last-applied too. "from text" reads the texts, as upstream's does.
func BenchmarkMerge(b *testing.B) {
	b.Run("upstream", func(b *testing.B) {
		k, texts, _ := benchmarked(b)
		for b.Loop() {
			patch := must[[]byte](b)(strategicpatch.CreateThreeWayMergePatch(texts[0], texts[1], texts[2], k.structs, true))
			must[[]byte](b)(strategicpatch.StrategicMergePatchUsingLookupPatchMeta(texts[2], patch, k.structs))
		}
	})
	patchAndApply := func(b *testing.B, k *kind, t triple) {
		patch := must[tree.Object](b)(strategic.Patch(t.last, t.config, t.live, k.ours, true))
		must[tree.Object](b)(strategic.Apply(t.live, patch, k.ours))
	}
	b.Run("ours", func(b *testing.B) {
		k, _, t := benchmarked(b)
		for b.Loop() {
			patchAndApply(b, k, t)
		}
	})
	b.Run("ours from text", func(b *testing.B) {
		k, texts, _ := benchmarked(b)
		for b.Loop() {
			patchAndApply(b, k, triple{last: decode(string(texts[0])), config: decode(string(texts[1])), live: decode(string(texts[2]))})
		}
	})
	b.Run("ours with reasons", func(b *testing.B) {
		k, texts, t := benchmarked(b)
		texts[2] = withLastApplied(texts)
		o := rehearsed(b, inputs(texts))
		for b.Loop() {
			patchAndApply(b, k, t)
			explain.FieldChanges(o)
		}
	})
	b.Run("rehearsal", func(b *testing.B) {
		_, texts, _ := benchmarked(b)
		texts[2] = withLastApplied(texts)
		opts := inputs(texts)
		for b.Loop() {
			explain.FieldChanges(rehearsed(b, opts))
		}
	})
	b.Run("rehearsal from text", func(b *testing.B) {
		_, texts, _ := benchmarked(b)
		texts[2] = withLastApplied(texts)
		for b.Loop() {
			explain.FieldChanges(rehearsed(b, inputs(texts)))
		}
	})
}

// withLastApplied is the live object with the last-applied annotation.
func withLastApplied(texts [3][]byte) []byte {
	live := decode(string(texts[2]))
	tree.Set(live, string(texts[0]), "metadata", "annotations", lastApplied)
	return []byte(encode(live))
}

func inputs(texts [3][]byte) merge.Options {
	return merge.Options{
		Options: rehearsal.Options{
			Minor:  minor,
			Inputs: rehearsal.Inputs{Manifests: manifest.Read(manifest.Options{Paths: []string{"-"}, Stdin: bytes.NewReader(texts[1])}), Live: manifest.ReadSnapshot(manifest.Options{Paths: []string{"-"}, Stdin: bytes.NewReader(texts[2])})},
		},
	}
}

func rehearsed(b *testing.B, opts merge.Options) *rehearsal.Outcome {
	plan := must[*merge.Plan](b)(merge.New(opts))
	if len(plan.Outcomes) != 1 || plan.Outcomes[0].Action != rehearsal.Configured {
		b.Fatal("the Deployment is not configured: ", plan.Problems)
	}
	return plan.Outcomes[0]
}
