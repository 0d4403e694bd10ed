package rules

import (
	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/rehearsal"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

var lastAppliedTooLarge = &lint.Rule{
	ID:    "last-applied-too-large",
	Title: "the manifest is too large for the last-applied annotation",
	Text: "A client-side apply stores the whole manifest in an annotation, and all annotations of an object can hold 262144 bytes: too few " +
		"for large CustomResourceDefinitions, ConfigMaps and dashboards. Also reported: a manifest that contains the annotation.",
	Why:    "The server rejects the object, at creation or once it has grown.",
	Fix:    "Apply it with --server-side, which needs no annotation.",
	Repair: "Removes the annotation from the manifest.",
	Links: []string{"https://github.com/prometheus-operator/kube-prometheus/issues/1511", "https://github.com/kubernetes-sigs/kubebuilder/issues/3370",
		"https://github.com/apache/solr-operator/issues/215"},
	Severity: lint.Warning,
	Needs:    lint.ClientSide | lint.Kubectl,
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		if !f.Path.Equal(fieldpath.New("metadata", "annotations")) || f.Type != "Too long" {
			return nil
		}
		size := 0
		for key, v := range tree.Map(o.Manifest.Tree, "metadata", "annotations") {
			if s, ok := v.(string); ok && key != rehearsal.LastAppliedKey {
				size += len(key) + len(s)
			}
		}
		if size > 262144 {
			return nil // without last-applied as well
		}
		return &lint.Report{
			Path:    f.Path,
			Message: "the manifest is too large for the last-applied annotation, which can hold 262144 bytes; apply is rejected",
			Ways:    []lint.Way{{Words: "apply it with --server-side" + onceForced, First: lint.ServerOnly, Instead: "make it smaller"}},
		}
	},
	Run: func(p *lint.Pass) {
		path := fieldpath.New("metadata", "annotations", rehearsal.LastAppliedKey)
		for o := range p.Objects() {
			if has(o.Manifest.Tree, path) {
				p.Report(o, lint.Report{
					Path: path, Message: "the manifest has kubectl's own annotation, copied from an export; kubectl replaces it",
					Fix: "remove the annotation", Edits: []edit.Edit{edit.Remove(pasted(o, path))},
				})
			}
		}
	},
}

// pasted is what goes with the annotation: all of them, if there is no other.
func pasted(o *lint.Object, path fieldpath.Path) fieldpath.Path {
	if len(tree.Map(o.Manifest.Tree, "metadata", "annotations")) == 1 {
		return path[:len(path)-1]
	}
	return path
}
