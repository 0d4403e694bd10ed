package lint

import (
	"encoding/base64"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"threeway/merge/fieldpath"
	"threeway/merge/schema"
	"threeway/merge/tree"
)

// unnamed finds the field that a message is about which names none; nil if it
// cannot be told. config is the object with its values, even of a Secret.
func unnamed(text string, config tree.Object, t *schema.Type) fieldpath.Path {
	switch {
	case strings.Contains(text, "quantities must match the regular expression"),
		strings.Contains(text, "unable to parse quantity"):
		return unparsable(config, nil, t, schema.Quantity, func(s string) error { _, err := resource.ParseQuantity(s); return err })
	case strings.Contains(text, "illegal base64 data"):
		return unparsable(config, nil, t, schema.Bytes, func(s string) error { _, err := base64.StdEncoding.DecodeString(s); return err })
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

// unparsable finds the first text of the form that does not parse.
func unparsable(v any, at fieldpath.Path, t *schema.Type, form schema.Form, parse func(string) error) fieldpath.Path {
	if t == nil {
		return nil
	}
	switch v := v.(type) {
	case map[string]any:
		for _, key := range tree.Keys(v) {
			_, below := child(t, key)
			if p := unparsable(v[key], at.Child(key), below, form, parse); p != nil {
				return p
			}
		}
	case []any:
		for i, x := range v {
			if p := unparsable(x, at.Item(i), t.Elem, form, parse); p != nil {
				return p
			}
		}
	case string:
		if t.Form == form && parse(v) != nil {
			return at
		}
	}
	return nil
}
