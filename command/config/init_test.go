package config

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"sigs.k8s.io/yaml"
)

// FuzzList: the paths that init writes read back as they are.
func FuzzList(f *testing.F) {
	for _, path := range []string{"a\u0085b", "c\u2028d", "e\u2029f", "g\ufeffh", "\u00a0", "#k", ": l", "m: n", "- o", "p'q", `r"s`, "t\tu", `x\y`, "null", "1e3", "*z", "!q", "~", "2001-01-01", "{a}", "a\nb", "a\rb", "\x7f", "\x01", "🙂", " a ", "---", "é"} {
		f.Add(path, "b/")
	}
	f.Fuzz(func(t *testing.T, one, two string) {
		if !utf8.ValidString(one) || !utf8.ValidString(two) {
			return
		}
		var b strings.Builder
		list(&b, "manifests", []string{one, two}, "")
		var read struct{ Manifests []string }
		if err := yaml.Unmarshal([]byte(b.String()), &read); err != nil || !slices.Equal(read.Manifests, []string{one, two}) {
			t.Errorf("%q, %q: %v, %q\n%s", one, two, err, read.Manifests, b.String())
		}
	})
}
