package tree

// Share returns own with the parts of other in place of its equal ones, so that those of
// own are not kept in memory. It changes own, which must be new. The metadata
// stay apart, since a namespace is written into them.
func Share(own, other Object) Object {
	for key, v := range own {
		if key != "metadata" {
			if common, same := share(v, other[key]); same {
				own[key] = common
			}
		}
	}
	return own
}

// share returns what own is with other's parts, and whether it is all of other.
func share(own, other any) (shared any, same bool) {
	switch a := own.(type) {
	case map[string]any:
		b, ok := other.(map[string]any)
		if !ok {
			return own, false
		}
		same = len(a) == len(b)
		for key, v := range a {
			w, has := b[key]
			part, equal := share(v, w)
			if same = same && has && equal; equal && isTree(part) {
				a[key] = part
			}
		}
	case []any:
		b, ok := other.([]any)
		if !ok {
			return own, false
		}
		same = len(a) == len(b) && (a == nil) == (b == nil)
		for i := range min(len(a), len(b)) {
			part, equal := share(a[i], b[i])
			if same = same && equal; equal && isTree(part) {
				a[i] = part
			}
		}
	default:
		return other, !isTree(other) && own == other
	}
	if same {
		return other, true
	}
	return own, false
}

func isTree(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}
