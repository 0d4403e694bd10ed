package rules

import (
	"threeway/lint"
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

var generateName = &lint.Rule{
	ID:       "generate-name",
	Title:    "apply needs metadata.name",
	Text:     "The object has no metadata.name. It may have generateName instead, which works only with kubectl create.",
	Why:      "kubectl rejects the object and exits with an error; the other objects are applied.",
	Fix:      "Give it a name, or create it with kubectl create, from its own directory.",
	Links:    []string{issue + "44501", issue + "88998"},
	Severity: lint.Error,
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		if f.Code != fault.NoName {
			return nil
		}
		path := fieldpath.New("metadata", "generateName")
		if !has(o.Manifest.Tree, path) {
			path = fieldpath.New("metadata")
		}
		r := &lint.Report{Path: path, Message: "the object has no metadata.name; kubectl apply rejects it", Fix: "set metadata.name, or create the object with kubectl create; generateName works only there"}
		if hook := tree.String(o.Manifest.Tree, "metadata", "annotations", "argocd.argoproj.io/hook"); hook != "" {
			r.Message, r.Fix = "a hook of Argo CD ("+hook+") has no metadata.name; kubectl apply rejects it, and Argo CD creates it", "if Argo CD applies these manifests, pass --applier argocd, and the Application with --app"
		}
		return r
	},
}
