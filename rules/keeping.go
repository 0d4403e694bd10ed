package rules

import (
	"slices"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

// keeping tells how to leave fields of the live object as they are, and the
// edits of the manifest that do it; no edits if one would replace a whole map or
// list.
func keeping(o *lint.Object, paths []fieldpath.Path) (fix string, edits []edit.Edit) {
	fix = "remove " + named(paths)
	whole := false
	for _, path := range paths {
		if o.Is("Secret") || slices.ContainsFunc(path, func(s fieldpath.Step) bool { return s.IsIndex }) {
			whole = true // values that are hidden, and items whose places differ
		}
		live, stored := o.Find(path, o.Before)
		config, set := o.Find(path, o.Manifest.Tree)
		switch {
		case stored && (!set || tree.Empty(config) || !compound(config)):
			edits = append(edits, edit.Set(path, live))
		case !stored && set:
			edits = append(edits, edit.Remove(path))
		default:
			whole = true
		}
		if stored {
			fix = "keep the live value"
		}
	}
	if whole {
		return fix, nil
	}
	return fix, edits
}

func compound(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}
