package columns

import (
	"slices"
	"testing"
)

func TestWidth(t *testing.T) {
	for s, want := range map[string]int{"": 0, "abc": 3, "größe": 5, "gro\u0308ße": 5, "日本": 4, "한글": 4, "😀": 2, "ＡＢ": 4, "→ …": 3, "a\u200bb": 2} {
		if got := Width(s); got != want {
			t.Errorf("%q takes %d columns, want %d", s, got, want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		s    string
		n    int
		head string
	}{
		{"abcdef", 4, "abcd"},
		{"abc", 4, "abc"},
		{"日本語", 3, "日"},
		{"日本語", 1, "日"},
		{"ao\u0308b", 2, "ao\u0308"},
	} {
		if head := Cut(c.s, c.n); head != c.head {
			t.Errorf("%q at %d: %q", c.s, c.n, head)
		}
	}
}

func TestFold(t *testing.T) {
	for _, c := range []struct {
		s         string
		n, indent int
		want      []string
	}{
		{"one two three", 7, 0, []string{"one two", "three"}},
		{"one two three", 0, 4, []string{"one two three"}},
		{"one two", 7, 4, []string{"one two"}},
		{"one two one two", 7, 2, []string{"one two", "one", "two"}},
		{"a spec.template.spec.containers b", 8, 0, []string{"a", "spec.template.spec.containers", "b"}},
		{"unbreakable", 4, 0, []string{"unbreakable"}},
		{"日本 語学", 5, 0, []string{"日本", "語学"}},
		{"", 4, 0, []string{""}},
		{"a b c", 1, 0, []string{"a", "b", "c"}},
		{" unbreakable", 4, 0, []string{" unbreakable"}},
	} {
		if got := Fold(c.s, c.n, c.indent); !slices.Equal(got, c.want) {
			t.Errorf("%q at %d: %q", c.s, c.n, got)
		}
	}
}

func TestFoldPath(t *testing.T) {
	for _, c := range []struct {
		s         string
		n, indent int
		want      []string
	}{
		{"spec.template.spec", 13, 2, []string{"spec.template", ".spec"}},
		{"spec.template.spec.nodeName", 14, 6, []string{"spec.template", ".spec", ".nodeName"}},
		{"spec.containers[name=carts].image", 27, 2, []string{"spec.containers[name=carts]", ".image"}},
		{"metadata.annotations[prometheus.io/scrape].a", 30, 0, []string{"metadata.annotations", "[prometheus.io/scrape].a"}},
		{"data[\"a].b\"].c", 12, 0, []string{"data[\"a].b\"]", ".c"}},
		{"a.unbreakable.b", 4, 0, []string{"a", ".unbreakable", ".b"}},
		{"unbreakable", 4, 0, []string{"unbreakable"}},
	} {
		if got := FoldPath(c.s, c.n, c.indent); !slices.Equal(got, c.want) {
			t.Errorf("%q at %d: %q", c.s, c.n, got)
		}
	}
}
