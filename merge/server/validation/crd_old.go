package validation

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// oldCRD tells what an old definition had that is now an error, and so is let
// through.
func oldCRD(r *Request) crdOptions {
	var opts crdOptions
	spec, old := tree.Map(r.Object, "spec"), tree.Map(r.Old, "spec")
	bundle := tree.String(old, "conversion", "webhook", "clientConfig", "caBundle")
	opts.allowInvalidBundle = !isEstablished(r.Old) || len(caBundle(bundle, nil)) > 0
	if versions := stringsOf(tree.List(old, "conversion", "webhook", "conversionReviewVersions")); len(versions) > 0 {
		opts.allowUnknownReviewVersions = !knowsReviewVersion(versions)
	}
	opts.allowInvalidTypes = anySchema(old, func(s tree.Object) bool {
		typ := tree.String(s, "type")
		return typ != "" && !slices.Contains(schemaTypes(), typ)
	})
	opts.allowNonAtomicSets = anySchema(old, func(s tree.Object) bool { return s[listType] == "set" && !isAtomicItem(tree.Map(s, "items")) })
	opts.allowLooseMapKeys = anySchema(old, func(s tree.Object) bool { return len(mapKeysAreSet(s, nil)) > 0 })
	opts.manySelectableFields = map[string]bool{}
	for i, v := range tree.List(old, "versions") {
		root := tree.Map(v, "schema", "openAPIV3Schema")
		opts.allowMissingSchema = opts.allowMissingSchema || root == nil
		if root != nil && (unstructured(root) != "" || len(structural(root, nil)) > 0) {
			opts.allowNonStructural = true
		}
		name := tree.String(v, "name")
		for _, now := range tree.List(spec, "versions") {
			if tree.String(now, "name") == name && len(tree.List(v, "selectableFields")) > 8 && sameAt(now, v, "selectableFields") {
				opts.manySelectableFields[name] = true
				opts.manySelectableFields[""] = opts.manySelectableFields[""] || i == 0
			}
		}
	}
	return opts
}

// anySchema reports whether is holds for a schema of the versions of a spec,
// at any depth.
func anySchema(spec tree.Object, is func(tree.Object) bool) bool {
	var within func(tree.Object) bool
	within = func(s tree.Object) bool { return s != nil && (is(s) || slices.ContainsFunc(schemasIn(s), within)) }
	return slices.ContainsFunc(tree.List(spec, "versions"), func(v any) bool { return within(tree.Map(v, "schema", "openAPIV3Schema")) })
}

// hasExtensions reports whether a schema uses an extension that requires it
// to be structural.
func hasExtensions(s tree.Object) bool {
	for _, key := range []string{embedded, preserve, intOrString, listMapKeys, listType, "x-kubernetes-validations"} {
		if isSetInSchema(s, key) {
			return true
		}
	}
	return false
}

// place is where a path like ".spec.type" leads in a schema.
type place struct {
	root   string // first part of the path
	path   string
	schema tree.Object
}

// followSchema finds the schema of the field that a path names. Only with
// brackets may parts be written as ['name'].
//
// Source: ValidFieldPath of
// k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/validation.go.
func followSchema(path string, s tree.Object, brackets bool) (place, error) {
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
			return place{}, errors.New("array notation is not allowed")
		}
		if kind != "[" && kind != "." {
			return place{}, fmt.Errorf("expected [ or . but got: %s", kind)
		}
		name, err := next()
		if err != nil {
			return place{}, err
		}
		if kind == "[" {
			if len(name) < 2 || name[0] != '\'' || name[len(name)-1] != '\'' {
				return place{}, fmt.Errorf("expected single quoted string but got %s", name)
			}
			if name, err = unescaped(name[1 : len(name)-1]); err != nil {
				return place{}, err
			}
		}
		if at, s, err = stepInSchema(at, s, name); err != nil {
			return place{}, err
		}
		if kind == "[" {
			if end, err := next(); err != nil {
				return place{}, err
			} else if end != "]" {
				return place{}, fmt.Errorf("expected ] but got %s", end)
			}
		}
	}
	return place{at.Root().String(), at.String(), s}, nil
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
