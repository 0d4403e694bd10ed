package rules

import (
	"threeway/lint"
	"threeway/merge/applier"
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/tree"
)

var crdAndResourceTogether = &lint.Rule{
	ID:    "crd-and-resource-together",
	Title: "a resource is applied in the same run as its definition",
	Text:  "The cluster does not serve the kind yet; its CustomResourceDefinition is among the same manifests.",
	Why: "kubectl reads the list of kinds from the server before it applies anything, so the first run rejects the resource and applies the " +
		"definition; a second run succeeds. Helm looks up all kinds first, so it never gets to the definition.",
	Fix:      "Apply the definitions first and wait for them: kubectl apply -f crds/ && kubectl wait --for condition=established crd --all.",
	Links:    []string{"https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/"},
	Severity: lint.Error,
	Effect:   impact.FailsFirst,
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		if f.Code != fault.UnknownKind || o.Definition() == nil {
			return nil
		}
		for _, v := range tree.List(o.Definition().Tree, "spec", "versions") {
			if tree.String(v, "name") == o.Kind.Version && tree.Bool(v, "served") {
				report := &lint.Report{
					Path:    fieldpath.New("kind"),
					Message: o.Kind.Kind + " is not served yet: its definition is applied in the same run; the first apply is rejected",
					Notes:   []string{o.Definition().At() + " defines it"},
					Fix:     "apply the definition first, wait until it is established, then apply the rest",
				}
				if o.By.Claim().Program == applier.Helm { // pkg/action Install and Upgrade build all objects before they create one
					report.Message = o.Kind.Kind + " is not served yet: Helm looks for the kinds of all objects before it applies any, so no " + o.By.Run() + " gets to the definition"
					report.Fix = "move the definition into the crds folder of the chart, or into a chart that is installed before"
					report.Effect = impact.None
				}
				return report
			}
		}
		return nil
	},
}
