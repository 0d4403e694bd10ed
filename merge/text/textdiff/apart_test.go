package textdiff

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestApart(t *testing.T) {
	long := strings.Repeat("a", 40)
	for _, c := range []struct{ a, b, x, y string }{
		{"short", "other", "short", "other"},
		{long + "1" + long, long + "2" + long, "…aaaaaa1aaaaaaaaaaa…", "…aaaaaa2aaaaaaaaaaa…"},
		{long, long + "b", "…aaaaaaaaaaaaaaaaaa", "…aaaaaaaaaaaaaaaaaab"},
		{"1" + long, "2", "1aaaaaaaaaaaaaaaaaa…", "2"},
	} {
		if x, y := Apart(c.a, c.b, 20); x != c.x || y != c.y {
			t.Errorf("%s, %s: got %s and %s", c.a, c.b, x, y)
		}
	}
}

func TestContrast(t *testing.T) {
	for _, c := range []struct{ a, b, x, y string }{
		{"listen 80\nworkers 8\nmode fast\n", "listen 80\nworkers 4\nmode fast\n", `…"workers 8"…`, `…"workers 4"…`},
		{"workers 8\nmode fast\n", "workers 4\nmode fast\n", `"workers 8"…`, `"workers 4"…`},
		{"listen 80\nworkers 8\n", "listen 80\nworkers 4\n", `…"workers 8"`, `…"workers 4"`},
		{"a\nb\nd\n", "a\nb\nc\nd\n", `…"b"…`, `…"b\nc"…`},
		{"b\n", "a\nb\n", `"b"`, `"a\nb"`},
		{"a\n", "a", `"a\n"`, `"a"`},
		{"one", "two", `"one"`, `"two"`},
	} {
		if x, y := Contrast(c.a, c.b, quoted, 40); x != c.x || y != c.y {
			t.Errorf("%q, %q: got %s and %s, want %s and %s", c.a, c.b, x, y, c.x, c.y)
		}
	}
}

func quoted(v any) string { return fmt.Sprintf("%q", v) }

// FuzzApart: different texts stay different, and short enough.
func FuzzApart(f *testing.F) {
	f.Add("postgres://shop@db-1.example.com:5432/shop", "postgres://shop@db-2.example.com:5432/shop", 12)
	f.Add(strings.Repeat("x", 100), strings.Repeat("x", 101), 20)
	f.Add("aaaaaaaaaa", "aaaaaaaaa…", 5)
	f.Fuzz(func(t *testing.T, a, b string, width int) {
		if width > 200 || !utf8.ValidString(a) || !utf8.ValidString(b) {
			return
		}
		x, y := Apart(a, b, width)
		if (x == y) != (a == b) {
			t.Errorf("%q and %q are shown as %q and %q", a, b, x, y)
		}
		if x, y := Contrast(a, b, quoted, width); (x == y) != (a == b) {
			t.Errorf("%q and %q are contrasted as %q and %q", a, b, x, y)
		}
		for _, s := range []string{x, y} {
			if utf8.RuneCountInString(s) > max(width, 5) {
				t.Errorf("%q is longer than %d", s, width)
			}
		}
	})
}
