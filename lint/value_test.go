package lint

import "testing"

// TestValue: labels are printed as kubectl prints them, and a label without a value
// as it stands in the manifest.
func TestValue(t *testing.T) {
	for want, v := range map[string]any{
		`a=1,b=null`:  map[string]any{"matchLabels": map[string]any{"a": "1", "b": nil}},
		`{a: {b: 1}}`: map[string]any{"a": map[string]any{"b": 1}},
		`"<a>"`:       "<a>",
	} {
		if got := Value(v); got != want {
			t.Errorf("%v is printed as %s, want %s", v, got, want)
		}
	}
}
