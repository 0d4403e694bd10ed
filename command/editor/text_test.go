package editor

import (
	"slices"
	"testing"
)

// TestRows: a text has the lines that editors count, whatever ends them, and no others.
func TestRows(t *testing.T) {
	for text, want := range map[string][]string{
		"": {""}, "a": {"a"}, "a\n": {"a", ""}, "a\r\nb\rc\nd": {"a", "b", "c", "d"}, "\r\n\n\r": {"", "", "", ""},
	} {
		got := rowsOf(text)
		if !slices.Equal(got, want) || got.row(-1)+got.row(len(want)) != "" {
			t.Errorf("%q has the lines %q, want %q", text, got, want)
		}
		for i, line := range want {
			if at := lineStart(text, i); text[at:at+len(line)] != line || got.row(i) != line {
				t.Errorf("line %d of %q is %q", i, text, got.row(i))
			}
		}
	}
}
