package source

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v2"

	"threeway/merge/tree"
)

// decodeGeneral decodes one YAML 1.1 document. The result and the errors are those
// of kubectl, which converts it to JSON with sigs.k8s.io/yaml YAMLToJSON and
// decodes that with sigs.k8s.io/json: it uses kubectl's own parser, but does not
// write the JSON. twice reports whether a mapping has a duplicate key.
func decodeGeneral(text string) (value any, twice bool, err error) {
	// Ordered mappings are faster and show duplicates, but they support no
	// merge keys, and the root must be a mapping.
	if !strings.Contains(text, "<<") {
		var root mapping
		if yaml.Unmarshal([]byte(text), &root) == nil && len(root.MapSlice) > 0 {
			p := plainer{}
			if v, err := p.value(root.MapSlice); err == nil {
				return v, p.twice, nil
			}
		}
	}
	var root any
	if err = yaml.Unmarshal([]byte(text), &root); err == nil {
		value, err = (&plainer{}).value(root)
	}
	if err != nil {
		return nil, false, fmt.Errorf("error converting YAML to JSON: %w", err)
	}
	return value, strings.Contains(text, "<<"), nil
}

// mapping is an ordered mapping. A bare yaml.MapSlice would also accept a list
// of mappings with the key "key".
type mapping struct{ yaml.MapSlice }

// UnmarshalYAML implements yaml.Unmarshaler.
func (m *mapping) UnmarshalYAML(unmarshal func(any) error) error {
	var list []any
	if unmarshal(&list) == nil {
		return errors.New("a list is not a mapping")
	}
	return unmarshal(&m.MapSlice)
}

// plainer converts the values of the YAML decoder to those of package tree.
type plainer struct{ twice bool }

func (p *plainer) value(v any) (any, error) {
	switch v := v.(type) {
	case string:
		return validUTF8(v), nil
	case int:
		return int64(v), nil
	case uint64:
		return float64(v), nil
	case float64:
		return plainFloat(v)
	case []any:
		var err error
		for i := range v {
			if v[i], err = p.value(v[i]); err != nil {
				return nil, err
			}
		}
	case yaml.MapSlice:
		m := make(tree.Object, len(v))
		for _, item := range v {
			if err := p.set(m, item.Key, item.Value); err != nil {
				return nil, err
			}
		}
		p.twice = p.twice || len(m) < len(v)
		return m, nil
	case map[any]any:
		m := make(tree.Object, len(v))
		for k, x := range v {
			if err := p.set(m, k, x); err != nil {
				return nil, err
			}
		}
		return m, nil
	}
	return v, nil
}

func (p *plainer) set(m tree.Object, k, v any) error {
	key, err := plainKey(k, v)
	if err != nil {
		return err
	}
	m[key], err = p.value(v)
	return err
}

// validUTF8 replaces each byte that is not UTF-8, which only !!binary can
// produce.
func validUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

// plainFloat returns f after encoding to JSON and decoding: a whole number
// becomes an integer if it fits.
func plainFloat(f float64) (any, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, fmt.Errorf("json: unsupported value: %s", strconv.FormatFloat(f, 'g', -1, 64))
	}
	return tree.Float(f), nil
}

// plainKey returns the field name for a mapping key (sigs.k8s.io/yaml
// convertToJSONableObject).
func plainKey(k, v any) (string, error) {
	switch k := k.(type) {
	case string:
		return validUTF8(k), nil
	case int:
		return strconv.Itoa(k), nil
	case bool:
		return strconv.FormatBool(k), nil
	case float64:
		switch s := strconv.FormatFloat(k, 'g', -1, 32); s {
		case "+Inf":
			return ".inf", nil
		case "-Inf":
			return "-.inf", nil
		case "NaN":
			return ".nan", nil
		default:
			return s, nil
		}
	}
	return "", fmt.Errorf("unsupported map key of type: %s, key: %+#v, value: %+#v", reflect.TypeOf(k), k, v)
}
