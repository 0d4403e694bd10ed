package strategic

import (
	"maps"
	"slices"

	"threeway/merge/fault"
	"threeway/merge/tree"
)

// JSONPatch returns the JSON merge patch that kubectl apply sends for a custom
// resource. Lists are replaced as a whole. A null in config deletes the field
// only if lastApplied does not have that null. Numbers are converted to
// float64, as in kubectl: 1 equals 1.0, and integers beyond 2^53 are rounded.
// The patch shares no value with the arguments.
//
// kubectl rejects a patch that would change apiVersion, kind or name; the error
// is kubectl's.
func JSONPatch(lastApplied, config, live tree.Object) (tree.Object, error) {
	changes := withoutNulls(JSONDifference(live, config))
	patch := onlyNulls(JSONDifference(lastApplied, config))
	patch = overlaid(patch, changes)
	for _, path := range [][]string{{"apiVersion"}, {"kind"}, {"metadata", "name"}} {
		if _, ok := tree.Get(patch, path...); ok {
			return nil, fault.Errorf("precondition failed for: %v", fault.Value(patch))
		}
	}
	return patch, nil
}

// JSONApply returns live with a JSON merge patch applied (RFC 7386, as
// evanphx/json-patch v4 does it: nulls inside lists stay). The result shares
// with live everything that the patch does not change.
func JSONApply(live, patch tree.Object) tree.Object {
	return overlaid(live, tree.CopyObject(patch))
}

// overlaid returns doc with a patch merged into it; null deletes. It may change
// the patch.
func overlaid(doc, patch tree.Object) tree.Object {
	doc = maps.Clone(doc)
	for k, v := range patch {
		if v == nil {
			delete(doc, k)
			continue
		}
		have, ok := doc[k].(map[string]any)
		p, isMap := v.(map[string]any)
		if ok && isMap {
			doc[k] = overlaid(have, p)
			continue
		}
		// A map replaces a scalar or a list, without its nulls; a list replaces
		// a map unchanged.
		if !(ok && !isMap) {
			tree.DropNulls(v)
		}
		doc[k] = v
	}
	return doc
}

// JSONDifference is the JSON merge patch that makes one manifest of another, without a
// look at the live object (evanphx/json-patch v4 CreateMergePatch).
func JSONDifference(from, to tree.Object) tree.Object {
	patch := tree.Object{}
	for key, want := range to {
		have, ok := from[key]
		if !ok {
			patch[key] = rounded(want)
			continue
		}
		if h, ok := have.(map[string]any); ok {
			if w, ok := want.(map[string]any); ok {
				if sub := JSONDifference(h, w); len(sub) > 0 {
					patch[key] = sub
				}
				continue
			}
		}
		if !equalJSON(have, want) {
			patch[key] = rounded(want)
		}
	}
	for key := range from {
		if _, ok := to[key]; !ok {
			patch[key] = nil
		}
	}
	return patch
}

// equalJSON compares values with every number as a float64.
func equalJSON(a, b any) bool {
	if x, ok := number(a); ok {
		y, ok := number(b)
		return ok && x == y
	}
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, equalJSON)
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, equalJSON)
	}
	return same(a, b)
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// rounded copies v and converts its numbers to float64 and back.
func rounded(v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := make(tree.Object, len(v))
		for k, x := range v {
			m[k] = rounded(x)
		}
		return m
	case []any:
		l := make([]any, len(v))
		for i, x := range v {
			l[i] = rounded(x)
		}
		return l
	case int64:
		return tree.Float(float64(v))
	case float64:
		return tree.Float(v)
	}
	return v
}

// withoutNulls keeps additions and changes. An empty map in the patch is a
// value; a map that becomes empty is dropped.
func withoutNulls(m tree.Object) tree.Object {
	kept := tree.Object{}
	for k, v := range m {
		sub, ok := v.(map[string]any)
		switch {
		case v == nil:
		case !ok || len(sub) == 0:
			kept[k] = v
		default:
			if sub = withoutNulls(sub); len(sub) > 0 {
				kept[k] = sub
			}
		}
	}
	return kept
}

// onlyNulls keeps deletions.
func onlyNulls(m tree.Object) tree.Object {
	kept := tree.Object{}
	for k, v := range m {
		if v == nil {
			kept[k] = nil
		} else if sub, ok := v.(map[string]any); ok {
			if sub = onlyNulls(sub); len(sub) > 0 {
				kept[k] = sub
			}
		}
	}
	return kept
}
