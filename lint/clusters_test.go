package lint

import "testing"

// TestUnplaced: the namespace goes from the names of objects, and stays in paths and images.
func TestUnplaced(t *testing.T) {
	for text, want := range map[string]string{
		"Deployment prod/web (prod/Service/web) is prod":   "Deployment web (Service/web) is prod",
		"overlays/prod/web.yaml:3, prod/web.yaml:1, prod/": "overlays/prod/web.yaml:3, prod/web.yaml:1, prod/",
		"runs prod/web:1.4.0":                              "runs prod/web:1.4.0",
		"":                                                 "",
	} {
		if is := Unplaced("prod")(text); is != want {
			t.Errorf("%q is %q, want %q", text, is, want)
		}
	}
}
