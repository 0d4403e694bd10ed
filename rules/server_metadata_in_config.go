package rules

import (
	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

var serverMetadataInConfig = &lint.Rule{
	ID:    "server-metadata-in-config",
	Title: "the manifest has fields that the server sets",
	Text: "The manifest sets resourceVersion, uid, managedFields, deletionTimestamp, generation, selfLink or a creationTimestamp, as an " +
		"exported object does; or a status; or the rules of a ClusterRole with an aggregationRule. An error if apply is rejected because of it, or because it is removed; a warning if that depends on the live object; otherwise info.",
	Why: "With a resourceVersion apply fails as soon as the live object has changed; with a uid, once the object was recreated; with a " +
		"deletionTimestamp, from the second apply on. managedFields overwrite the record of who owns which field. Rules overwrite those that the controller has collected. The other fields are ignored, but every client-side apply sends them again.",
	Fix:      "Remove the fields: kubectl get -o yaml prints more than a manifest needs.",
	Repair:   "Removes the fields.",
	Links:    []string{"https://github.com/openshift/origin/issues/19905", declarative},
	Severity: lint.Warning,
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		field := ""
		if len(f.Path) == 2 && f.Path[0].Field == "metadata" {
			field = f.Path[1].Field
		}
		path := fieldpath.New("metadata", field)
		_, serverOwned := serverMetadata[field]
		switch {
		case serverOwned && !has(o.Manifest.Tree, path) && has(o.LastApplied(), path):
			return &lint.Report{
				Path: path, LivePath: path,
				Message: "last-applied has metadata." + field + ", which only the server sets, and apply removes what the manifest no longer has; apply is rejected: " + firstLine(f.Text),
				Ways: []lint.Way{{
					Words: "remove it from last-applied first: ", Commands: o.Forgetting(), Forget: []fieldpath.Path{path},
					Instead: "remove it from last-applied first",
				}},
			}
		case !serverOwned || !has(o.Manifest.Tree, path):
			return nil
		}
		return &lint.Report{
			Path: path, LivePath: path, Fix: "remove it", Edits: []edit.Edit{edit.Remove(path)},
			Message: "metadata." + field + " is set by the server, not by manifests; apply is rejected: " + firstLine(f.Text),
		}
	},
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			for _, field := range tree.Keys(tree.Map(o.Manifest.Tree, "metadata")) {
				why, serverOwned := serverMetadata[field]
				path := fieldpath.New("metadata", field)
				if !serverOwned || !has(o.Manifest.Tree, path) {
					continue
				}
				r := lint.Report{Path: path, Severity: lint.Warning, Message: "metadata." + field + " " + why, Fix: "remove it", Edits: []edit.Edit{edit.Remove(path)}}
				if says, effect := nextOf(o, path); says != "" {
					r.Message, r.Effect = "metadata."+field+" is set by the server, not by manifests"+says, effect
				} else if why == "" {
					r.Severity, r.Message = lint.Info, "metadata."+field+" is set by the server; apply does not change it"
				}
				p.Report(o, r)
			}
			if path := fieldpath.New("rules"); aggregates(o) && o.Has(path, o.Manifest.Tree) {
				p.Report(o, collected(o, path))
			}
			if status := tree.Map(o.Manifest.Tree, "status"); filled(status) {
				path := fieldpath.New("status")
				r := lint.Report{Path: path, Severity: lint.Info, Message: "status is set by controllers; apply ignores it", Fix: "remove it"}
				if o.Schema != nil {
					// A custom resource may have its status without a subresource.
					r.Edits = []edit.Edit{edit.Remove(path)}
				}
				p.Report(o, r)
			}
		}
	},
}

// aggregates reports whether a controller collects the rules of a role from other roles, after the
// apply or already.
func aggregates(o *lint.Object) bool {
	path := fieldpath.New("aggregationRule")
	return o.Is("ClusterRole.rbac.authorization.k8s.io") && (o.Has(path, o.Result) || o.Has(path, o.Before))
}

// inCollected reports whether the rules of a role say of a path that a controller collects them.
func inCollected(o *lint.Object, path fieldpath.Path) bool {
	return path[0].Field == "rules" && aggregates(o) && o.Has(path[:1], o.Manifest.Tree)
}

// collected reports the rules in the manifest of a role whose rules a controller collects.
func collected(o *lint.Object, path fieldpath.Path) lint.Report {
	r := lint.Report{Path: path, LivePath: path, Message: "the rules of a ClusterRole with an aggregationRule are written by a controller, which replaces those of the manifest"}
	was, _ := o.Find(path, o.Before)
	is, _ := o.Find(path, o.Result)
	if o.Before != nil && !tree.Equal(was, is) {
		r.Message, r.Effect = "a controller writes the rules of a ClusterRole with an aggregationRule: apply replaces them until it writes them again", impact.Says
		if len(tree.List(o.Result, "rules")) == 0 {
			r.Message = "a controller writes the rules of a ClusterRole with an aggregationRule: after this apply it has none until it writes them again"
		}
	}
	if o.ServerSide == nil && o.Has(path, o.LastApplied()) {
		r.Ways = []lint.Way{leavingOut(o, "rules", path)}
	} else {
		r.Fix, r.Edits = "remove rules from the manifest", []edit.Edit{edit.Remove(path)}
	}
	return r
}

// serverMetadata are the fields of the metadata that belong to the server, and
// what those do that are not just ignored.
var serverMetadata = map[string]string{
	"resourceVersion":            "makes apply fail as soon as the live object has changed",
	"uid":                        "makes every apply fail after the object has been recreated",
	"managedFields":              "replaces the record of who owns which field",
	"deletionTimestamp":          "makes the next apply fail: only the server sets it",
	"deletionGracePeriodSeconds": "makes the next apply fail: only the server sets it",
	"creationTimestamp":          "",
	"generation":                 "",
	"selfLink":                   "",
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
