package argocd

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// Ignore says which fields Argo CD does not compare: an item of ignoreDifferences
// (pkg/apis/application/v1alpha1/types.go ResourceIgnoreDifferences).
type Ignore struct {
	group, kind, namespace, name string
	pointers                     [][]string
	expressions                  []expression
	managers                     []string
	// Unread are the jq expressions that cannot be evaluated here.
	Unread []string
}

// readIgnored reads a list of them. from says where it is.
func readIgnored(list []any, from string) (ignored []Ignore, err error) {
	for _, item := range list {
		ig := Ignore{group: tree.String(item, "group"), kind: tree.String(item, "kind"), namespace: tree.String(item, "namespace"), name: tree.String(item, "name")}
		for _, text := range texts(item, "jsonPointers") {
			if !strings.HasPrefix(text, "/") {
				return nil, fmt.Errorf("%s ignores %q, which is not a JSON pointer: it must begin with /", from, text)
			}
			ig.pointers = append(ig.pointers, strings.Split(text[1:], "/"))
		}
		for _, text := range texts(item, "jqPathExpressions") {
			if e, ok := parseExpression(text); ok {
				ig.expressions = append(ig.expressions, e)
			} else {
				ig.Unread = append(ig.Unread, text)
			}
		}
		ig.managers = texts(item, "managedFieldsManagers")
		ignored = append(ignored, ig)
	}
	return ignored, nil
}

func texts(v any, field string) (list []string) {
	for _, item := range tree.List(v, field) {
		if text, is := item.(string); is {
			list = append(list, text)
		}
	}
	return list
}

// Matches reports whether it is about an object (util/argo/normalizers).
func (ig Ignore) Matches(id manifest.Identity) bool {
	group, _ := path.Match(ig.group, id.Group)
	kind, _ := path.Match(ig.kind, id.Kind)
	return group && kind && (ig.name == "" || ig.name == id.Name) && (ig.namespace == "" || ig.namespace == id.Namespace)
}

// Strip removes from an object of the identity, in place, the fields that pointers and
// expressions ignore (util/argo/normalizers/diff_normalizer.go).
func Strip(ignored []Ignore, id manifest.Identity, o tree.Object) {
	for _, ig := range ignored {
		if !ig.Matches(id) {
			continue
		}
		for _, p := range ig.pointers {
			removeAt(o, unescaped(p))
		}
		for _, e := range ig.expressions {
			e.remove(o)
		}
	}
}

// Trusted are the managers whose fields are ignored in objects of the identity.
func Trusted(ignored []Ignore, id manifest.Identity) (managers []string) {
	for _, ig := range ignored {
		if ig.Matches(id) {
			managers = append(managers, ig.managers...)
		}
	}
	return managers
}

// unescaped are the parts of a JSON pointer (RFC 6901).
func unescaped(pointer []string) []string {
	out := make([]string, len(pointer))
	for i, part := range pointer {
		out[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
	}
	return out
}

// removeAt removes what a JSON pointer leads to, if it is there.
func removeAt(v any, pointer []string) any {
	switch parent := v.(type) {
	case map[string]any:
		below, is := parent[pointer[0]]
		switch {
		case !is:
		case len(pointer) == 1:
			delete(parent, pointer[0])
		default:
			parent[pointer[0]] = removeAt(below, pointer[1:])
		}
	case []any:
		i, err := strconv.Atoi(pointer[0])
		switch {
		case err != nil || i < 0 || i >= len(parent):
		case len(pointer) == 1:
			return append(parent[:i:i], parent[i+1:]...)
		default:
			parent[i] = removeAt(parent[i], pointer[1:])
		}
	}
	return v
}
