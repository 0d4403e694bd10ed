package validations

import (
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// Place is where a path like ".spec.type" leads in a schema.
type Place struct {
	Root, Path string // the first part of the path, and all of it
	Schema     tree.Object
}

// Follow finds the schema of the field that a path names. Only with brackets
// may parts be written as ['name'].
//
// Source: ValidFieldPath of validation.go.
func Follow(path string, s tree.Object, brackets bool) (Place, error) {
	var at *field.Path
	tokens := pathTokens(path)
	next := func() (string, error) {
		if len(tokens) == 0 {
			return "", errors.New("unexpected end of JSON path")
		}
		token := tokens[0]
		tokens = tokens[1:]
		return token, nil
	}
	for len(tokens) > 0 {
		kind, _ := next()
		if kind == "[" && !brackets {
			return Place{}, errors.New("array notation is not allowed")
		}
		if kind != "[" && kind != "." {
			return Place{}, fmt.Errorf("expected [ or . but got: %s", kind)
		}
		name, err := next()
		if err != nil {
			return Place{}, err
		}
		if kind == "[" {
			if len(name) < 2 || name[0] != '\'' || name[len(name)-1] != '\'' {
				return Place{}, fmt.Errorf("expected single quoted string but got %s", name)
			}
			if name, err = unescaped(name[1 : len(name)-1]); err != nil {
				return Place{}, err
			}
		}
		if at, s, err = stepInSchema(at, s, name); err != nil {
			return Place{}, err
		}
		if kind == "[" {
			if end, err := next(); err != nil {
				return Place{}, err
			} else if end != "]" {
				return Place{}, fmt.Errorf("expected ] but got %s", end)
			}
		}
	}
	return Place{at.Root().String(), at.String(), s}, nil
}

// unescaped is the text that a quoted part of a path stands for
// (unescapeSingleQuote).
func unescaped(quoted string) (string, error) {
	escapes := map[byte]byte{'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v', '\'': '\'', '\\': '\\'}
	var text strings.Builder
	for i := 0; i < len(quoted); i++ {
		if quoted[i] != '\\' || i+1 == len(quoted) {
			text.WriteByte(quoted[i])
			continue
		}
		i++
		c, ok := escapes[quoted[i]]
		if !ok {
			return "", fmt.Errorf("invalid string literal: invalid escape char %s", quoted[i-1:i+1])
		}
		text.WriteByte(c)
	}
	return text.String(), nil
}

func stepInSchema(at *field.Path, s tree.Object, name string) (*field.Path, tree.Object, error) {
	if properties := tree.Map(s, "properties"); len(properties) > 0 {
		if sub, ok := properties[name]; ok {
			return at.Child(name), tree.Map(sub), nil
		}
	} else if s["additionalProperties"] != nil {
		return at.Key(name), tree.Map(s, "additionalProperties"), nil
	}
	return nil, nil, errors.New("does not refer to a valid field")
}

// pathTokens splits a path at dots and brackets, which are tokens themselves;
// what is quoted stays together.
func pathTokens(path string) []string {
	var tokens []string
	for path != "" {
		end := 1
		switch {
		case path[0] == '\'':
			for end < len(path) && (path[end] != '\'' || path[end-1] == '\\') {
				end++
			}
			end = min(end+1, len(path))
		case !strings.ContainsRune(".[]", rune(path[0])):
			if end = strings.IndexAny(path, ".[]"); end < 0 {
				end = len(path)
			}
		}
		tokens = append(tokens, path[:end])
		path = path[end:]
	}
	return tokens
}
