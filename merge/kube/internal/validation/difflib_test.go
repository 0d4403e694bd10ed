package validation

import (
	"slices"
	"strings"
	"testing"
)

// The diffs are those of Python's difflib.

func TestUnified(t *testing.T) {
	for _, test := range []struct {
		old, new []string
		want     string
	}{
		{[]string{"a"}, []string{"a"}, ""},
		{[]string{"a"}, []string{"b"}, "@@ -1 +1 @@\n-a\n+b\n"},
		{[]string{"a", "b"}, []string{"a", "b", "c"}, "@@ -1,2 +1,3 @@\n a\n b\n+c\n"},
		{nil, []string{"a"}, "@@ -0,0 +1 @@\n+a\n"},
		{
			[]string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"},
			[]string{"x", "2", "3", "4", "5", "6", "7", "8", "9", "10", "y"},
			"@@ -1,4 +1,4 @@\n-1\n+x\n 2\n 3\n 4\n@@ -8,4 +8,4 @@\n 8\n 9\n 10\n-11\n+y\n",
		},
		{[]string{"a", "b"}, []string{"a", "c", "a", "b"}, "@@ -1,2 +1,4 @@\n+a\n+c\n a\n b\n"},
	} {
		if got := unified(test.old, test.new); got != test.want {
			t.Errorf("%v to %v:\n%swant\n%s", test.old, test.new, got, test.want)
		}
	}
}

// In texts of 200 lines and more, lines that come often do not start a match:
// here the one "u" does, though there are more lines "s" to match.
func TestUnifiedLeavesOutPopularLines(t *testing.T) {
	old, new := []string{"s", "s", "s", "u"}, append([]string{"u"}, slices.Repeat([]string{"s"}, 199)...)
	want := "@@ -1,4 +1,200 @@\n-s\n-s\n-s\n u\n" + strings.Repeat("+s\n", 199)
	if got := unified(old, new); got != want {
		t.Errorf("%swant\n%s", got, want)
	}
	new = new[:199]
	want = "@@ -1,4 +1,199 @@\n+u\n s\n s\n s\n-u\n" + strings.Repeat("+s\n", 195)
	if got := unified(old, new); got != want {
		t.Errorf("%swant\n%s", got, want)
	}
}
