package tree

import (
	"maps"
	"slices"
)

// Share returns own with the parts of other in place of its equal ones, or other if it is
// equal, so that those of own are not kept in memory. It changes neither.
func Share(own, other Object) Object {
	shared, _ := share(own, other).(Object)
	return shared
}

// shareFields is a copy of own if it shares anything.
func shareFields(own, other Object) Object {
	out := own
	for key, v := range own {
		if part := share(v, other[key]); Compound(v) && !Same(part, v) {
			if sameMap(out, own) {
				out = maps.Clone(own)
			}
			out[key] = part
		}
	}
	return out
}

// share returns other if it is equal, or else own with other's parts.
func share(own, other any) any {
	switch a := own.(type) {
	case map[string]any:
		b, ok := other.(map[string]any)
		switch {
		case !ok || len(a) == 0:
		case Equal(a, b):
			return other
		default:
			return shareFields(a, b)
		}
	case []any:
		b, ok := other.([]any)
		switch {
		case !ok || len(a) == 0:
		case Equal(a, b):
			return other
		default:
			out := a
			for i, v := range a[:min(len(a), len(b))] {
				if part := share(v, b[i]); Compound(v) && !Same(part, v) {
					if sameList(out, a) {
						out = slices.Clone(a)
					}
					out[i] = part
				}
			}
			return out
		}
	}
	return own
}
