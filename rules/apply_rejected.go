package rules

import (
	"fmt"

	"threeway/lint"
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
)

var applyRejected = &lint.Rule{
	ID:    "apply-rejected",
	Title: "the object would be rejected",
	Text: "kubectl or the API server would reject the object, for a reason that no other rule explains. The message is theirs. All objects of a " +
		"kind that the cluster does not have are one finding.",
	Why:      "Nothing of the object is applied, kubectl exits with an error, and --prune is skipped for the whole run.",
	Fix:      "Correct the field that the message names.",
	Links:    []string{"https://kubernetes.io/docs/reference/kubernetes-api/"},
	Severity: lint.Error,
	Since:    "0.1",
	Fallback: true,
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		path := f.Path
		if o.Is("Kustomization.kustomize.config.k8s.io") {
			return &lint.Report{
				Path:    fieldpath.New("kind"),
				Message: "a kustomization is not a manifest: apply -f rejects it",
				Fix:     "pass its directory with -k, here and to kubectl apply",
			}
		}
		if f.Code == fault.UnknownKind {
			return &lint.Report{
				Path:    fieldpath.New("kind"),
				Message: fmt.Sprintf("the cluster has no kind %q in version %q; apply is rejected", o.Kind.Kind, o.Kind.APIVersion()),
				Fix:     "install the CustomResourceDefinition first; if the cluster has it and the snapshot does not, pass it with --crd",
				Group:   fmt.Sprintf("%q in version %q", o.Kind.Kind, o.Kind.APIVersion()),
			}
		}
		return &lint.Report{Path: path, Message: "apply is rejected: " + firstLine(f.Text), Fix: correction(o, f)}
	},
}

// correction tells what to do about a fault, as far as its type does.
func correction(o *lint.Object, f lint.Fault) string {
	path := f.Path.String()
	switch {
	case path == "":
		return "correct what the message names"
	case f.Type == "Required value":
		return "set " + path
	case f.Type == "Forbidden" && has(o.Config.Tree, f.Path):
		return "remove " + path
	case f.Type == "Unsupported value":
		return "set " + path + " to one of the supported values"
	case f.Type == "Not found":
		return "correct " + path + ", or add what it names"
	}
	return "correct " + path
}
