package source

import "testing"

func TestTemplateIn(t *testing.T) {
	for text, want := range map[string]string{
		"---\n# Source: shop/templates/api.yaml\n":                             "shop/templates/api.yaml",
		"# Source: shop/templates/a.yaml\n---\n# Source: shop/crds/b.yaml\r\n": "shop/crds/b.yaml",
		"# Source: shop/charts/db/templates/x.yaml\n# another comment\n":       "shop/charts/db/templates/x.yaml",
		"# Source: https://example.com/templates/x.yaml\n":                     "",
		"# Source: the templates/ directory of the chart\n":                    "",
		"# Source: kubectl get\n":                                              "",
		"a: b # Source: shop/templates/api.yaml\n":                             "",
		"  # Source: shop/templates/api.yaml\n":                                "",
		"# Source: /home/me/templates/x.yaml\n":                                "",
		"":                                                                     "",
	} {
		if got := templateIn(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
