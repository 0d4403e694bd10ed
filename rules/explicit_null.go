package rules

import (
	"fmt"
	"strings"

	"threeway/lint"
	"threeway/merge/by/helm"
	"threeway/merge/explain"
	"threeway/merge/fieldpath"
)

var explicitNull = &lint.Rule{
	ID:    "explicit-null",
	Title: "a null in the manifest clears a live value",
	Text: "The manifest sets a field to null (a key without a value is null, too), and that removes a live value that last-applied does " +
		"not have.",
	Why: "null removes the field, whichever manager set it, at each apply, and the server sets its default. A create drops the null, and " +
		"a server-side apply keeps it or conflicts.",
	Fix:      "Remove the null after it has cleared the field. For an empty value write {} or [].",
	Links:    []string{declarative + "#how-to-clear-server-set-defaults-or-fields-set-by-other-writers", issue + "40630", issue + "119747", "https://github.com/kubernetes-sigs/structured-merge-diff/issues/235"},
	Severity: lint.Warning,
	Needs:    lint.ClientSide,
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			seen := map[string]bool{}
			for _, c := range o.Changes() {
				if path := nullOf(o, c); path != nil && !seen[path.String()] && !clearsForType(o, path) && !lost(o, path) {
					seen[path.String()] = true
					p.Report(o, cleared(o, path))
				}
			}
		}
	},
}

// cleared says that a null removes a live value.
func cleared(o *lint.Object, path fieldpath.Path) lint.Report {
	way := lint.Way{Words: "remove the field from the manifest to keep the live value; or remove it after this apply, to clear it only once"}
	if _, applied := o.Find(path, o.LastApplied()); applied && helm.Of(o.Outcome) == nil { // as if it had a value
		way = leavingOut(o, path.String(), path).Behind("to keep the live value, ")
		way.Instead = "remove it after this apply, to clear it only once"
	}
	live, _ := o.Find(path, o.Before)
	message := fmt.Sprintf("%s is null: apply removes the live value %s", path, lint.Value(live))
	if now, set := o.Find(path, o.Result); set && now != nil {
		message = fmt.Sprintf("%s is null: apply resets the live value %s to the server's default, %s", path, lint.Value(live), lint.Value(now))
	}
	if names := otherOwners(o, path); names != nil {
		message += " (set by " + strings.Join(names, ", ") + ")"
	}
	return lint.Report{Path: path, LivePath: path, Ways: []lint.Way{way}, Message: message}
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

// nullOf is the null in the manifest that causes a change of a live value which last-applied did
// not have; nil if none does.
func nullOf(o *lint.Object, c explain.Change) fieldpath.Path {
	for n := range c.Path {
		at := c.Path[: n+1 : n+1]
		if v, set := o.Find(at, o.Manifest.Tree); c.Reason == explain.Nulled && set && v == nil {
			if was, _ := o.Find(at, o.LastApplied()); was != nil {
				return nil
			}
			return at
		}
	}
	return nil
}
