package conformance

import (
	"slices"

	"threeway/merge/tree"
)

// smaller drops what it can from a triple as long as it still shows a
// difference.
func smaller(k *kind, t triple) triple {
	left := 1000 // tries
	for again := true; again; {
		again = false
		for _, part := range []*tree.Object{&t.last, &t.config, &t.live} {
			for _, path := range paths(*part, nil) {
				was := *part
				*part = without(was, path).(tree.Object)
				if left--; left < 0 || difference(k, t, nil) == "" {
					*part = was
				} else {
					again = true
					break
				}
			}
		}
	}
	return t
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
