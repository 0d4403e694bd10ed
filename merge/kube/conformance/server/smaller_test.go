package server

import (
	"slices"

	"threeway/merge/tree"
)

// smaller drops what it can from an object as long as it still shows a
// difference.
func smaller(k *kind, obj tree.Object, patched bool) tree.Object {
	return smallest(obj, func(less tree.Object) bool {
		was := encode(less)
		settle(less, k)
		return encode(less) == was && difference(k, less, patched, nil) != ""
	})
}

// smallest drops what it can from an object as long as it is telling.
func smallest(obj tree.Object, telling func(tree.Object) bool) tree.Object {
	for again := true; again; {
		again = false
		for _, path := range paths(obj, nil) {
			if len(path) == 1 && (path[0] == "apiVersion" || path[0] == "kind") {
				continue
			}
			if less := without(obj, path).(tree.Object); telling(less) {
				obj, again = less, true
				break
			}
		}
	}
	return obj
}

// paths lists the places of all values within v.
func paths(v any, at []any) [][]any {
	var all [][]any
	add := func(step, x any) {
		p := append(slices.Clone(at), step)
		all = append(append(all, p), paths(x, p)...)
	}
	switch v := v.(type) {
	case map[string]any:
		for key, x := range v {
			add(key, x)
		}
	case []any:
		for i, x := range v {
			add(i, x)
		}
	}
	return all
}

// without copies v less the value at the path.
func without(v any, path []any) any {
	switch v := v.(type) {
	case map[string]any:
		v = tree.CopyObject(v)
		key := path[0].(string)
		if len(path) == 1 {
			delete(v, key)
		} else {
			v[key] = without(v[key], path[1:])
		}
		return v
	case []any:
		i := path[0].(int)
		if v = tree.Copy(v).([]any); len(path) == 1 {
			return slices.Delete(v, i, i+1)
		}
		v[i] = without(v[i], path[1:])
		return v
	}
	return v
}
