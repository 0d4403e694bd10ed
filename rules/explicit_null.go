package rules

import (
	"fmt"

	"threeway/lint"
	"threeway/merge"
	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

var explicitNull = &lint.Rule{
	ID:    "explicit-null",
	Title: "a null in the config clears a live value",
	Text:  "The config sets a field to null. A warning where that removes a live value which the config applied before did not have, else info.",
	Why: "null clears the field and lets the server set its default, whoever wrote it: that is how to get rid of a leftover, once. Left in the " +
		"config it clears what others set, at every apply. A create drops it, and a server-side apply keeps it or conflicts.",
	Fix:      "Remove the null once it has done its work.",
	Bad:      lint.Example{Live: appliedAs(1, "replicas: 1\n  minReadySeconds: 20"), Config: deployment("\n  replicas: 1\n  minReadySeconds: null")},
	Good:     lint.Example{Live: appliedAs(1, "replicas: 1\n  minReadySeconds: 20"), Config: deployment("\n  replicas: 1\n  minReadySeconds: 20")},
	NearMiss: lint.Example{Config: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: shop, creationTimestamp: null}\ndata: {key: \"null\"}\n"},
	Links:    []string{declarative + "#how-to-clear-server-set-defaults-or-fields-set-by-other-writers", issue + "40630", issue + "119747", "https://github.com/kubernetes-sigs/structured-merge-diff/issues/235"},
	Severity: lint.Warning,
	Needs:    lint.ClientSide,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			nulls(o.Config.Tree, nil, func(path fieldpath.Path) {
				r := lint.Report{Path: path, Severity: lint.Info,
					Message: path.String() + " is null: the apply clears what others set there, each time",
					Fix:     "remove the null unless it is to clear something now"}
				if dies(o, path) {
					r.LivePath, r.Severity = path, lint.Warning
					live, _ := path.Find(o.Before)
					r.Message = fmt.Sprintf("%s is null: the apply removes %s, which was not applied from a config", path, lint.Value(live))
				}
				p.Report(o, r)
			})
		}
	},
}

// dies reports whether the null changes a live value that the config applied
// before did not have.
func dies(o *lint.Object, path fieldpath.Path) bool {
	if _, applied := path.Find(o.LastApplied()); applied {
		return false
	}
	for _, c := range o.Changes() {
		if c.Reason == merge.Nulled && c.Path.HasPrefix(path) {
			return true
		}
	}
	return false
}

// nulls visits the nulls in maps, but for those that generators of manifests
// write for an unset creationTimestamp.
func nulls(m tree.Object, at fieldpath.Path, visit func(fieldpath.Path)) {
	for _, key := range sortedKeys(m) {
		if len(at) == 0 && key == "status" {
			continue // the server's
		}
		switch v := m[key].(type) {
		case nil:
			if key != "creationTimestamp" {
				visit(at.Child(key))
			}
		case map[string]any:
			nulls(v, at.Child(key), visit)
		case []any:
			for i, x := range v {
				if item, ok := x.(map[string]any); ok {
					nulls(item, at.Child(key).Item(i), visit)
				}
			}
		}
	}
}
