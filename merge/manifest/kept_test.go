package manifest_test

import (
	"strings"
	"testing"

	"threeway/merge/manifest"
)

// TestKept: a file whose text is as it was is not decoded again; another is.
func TestKept(t *testing.T) {
	read := func(kept *manifest.Kept, text string) *manifest.Object {
		set := manifest.Read(manifest.Options{Paths: []string{"-"}, Stdin: strings.NewReader(text), Kept: kept})
		if len(set.Objects) != 1 {
			t.Fatal(set.Problems)
		}
		return set.Objects[0]
	}
	const text = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}"
	kept := (*manifest.Kept)(nil).Next()
	first := read(kept, text)
	kept = kept.Next()
	if again := read(kept, text); !again.SameText(first) || again == first {
		t.Error("the same text is decoded twice")
	}
	if other := read(kept.Next(), strings.Replace(text, "name: a", "name: b", 1)); other.SameText(first) || other.Name != "b" {
		t.Errorf("another text is %s", other.Name)
	}
}
