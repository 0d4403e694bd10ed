package source

import "strings"

// templateIn returns the Helm template that the text says it was rendered from,
// in the last comment of "helm template" that it has:
//
//	# Source: shop/templates/api.yaml
//
// The path begins with the chart's name. A comment about another source, such
// as a URL, does not count.
func templateIn(text string) string {
	const comment = "# Source: "
	from := strings.LastIndex("\n"+text, "\n"+comment)
	if from < 0 {
		return ""
	}
	name, _, _ := strings.Cut(text[from+len(comment):], "\n")
	name = strings.TrimSpace(name)
	inChart := strings.Contains(name, "/templates/") || strings.Contains(name, "/crds/")
	if !inChart || strings.ContainsAny(name, " \t:") || strings.HasPrefix(name, "/") {
		return ""
	}
	return name
}
