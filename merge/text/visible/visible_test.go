package visible

import "testing"

// TestText: what acts, or is not seen, is written as an escape; what is seen stays, and in
// several lines line feeds and tabs do.
func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"a\tb\n": "a\tb\n", "é 日本 \U0001f600 ⚠\ufe0f": "é 日本 \U0001f600 ⚠\ufe0f", "\x1b[31m\r": `\x1b[31m\r`, "\u202ea\u2066": `\u202ea\u2066`, "\u0085\u2028": `\u0085\u2028`,
		"a\u200b\u200d\ufeff\u00ad\u2062\u3164": `a\u200b\u200d\ufeff\u00ad\u2062\u3164`, "a\U000e0041\U000e0101": `a\U000e0041\U000e0101`, "\xff": `\xff`,
	} {
		if got := Text(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
