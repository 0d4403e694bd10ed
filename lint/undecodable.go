package lint

import (
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"threeway/merge/fieldpath"
	"threeway/merge/schema"
	"threeway/merge/tree"
)

// unnamed finds the field that a message is about which names none; nil if it
// cannot be told.
func unnamed(text string, o *Object) fieldpath.Path {
	config := o.Config.Tree
	switch {
	case strings.Contains(text, "quantities must match the regular expression"),
		strings.Contains(text, "unable to parse quantity"):
		return badQuantity(config, nil, o.Schema)
	case strings.Contains(text, "illegal base64 data") && tree.Has(config, "data"):
		return fieldpath.New("data") // which key, the masked values do not tell
	case strings.Contains(text, "duplicate nodePort: {"):
		_, port, _ := strings.Cut(text, "duplicate nodePort: {")
		port, _, _ = strings.Cut(port, "}")
		for i, p := range tree.List(config, "spec", "ports") {
			if n, ok := tree.Map(p)["nodePort"]; ok && strings.HasSuffix(port, " "+(fieldpath.Key{Value: n}).Text()) {
				return fieldpath.New("spec", "ports").Item(i).Child("nodePort")
			}
		}
	}
	return mistyped(text, config)
}

// badQuantity finds the first quantity that does not parse.
func badQuantity(v any, at fieldpath.Path, t *schema.Type) fieldpath.Path {
	if t == nil {
		return nil
	}
	switch v := v.(type) {
	case map[string]any:
		for _, key := range sortedKeys(v) {
			_, below := child(t, key)
			if p := badQuantity(v[key], at.Child(key), below); p != nil {
				return p
			}
		}
	case []any:
		for i, x := range v {
			if p := badQuantity(x, at.Item(i), t.Elem); p != nil {
				return p
			}
		}
	case string:
		if _, err := resource.ParseQuantity(v); t.Form == schema.Quantity && err != nil {
			return at
		}
	}
	return nil
}
