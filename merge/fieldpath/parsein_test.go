package fieldpath

import "testing"

// TestParseIn: names that the server prints without brackets are told apart by
// the object.
func TestParseIn(t *testing.T) {
	root := map[string]any{
		"spec": map[string]any{"app.kubernetes.io/name": "x", "a": map[string]any{"b": "x"}, "z[0]": "x", "z": []any{"x"}, "0": "x"},
		"a":    map[string]any{}, "a.b.c": "x",
		"ports": []any{map[string]any{"port": int64(53), "a.b/c": "x"}},
	}
	for in, want := range map[string]string{
		"spec.app.kubernetes.io/name":         "spec[app.kubernetes.io/name]",
		"spec.a.b":                            "spec.a.b",
		"spec.none.here":                      "spec.none.here",
		"a.b.c":                               "[a.b.c]",
		"a.b.d":                               "a.b.d",
		"spec.z[0]":                           `spec["z[0]"]`,
		"spec[0]":                             "spec.0",
		"spec[gone.example.com/x]":            "spec[gone.example.com/x]",
		`ports[port=53,protocol="TCP"].a.b/c`: "ports[port=53,protocol=TCP][a.b/c]",
		"ports[0].a.b/c":                      "ports[0][a.b/c]",
		".spec.a.b":                           "spec.a.b",
		"metadata.annotations[kubernetes.io/change][0]": "metadata.annotations[kubernetes.io/change][0]",
	} {
		if p := ParseIn(in, root); p.String() != want {
			t.Errorf("%s: %s, want %s", in, p, want)
		}
	}
	for _, in := range []string{"spec[", "spec..a", "["} {
		if p := ParseIn(in, root); p != nil {
			t.Errorf("%s: %s, want none", in, p)
		}
	}
}
