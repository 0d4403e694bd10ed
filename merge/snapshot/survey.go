package snapshot

import (
	"maps"
	"slices"

	"threeway/merge/manifest"
	"threeway/merge/mask"
	"threeway/merge/parallel"
	"threeway/merge/tree"
)

// survey is what all objects of a dump show together. Each is decoded, looked
// at, and forgotten, because all of them at once take more memory than the dump.
type survey struct {
	objects int
	bare    []string // those without managedFields
	uids    int      // those with a uid
	applied bool     // one of them was applied
	// masked and clear count Secrets, values the redacted values; keys are the
	// keys of those.
	masked, clear, values int
	keys                  []string
}

// look adds up what the objects of a dump show.
func look(live *manifest.Snapshot, cores parallel.Cores) survey {
	all := survey{objects: len(live.Entries)}
	keys := map[string]bool{}
	parts := make([]survey, (len(live.Entries)+surveyed-1)/surveyed)
	cores.Do(len(parts), func(i int) {
		for _, e := range live.Entries[i*surveyed : min((i+1)*surveyed, len(live.Entries))] {
			parts[i].add(e.Once())
		}
	})
	for _, p := range parts {
		all.bare = append(all.bare, p.bare...)
		all.uids += p.uids
		all.applied = all.applied || p.applied
		all.masked, all.clear, all.values = all.masked+p.masked, all.clear+p.clear, all.values+p.values
		for _, key := range p.keys {
			keys[key] = true
		}
	}
	all.keys = slices.Sorted(maps.Keys(keys))
	return all
}

// surveyed is how many objects a goroutine looks at, one after the other.
const surveyed = 256

// add adds what one object shows.
func (s *survey) add(o *manifest.Object) {
	meta := tree.Map(o.Tree, "metadata")
	if !tree.Has(meta, "managedFields") {
		s.bare = append(s.bare, o.ID().String())
	}
	if tree.Has(meta, "uid") {
		s.uids++
	}
	s.applied = s.applied || applied(o)
	values, keys := mask.Redacted(o.Tree)
	s.values += values
	s.keys = append(s.keys, keys...)
	switch {
	case mask.Masked(o.Tree):
		s.masked++
	case o.Kind.GroupKind() == "Secret" && values == 0 && len(tree.Map(o.Tree, "data")) > 0:
		s.clear++
	}
}

// applied reports whether an object was ever applied.
func applied(o *manifest.Object) bool {
	return tree.Has(o.Tree, "metadata", "annotations", tree.LastApplied) || slices.ContainsFunc(tree.List(o.Tree, "metadata", "managedFields"), func(entry any) bool {
		return tree.String(entry, "operation") == "Apply"
	})
}
