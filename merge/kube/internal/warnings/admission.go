package warnings

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// StaticName warns of names that manifests of the server itself have.
//
// Source: WarningsForStaticSuffix of
// pkg/apis/admissionregistration/validation. A create that is rejected for such
// a name does not come so far.
func StaticName(w *texts, r Request) {
	const suffix = ".static.k8s.io"
	if minors.WarnStaticNames.In(r.Minor) && strings.HasSuffix(tree.String(r.Object, "metadata", "name"), suffix) {
		w.say("metadata.name", "metadata.name: names ending with %q are reserved for static manifest-based configurations and cannot be managed via the API", suffix)
	}
}

// unaskedResources are those that admission webhooks are not asked about
// (pkg/kubeapiserver/admission/exclusion).
var unaskedResources = []string{
	"selfsubjectreviews.authentication.k8s.io", "tokenreviews.authentication.k8s.io",
	"localsubjectaccessreviews.authorization.k8s.io", "selfsubjectaccessreviews.authorization.k8s.io",
	"selfsubjectrulesreviews.authorization.k8s.io", "subjectaccessreviews.authorization.k8s.io",
}

// WebhookConfiguration warns of names as [StaticName] does, and of rules for
// resources that webhooks are not asked about (warningsForExcludedRules of
// pkg/apis/admissionregistration/validation).
func WebhookConfiguration(w *texts, r Request) {
	StaticName(w, r)
	if !minors.WarnExcludedWebhooks.In(r.Minor) {
		return
	}
	for i, hook := range tree.List(r.Object, "webhooks") {
		for j, rule := range tree.List(hook, "rules") {
			groups, resources := tree.List(rule, "apiGroups"), tree.List(rule, "resources")
			if slices.Contains(groups, any("*")) || slices.Contains(resources, any("*")) {
				continue
			}
			at := field.NewPath("webhooks").Index(i).Child("rules").Index(j)
			for _, group := range groups {
				for _, resource := range resources {
					if name := tree.String(resource) + "." + tree.String(group); slices.Contains(unaskedResources, name) {
						w.at(at, "%s is excluded from admission webhooks; this rule will have no effect", name)
					}
				}
			}
		}
	}
}
