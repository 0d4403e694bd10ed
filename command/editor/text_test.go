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

// TestPositions: an offset and its position are each other's, whatever ends a line.
func TestPositions(t *testing.T) {
	const text = "a\nb😀c\r\nd\re\n\r\n"
	for at, want := range map[int]position{
		0: {0, 0}, 2: {1, 0}, 7: {1, 3}, 8: {1, 4}, 10: {2, 0}, 11: {2, 1}, 12: {3, 0}, 14: {4, 0}, len(text): {5, 0},
	} {
		if got := positionOf(text, at); got != want {
			t.Errorf("%d is at %v, want %v", at, got, want)
		} else if back := offset(text, got); back != at {
			t.Errorf("%d is at %v, which is %d", at, got, back)
		}
	}
}
