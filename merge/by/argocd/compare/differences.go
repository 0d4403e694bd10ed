package compare

import (
	"maps"
	"slices"

	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// Differences are the paths at which two objects differ: of fields that only one has, of
// values, and of lists of different lengths.
func Differences(a, b tree.Object) []fieldpath.Path { return differences(nil, a, b) }

func differences(at fieldpath.Path, a, b any) (paths []fieldpath.Path) {
	if tree.Equal(a, b) {
		return nil
	}
	switch a := a.(type) {
	case map[string]any:
		if b, is := b.(map[string]any); is {
			keys := maps.Clone(a)
			maps.Copy(keys, b)
			for _, key := range slices.Sorted(maps.Keys(keys)) {
				_, inA := a[key]
				_, inB := b[key]
				if inA && inB {
					paths = append(paths, differences(at.Child(key), a[key], b[key])...)
				} else {
					paths = append(paths, at.Child(key))
				}
			}
			return paths
		}
	case []any:
		if b, is := b.([]any); is && len(a) == len(b) {
			for i := range a {
				paths = append(paths, differences(at.Item(i), a[i], b[i])...)
			}
			return paths
		}
	}
	return []fieldpath.Path{at}
}

// Covered reports whether a path is one of a list, or above or below one.
func Covered(p fieldpath.Path, by []fieldpath.Path) bool {
	return slices.ContainsFunc(by, p.Overlaps)
}
