package config

import (
	"strings"
	"testing"

	"threeway/command/request"
)

// TestNamesAreNoSettings: the name of a directory or file is never a setting.
func TestNamesAreNoSettings(t *testing.T) {
	for _, name := range []string{"a\nfail-on: never #", "a\rfail-on: never", "true", "- x", "#", "a: b", `"`, "'", "\u2028fail-on: never"} {
		text := firstConfig(&request.Surveyed{Charts: []string{name}, Overlays: []string{name}, Manifests: []string{name}}, false)
		for _, line := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("\n\r\u2028\u0085", r) }) {
			if strings.HasPrefix(line, "fail-on") {
				t.Errorf("%q has become a setting:\n%s", name, line)
			}
		}
	}
}
