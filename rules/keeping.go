package rules

import (
	"cmp"
	"slices"

	"threeway/lint"
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

// toKeep says how to keep a live value that the apply overwrites.
func toKeep(o *lint.Object, path fieldpath.Path) string {
	what := "it"
	if v, ok := o.Find(path, o.Before); ok && !o.Is("Secret") {
		what = cmp.Or(asTyped(path, v), what)
	}
	return "to keep the live value, set " + what + " in " + o.Where()
}

// keeping tells how to leave fields of the live object as they are, and the
// edits of the manifest that do it; no edits if one would replace a list, or if a value is
// hidden.
func keeping(o *lint.Object, paths []fieldpath.Path) (fix string, edits []edit.Edit) {
	fix = "remove " + named(paths)
	whole := false
	for _, path := range paths {
		hidden := o.Is("Secret") && slices.Contains([]string{"data", "stringData"}, path[0].Field)
		live, stored := o.Find(path, o.Before)
		config, set := o.Find(path, o.Manifest.Tree)
		some, ok := toward(path, config, live, set, stored)
		edits, whole = append(edits, some...), whole || !ok || hidden || !alike(o, path)
		if stored {
			fix = "keep the live value"
		}
	}
	if whole {
		return fix, nil
	}
	return fix, edits
}

// toward are the edits that give a field of a manifest the live value, of maps key by key;
// ok is false if they would replace a list.
func toward(path fieldpath.Path, config, live any, set, stored bool) (edits []edit.Edit, ok bool) {
	switch here, isMap := config.(tree.Object); {
	case set && stored && tree.Equal(config, live), !set && !stored:
		return nil, true
	case !stored:
		return []edit.Edit{edit.Remove(path)}, true
	case !set || tree.Empty(config) || !tree.Compound(config):
		return []edit.Edit{edit.Set(path, live)}, true
	case isMap && tree.Compound(live):
		there, isMap := live.(tree.Object)
		for _, key := range tree.KeysOfBoth(here, there) {
			was, has := there[key]
			is, sets := here[key]
			some, can := toward(path.Child(key), is, was, sets, has)
			edits, isMap = append(edits, some...), isMap && can
		}
		return edits, isMap
	}
	return nil, false
}

// alike reports whether a path leads to the same item in the manifest and in the live
// object: where items have no keys, all others must be the same.
func alike(o *lint.Object, path fieldpath.Path) bool {
	for i, step := range path {
		if !step.IsIndex {
			continue
		}
		config, _ := o.Find(path[:i], o.Manifest.Tree)
		live, _ := o.Find(path[:i], o.Before)
		here, is := config.([]any)
		there, was := live.([]any)
		if !is || !was || len(here) != len(there) {
			return false
		}
		for j := range here {
			if j != step.Index && !tree.Equal(here[j], there[j]) {
				return false
			}
		}
	}
	return true
}

// asLive are the edits that take all causes for which the server rejects an object back to
// what the live object has; nil if that is not possible for one of them.
func asLive(o *lint.Object) (edits []edit.Edit) {
	if o.Before == nil {
		return nil
	}
	var apart fieldpath.Apart
	for _, f := range o.Faults() {
		if f.Path == nil || f.Path[0].Field == "metadata" { // where live objects have what no manifest does
			return nil
		}
		paths := []fieldpath.Path{f.Path}
		live, stored := o.Find(f.Path, o.Before)
		merged, _ := o.Find(f.Path, o.Merged())
		_, applied := o.Find(f.Path, o.LastApplied())
		switch {
		case f.Code == fault.Immutable:
			paths = changedBelow(o, f)
		case stored && tree.Equal(live, merged): // another field is at odds with it
			return nil
		case !stored && (f.Code != fault.UnknownField || applied): // or the patch would name it again
			return nil
		}
		_, some := keeping(o, paths)
		if some == nil {
			return nil
		}
		for _, e := range some {
			if _, is := apart.Add(e.Path); is {
				edits = append(edits, e)
			}
		}
	}
	return edits
}
