package show

import (
	"strings"
	"testing"
)

// TestHeader: a name of a file that would be another one, or several lines, is in quotes, and one with a
// space ends with a tab, as git writes it.
func TestHeader(t *testing.T) {
	for name, want := range map[string]string{
		"live/web.yaml": "live/web.yaml", `a"b`: `"a\"b"`, `a\b`: `"a\\b"`, "a\nb": `"a\012b"`,
		"a b.yaml": "a b.yaml\t", `a "b"`: `"a \"b\""`, "é.yaml": "é.yaml", "a\u0085b": `"a\302\205b"`,
	} {
		var b strings.Builder
		if err := Texts(&b, name, "new", "a\n", "b\n", Options{}); err != nil {
			t.Fatal(err)
		}
		if got, _, _ := strings.Cut(b.String(), "\n"); got != "--- "+want {
			t.Errorf("%q: %s, want --- %s", name, got, want)
		}
	}
}
