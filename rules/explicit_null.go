package rules

import (
	"fmt"
	"slices"

	"threeway/lint"
	"threeway/merge/explain"
	"threeway/merge/fieldpath"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

var explicitNull = &lint.Rule{
	ID:    "explicit-null",
	Title: "a null in the manifest clears a live value",
	Text: "The manifest sets a field to null. A warning if that removes a live value that last-applied does not have; otherwise info, once for " +
		"the object. A key without a value is null, too.",
	Why: "null removes the field, whichever manager set it, and the server sets its default. That is a way to clear a leftover once. While " +
		"the null is in the manifest, each apply removes what other managers set there. A create drops the null, and a server-side apply keeps it or conflicts.",
	Fix: "Remove the null after it has cleared the field. For an empty value write {} or [].",
	// The live object has no value there, so the null has no effect any more.
	Repair:   "Removes nulls for fields that the live object does not have, where they have no effect.",
	Links:    []string{declarative + "#how-to-clear-server-set-defaults-or-fields-set-by-other-writers", issue + "40630", issue + "119747", "https://github.com/kubernetes-sigs/structured-merge-diff/issues/235"},
	Severity: lint.Warning,
	Needs:    lint.ClientSide,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			var idle []fieldpath.Path
			nulls(o.Config.Tree, nil, func(path fieldpath.Path) {
				path = o.Keyed(path, o.Config.Tree)
				switch live, _ := path.Find(o.Before); {
				case removesLive(o, path) && !clearsForType(o, path):
					p.Report(o, lint.Report{
						Path: path, LivePath: path,
						Message: fmt.Sprintf("%s is null: apply removes the live value %s", path, lint.Value(live)),
						Fix:     "remove the field from the manifest to keep the live value; or remove it after this apply, to clear it only once",
					})
				case hasEffect(o, path) && !clearsForType(o, path):
					idle = append(idle, path)
				}
			})
			if len(idle) > 0 {
				r := lint.Report{
					Path: idle[0], Severity: lint.Info,
					Message: listed(idle) + " null: each apply removes what is set there",
					Fix:     "remove the field, or write {} or [] for an empty value",
				}
				if !slices.ContainsFunc(idle, func(path fieldpath.Path) bool { return !nothingLive(o, path) }) {
					for _, path := range idle {
						r.Edits = append(r.Edits, edit.Remove(path))
					}
				}
				p.Report(o, r)
			}
		}
	},
}

// clearsForType reports whether the null removes a rollingUpdate that the type in
// the manifest excludes.
func clearsForType(o *lint.Object, path fieldpath.Path) bool {
	strategy := rolloutPath(o)
	if strategy == nil || !path.Equal(strategy.Child("rollingUpdate")) {
		return false
	}
	typ, _ := strategy.Child("type").Find(o.Config.Tree)
	return typ != nil && typ != "RollingUpdate"
}

// removesLive reports whether the null changes a live value that the config applied
// before did not have.
func removesLive(o *lint.Object, path fieldpath.Path) bool {
	if was, _ := path.Find(o.LastApplied()); was != nil {
		return false
	}
	for _, c := range o.Changes() {
		if c.Reason == explain.Nulled && c.Path.HasPrefix(path) {
			return true
		}
	}
	return false
}

// hasEffect reports whether a null would clear a live value: kubectl puts its own
// annotation in place of all annotations, and what is in a list that does not
// merge is replaced anyway.
func hasEffect(o *lint.Object, path fieldpath.Path) bool {
	if path.Equal(fieldpath.New("metadata", "annotations")) {
		return false
	}
	for _, list := range o.Lists() {
		if path.HasPrefix(o.Keyed(list.Path, o.Config.Tree)) && (list.Field == nil || !list.Field.Merge) {
			return false
		}
	}
	return true
}

// nothingLive reports whether the live object is known to have nothing that the null
// could clear. In a list without keys the places of items differ, so nothing is
// said of them.
func nothingLive(o *lint.Object, path fieldpath.Path) bool {
	_, there := path.Find(o.Before)
	return o.Live != nil && !there && !slices.ContainsFunc(path, func(s fieldpath.Step) bool { return s.IsIndex })
}

// nulls visits the nulls in maps, in order, but for those that generators of
// manifests write for an unset creationTimestamp.
func nulls(m tree.Object, at fieldpath.Path, visit func(fieldpath.Path)) {
	var keys []string // of maps and lists, which are few
	for key, v := range m {
		if len(at) == 0 && key == "status" {
			continue // the server's
		}
		switch v.(type) {
		case nil, map[string]any, []any:
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		at := append(at, fieldpath.Step{Field: key})
		switch v := m[key].(type) {
		case nil:
			if key != "creationTimestamp" {
				visit(slices.Clone(at))
			}
		case map[string]any:
			nulls(v, at, visit)
		case []any:
			for i, x := range v {
				if item, ok := x.(map[string]any); ok {
					nulls(item, append(at, fieldpath.Step{Index: i, IsIndex: true}), visit)
				}
			}
		}
	}
}
