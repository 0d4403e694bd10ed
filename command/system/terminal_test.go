package system

import (
	"strings"
	"testing"
)

func TestVisible(t *testing.T) {
	for _, c := range []struct{ text, want, rest string }{
		{"plain é 漢\tand\n", "plain é 漢\tand\n", ""},
		{Marked("\x1b[31m") + "red" + Marked("\x1b[0;22m"), "\x1b[31mred\x1b[0;22m", ""},
		{"\x1b[31mof a file\x1b[0m", `\x1b[31mof a file\x1b[0m`, ""},
		{"\x1b[8mhidden", `\x1b[8mhidden`, ""},
		{"\x1b]0;title\a", `\x1b]0;title\x07`, ""},
		{"\x1b[2J\r\b\x7f\x00", `\x1b[2J\r\x08\x7f\x00`, ""},
		{"a\u202eb\u2066c\u200fd\u2028e\u009bf", `a\u202eb\u2066c\u200fd\u2028e\u009bf`, ""},
		{"bad \xff.", `bad \xff.`, ""},
		{"half \xe6\xbc", "half ", "\xe6\xbc"},
		{"half \x1b", "half ", "\x1b"},
	} {
		shown, used := shownOf([]byte(c.text))
		if shown != c.want || c.text[used:] != c.rest {
			t.Errorf("%q is shown as %q, and then %q", c.text, shown, c.text[used:])
		}
	}
}

// TestShownOnce holds the escaping of a long text to a few copies of it.
func TestShownOnce(t *testing.T) {
	text := []byte(strings.Repeat("long é\n", 2000))
	took := testing.Benchmark(func(b *testing.B) {
		for b.Loop() {
			shownOf(text)
		}
	}).AllocedBytesPerOp()
	if took > 10*int64(len(text)) {
		t.Errorf("%d bytes are allocated to show %d", took, len(text))
	}
}
