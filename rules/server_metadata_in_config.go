package rules

import (
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

var serverMetadataInConfig = &lint.Rule{
	ID:    "server-metadata-in-config",
	Title: "the config has fields that the server owns",
	Text: "The config sets resourceVersion, uid, managedFields, deletionTimestamp, generation, selfLink or a creationTimestamp, as an exported " +
		"object has them; or a status. An error where the apply is rejected for it, a warning where that depends on the live object, else info.",
	Why: "A resourceVersion makes the apply fail with a conflict as soon as anyone has changed the object; a uid does when the object is made anew, " +
		"and a deletionTimestamp from the second apply on. managedFields change the books of who owns what, or are refused by a server-side apply. " +
		"The others, and the status, are ignored, but every client-side apply sends them again.",
	Fix:      "Remove the fields: kubectl get -o yaml prints more than a config has.",
	Repair:   "Removes the field.",
	Links:    []string{"https://github.com/openshift/origin/issues/19905", declarative},
	Severity: lint.Warning,
	Since:    "0.1",
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		field := ""
		switch {
		case strings.Contains(f.Text, "the object has been modified"):
			field = "resourceVersion"
		case strings.Contains(f.Text, "uid mismatch"):
			field = "uid"
		case strings.Contains(f.Text, "metadata.managedFields must be nil"):
			field = "managedFields"
		case len(f.Path) == 2 && f.Path[0].Field == "metadata":
			field = f.Path[1].Field
		}
		path := fieldpath.New("metadata", field)
		if _, serverOwned := serverMetadata[field]; !serverOwned || !has(o.Config.Tree, path) {
			return nil
		}
		return &lint.Report{
			Path: path, LivePath: path, Fix: "remove it", Edits: []edit.Edit{edit.Remove(path)},
			Message: "metadata." + field + " is the server's, and not the live object's; apply is rejected: " + firstLine(f.Text),
		}
	},
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			for _, field := range tree.Keys(tree.Map(o.Config.Tree, "metadata")) {
				why, serverOwned := serverMetadata[field]
				path := fieldpath.New("metadata", field)
				if !serverOwned || !has(o.Config.Tree, path) {
					continue
				}
				r := lint.Report{Path: path, Severity: lint.Warning, Message: "metadata." + field + " " + why, Fix: "remove it", Edits: []edit.Edit{edit.Remove(path)}}
				if why == "" {
					r.Severity, r.Message = lint.Info, "metadata."+field+" is the server's; an apply does not change it"
				}
				p.Report(o, r)
			}
			if status := tree.Map(o.Config.Tree, "status"); filled(status) {
				path := fieldpath.New("status")
				r := lint.Report{Path: path, Severity: lint.Info, Message: "status is the server's; an apply ignores it", Fix: "remove it"}
				if o.Schema != nil {
					// A custom resource may have its status without a subresource.
					r.Edits = []edit.Edit{edit.Remove(path)}
				}
				p.Report(o, r)
			}
		}
	},
}

// serverMetadata are the fields of the metadata that belong to the server, and
// what those do that are not just ignored.
var serverMetadata = map[string]string{
	"resourceVersion":            "makes the apply fail as soon as anybody has changed the live object",
	"uid":                        "makes the apply fail when the object has been made anew",
	"managedFields":              "replaces the server's books of who owns which field",
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
