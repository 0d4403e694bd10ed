package rules

import (
	"strings"

	"threeway/lint"
	"threeway/merge/edit"
	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

var serverMetadataInConfig = &lint.Rule{
	ID:    "server-metadata-in-config",
	Title: "the config has fields that the server owns",
	Text: "The config sets resourceVersion, uid, generation, selfLink, managedFields or a creationTimestamp, as an exported object has them; " +
		"or a status (info).",
	Why: "A resourceVersion makes the apply fail with a conflict as soon as anyone has changed the object; a uid does when the object is made anew. " +
		"The others, and the status, are ignored or make a difference for ever.",
	Fix:    "Remove the fields. Where they are rejected, apply-rejected says so.",
	Repair: "Removes the field.",
	Bad:    lint.Example{Config: strings.Replace(deployment(""), "namespace: shop}", `namespace: shop, resourceVersion: "123", uid: 3f5b7d1e-0000-4000-8000-000000000001}`, 1)},
	Good:   lint.Example{Config: deployment("")},
	// As Go programs print it.
	NearMiss: lint.Example{Config: strings.Replace(deployment(""), "namespace: shop}", "namespace: shop, creationTimestamp: null}", 1)},
	Links:    []string{"https://github.com/openshift/origin/issues/19905", declarative},
	Severity: lint.Warning,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		for o := range p.Objects() {
			for _, field := range []string{"resourceVersion", "uid", "generation", "selfLink", "managedFields", "creationTimestamp"} {
				path := fieldpath.New("metadata", field)
				if !has(o.Config.Tree, path) {
					continue
				}
				r := lint.Report{Path: path, Message: "metadata." + field + " is the server's; it does not belong into a config", Fix: "remove it", Edits: []edit.Edit{edit.Remove(path)}}
				if field == "resourceVersion" || field == "uid" {
					r.Message = "metadata." + field + " makes the apply fail as soon as the live object has another one"
				}
				p.Report(o, r)
			}
			if status := tree.Map(o.Config.Tree, "status"); filled(status) {
				path := fieldpath.New("status")
				p.Report(o, lint.Report{Path: path, Severity: lint.Info, Message: "status is the server's; an apply ignores it", Fix: "remove it", Edits: []edit.Edit{edit.Remove(path)}})
			}
		}
	},
}

// filled reports whether a value holds anything but empty ones, which
// generators of manifests leave behind.
func filled(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for _, x := range v {
			if filled(x) {
				return true
			}
		}
		return false
	case []any:
		return len(v) > 0
	}
	return !tree.Empty(v)
}
