package rules

import (
	"fmt"
	"slices"

	"threeway/lint"
	"threeway/merge/by/helm"
	"threeway/merge/explain"
	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

var explicitNull = &lint.Rule{
	ID:    "explicit-null",
	Title: "a null in the manifest clears a live value",
	Text:  "The manifest sets a field to null, and that removes a live value that last-applied does not have. A key without a value is null, too.",
	Why: "null removes the field, whichever manager set it, and the server sets its default. That is a way to clear a leftover once. While " +
		"the null is in the manifest, each apply removes what other managers set there. A create drops the null, and a server-side apply keeps it or conflicts.",
	Fix:      "Remove the null after it has cleared the field. For an empty value write {} or [].",
	Links:    []string{declarative + "#how-to-clear-server-set-defaults-or-fields-set-by-other-writers", issue + "40630", issue + "119747", "https://github.com/kubernetes-sigs/structured-merge-diff/issues/235"},
	Severity: lint.Warning,
	Needs:    lint.ClientSide,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			if !tree.HasNulls(o.Manifest.Tree) { // as most
				continue
			}
			nulls(o.Manifest.Tree, nil, func(path fieldpath.Path) {
				path = o.Keyed(path, o.Manifest.Tree)
				if live, _ := o.Find(path, o.Before); removesLive(o, path) && !clearsForType(o, path) {
					way := lint.Way{Words: "remove the field from the manifest to keep the live value; or remove it after this apply, to clear it only once"}
					if _, applied := o.Find(path, o.LastApplied()); applied && helm.Of(o.Outcome) == nil { // as if it had a value
						way = leavingOut(o, path.String(), path).Behind("to keep the live value, ")
						way.Instead = "remove it after this apply, to clear it only once"
					}
					message := fmt.Sprintf("%s is null: apply removes the live value %s", path, lint.Value(live))
					if now, set := o.Find(path, o.Result); set && now != nil {
						message = fmt.Sprintf("%s is null: apply resets the live value %s to the server's default, %s", path, lint.Value(live), lint.Value(now))
					}
					p.Report(o, lint.Report{Path: path, LivePath: path, Ways: []lint.Way{way}, Message: message})
				}
			})
		}
	},
}

// clearsForType reports whether the null removes a rollingUpdate that the type in
// the manifest excludes.
func clearsForType(o *lint.Object, path fieldpath.Path) bool {
	strategy := rolloutPath(o.Kind)
	if strategy == nil || !path.Equal(strategy.Child("rollingUpdate")) {
		return false
	}
	typ, _ := strategy.Child("type").Find(o.Manifest.Tree)
	return typ != nil && typ != "RollingUpdate"
}

// removesLive reports whether the null changes a live value that the config applied
// before did not have.
func removesLive(o *lint.Object, path fieldpath.Path) bool {
	if was, _ := o.Find(path, o.LastApplied()); was != nil {
		return false
	}
	for _, c := range o.Changes() {
		if c.Reason == explain.Nulled && c.Path.HasPrefix(path) {
			return true
		}
	}
	return false
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
