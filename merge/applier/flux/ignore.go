package flux

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"threeway/merge/kube/schema"
	"threeway/merge/selector"
	"threeway/merge/tree"
)

// Ignored are the rules of spec.ignore.
type Ignored []rule

// rule says which fields of which objects do not count as drift.
type rule struct {
	expressions         map[string]*regexp.Regexp // of group, version, kind, name and namespace
	labels, annotations selector.Selector
	paths               []string
}

// readIgnored reads spec.ignore. Of several rules without a target only the last one
// counts, since they have one key in a map (ssa/jsondiff/unstructured.go
// CompileIgnoreRules).
func readIgnored(list []any) (Ignored, error) {
	var rules, everywhere Ignored
	for _, item := range list {
		r := rule{expressions: map[string]*regexp.Regexp{}}
		for _, path := range tree.List(item, "paths") {
			text, _ := path.(string)
			r.paths = append(r.paths, text)
		}
		target := tree.Map(item, "target")
		for _, field := range []string{"group", "version", "kind", "name", "namespace"} {
			pattern := tree.String(target, field)
			if pattern == "" {
				continue
			}
			expression, err := regexp.Compile("^(?:" + pattern + ")$")
			if err != nil {
				return nil, fmt.Errorf("target.%s: %w", field, err)
			}
			r.expressions[field] = expression
		}
		var err error
		if r.labels, err = selector.Parse(tree.String(target, "labelSelector")); err != nil {
			return nil, fmt.Errorf("target.labelSelector: %w", err)
		}
		if r.annotations, err = selector.Parse(tree.String(target, "annotationSelector")); err != nil {
			return nil, fmt.Errorf("target.annotationSelector: %w", err)
		}
		if target == nil {
			everywhere = Ignored{r}
		} else {
			rules = append(rules, r)
		}
	}
	return append(rules, everywhere...), nil
}

// paths are the JSON pointers that are ignored in an object.
func (rules Ignored) paths(o tree.Object) (paths []string) {
	k := schema.ParseKind(tree.String(o, "apiVersion"), tree.String(o, "kind"))
	is := map[string]string{"group": k.Group, "version": k.Version, "kind": k.Kind, "name": tree.String(o, "metadata", "name"), "namespace": tree.String(o, "metadata", "namespace")}
	for _, r := range rules {
		matches := r.labels.Matches(tree.Map(o, "metadata", "labels")) && r.annotations.Matches(tree.Map(o, "metadata", "annotations"))
		for field, expression := range r.expressions {
			matches = matches && expression.MatchString(is[field])
		}
		if matches {
			paths = append(paths, r.paths...)
		}
	}
	return paths
}

// whole reports whether all of an object is ignored.
func (rules Ignored) whole(o tree.Object) bool { return slices.Contains(rules.paths(o), "") }

// Without is an object without what is ignored in it. matched decides which rules are
// about it.
func (rules Ignored) Without(o, matched tree.Object) tree.Object {
	paths := rules.paths(matched)
	if len(paths) == 0 {
		return o
	}
	out := tree.CopyObject(o)
	for _, path := range paths {
		remove(out, path)
	}
	return out
}

// Payload is the manifest as Flux sends it over a live object: an ignored field that the
// dry run would change is left out if another manager applies it, and has the live value
// if none does (ssa/manager_apply.go computeDriftedPaths). The error is Flux's.
func (rules Ignored) Payload(manifest, live, dryRun tree.Object, manager string) (tree.Object, error) {
	paths := rules.paths(dryRun)
	if len(paths) == 0 {
		return manifest, nil
	}
	out := tree.CopyObject(manifest)
	for _, path := range paths {
		was, isLive := find(live, path)
		now, would := find(dryRun, path)
		if isLive == would && tree.Equal(was, now) {
			continue
		}
		if appliedByOthers(live, path, manager) {
			remove(out, path)
			continue
		}
		if !replace(out, path, was) {
			return nil, fmt.Errorf("replace operation does not apply: doc is missing path: %s: missing value", path)
		}
	}
	return out, nil
}

// steps are the parts of a JSON pointer (RFC 6901).
func steps(pointer string) []string {
	parts := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, part := range parts {
		parts[i] = strings.ReplaceAll(strings.ReplaceAll(part, "~1", "/"), "~0", "~")
	}
	return parts
}

// parent is the value that holds the last step of a pointer.
func parent(o tree.Object, pointer string) (holder any, key string) {
	parts := steps(pointer)
	holder = o
	for _, part := range parts[:len(parts)-1] {
		holder = child(holder, part)
	}
	return holder, parts[len(parts)-1]
}

func child(holder any, key string) any {
	switch v := holder.(type) {
	case map[string]any:
		return v[key]
	case []any:
		if i, err := strconv.Atoi(key); err == nil && i >= 0 && i < len(v) {
			return v[i]
		}
	}
	return nil
}

func find(o tree.Object, pointer string) (any, bool) {
	holder, key := parent(o, pointer)
	if m, ok := holder.(map[string]any); ok {
		v, has := m[key]
		return v, has
	}
	v := child(holder, key)
	return v, v != nil
}

func replace(o tree.Object, pointer string, value any) bool {
	holder, key := parent(o, pointer)
	if _, has := find(o, pointer); !has {
		return false
	}
	put(holder, key, value)
	return true
}

// put sets an item of a map or a list.
func put(holder any, key string, value any) {
	switch v := holder.(type) {
	case map[string]any:
		v[key] = value
	case []any:
		if i, err := strconv.Atoi(key); err == nil && i >= 0 && i < len(v) {
			v[i] = value
		}
	}
}

// remove removes what a pointer leads to, if it is there.
func remove(o tree.Object, pointer string) {
	holder, key := parent(o, pointer)
	switch v := holder.(type) {
	case map[string]any:
		delete(v, key)
	case []any:
		i, err := strconv.Atoi(key)
		if err != nil || i < 0 || i >= len(v) {
			return
		}
		rest := append(append([]any{}, v[:i]...), v[i+1:]...)
		above, at := parent(o, pointer[:strings.LastIndex(pointer, "/")])
		put(above, at, rest)
	}
}

// appliedByOthers reports whether a manager other than ours applies what a pointer leads
// to. An item of a list is found by the keys that managedFields has for it; without
// any it has no manager (ssa/manager_apply.go isFieldOwnedByOtherApplyManager).
func appliedByOthers(live tree.Object, pointer, manager string) bool {
	var entries []any
	for _, e := range tree.List(live, "metadata", "managedFields") {
		if tree.String(e, "operation") == "Apply" && tree.String(e, "subresource") == "" {
			entries = append(entries, e)
		}
	}
	at, path, ok := any(live), []string(nil), true
	for _, part := range steps(pointer) {
		if _, err := strconv.Atoi(part); err != nil {
			path = append(path, "f:"+part)
		} else {
			key := itemKey(entries, path, child(at, part))
			ok = ok && key != ""
			path = append(path, key)
		}
		at = child(at, part)
	}
	for _, e := range entries {
		if ok && tree.String(e, "manager") != manager && tree.Has(tree.Map(e, "fieldsV1"), path...) {
			return true
		}
	}
	return false
}

// itemKey is the key, k:{…}, that an entry has for an item of the list at a path; "" if
// none has.
func itemKey(entries []any, path []string, item any) string {
	for _, e := range entries {
		for _, key := range tree.Keys(tree.Map(e, append([]string{"fieldsV1"}, path...)...)) {
			var keys map[string]any
			text, isKey := strings.CutPrefix(key, "k:")
			if !isKey || json.Unmarshal([]byte(text), &keys) != nil {
				continue
			}
			matches := true
			for name, value := range keys {
				matches = matches && fmt.Sprint(value) == fmt.Sprint(child(item, name))
			}
			if matches {
				return key
			}
		}
	}
	return ""
}
