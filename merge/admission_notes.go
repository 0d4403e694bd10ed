package merge

import (
	"fmt"
	"slices"
	"strings"

	"threeway/merge/tree"
)

// admissionKinds are the kinds by which a cluster may change or reject an object and
// that are not simulated; rules is where they say which objects they are for.
var admissionKinds = []struct {
	groupKind, what, list string
	rules                 []string
}{
	{"MutatingWebhookConfiguration.admissionregistration.k8s.io", "mutating webhook", "webhooks", []string{"rules"}},
	{"ValidatingWebhookConfiguration.admissionregistration.k8s.io", "validating webhook", "webhooks", []string{"rules"}},
	{"MutatingAdmissionPolicy.admissionregistration.k8s.io", "mutating admission policy", "", []string{"spec", "matchConstraints", "resourceRules"}},
	{"ValidatingAdmissionPolicy.admissionregistration.k8s.io", "validating admission policy", "", []string{"spec", "matchConstraints", "resourceRules"}},
}

// unsimulatedAdmission names what is in the snapshot and would have a say in the outcomes,
// but cannot be asked.
func (r *run) unsimulatedAdmission(outcomes []*Outcome) []string {
	var notes []string
	for _, kind := range admissionKinds {
		var names []string
		for _, o := range r.catalog.objects(kind.groupKind) {
			parts := []any{o}
			if kind.list != "" {
				parts = tree.List(o, kind.list)
			}
			if slices.ContainsFunc(parts, func(part any) bool { return concerns(tree.List(part, kind.rules...), outcomes) }) {
				names = append(names, tree.String(o, "metadata", "name"))
			}
		}
		if len(names) > 0 {
			notes = append(notes, fmt.Sprintf("not asked, and may change or reject objects of this set: %s %s", kind.what, strings.Join(names, ", ")))
		}
	}
	return append(notes, r.limited(outcomes)...)
}

// concerns reports whether rules that list operations, groups and resources, with
// * for all, match an object that is created or changed.
func concerns(rules []any, outcomes []*Outcome) bool {
	has := func(list []any, value string) bool {
		return slices.Contains(list, any("*")) || slices.Contains(list, any(value))
	}
	for _, rule := range rules {
		for _, o := range outcomes {
			operation := map[Action]string{Created: "CREATE", Configured: "UPDATE"}[o.Action]
			if operation != "" && has(tree.List(rule, "operations"), operation) && has(tree.List(rule, "apiGroups"), o.Kind.Group) &&
				(has(tree.List(rule, "resources"), o.Resource) || slices.Contains(tree.List(rule, "resources"), any("*/*"))) {
				return true
			}
		}
	}
	return false
}

// limited names the namespaces whose quota or PodSecurity level new objects
// would have to keep.
func (r *run) limited(outcomes []*Outcome) []string {
	pods, created := map[string]bool{}, map[string]bool{}
	for _, o := range outcomes {
		if o.Action == Created {
			created[o.Config.Namespace] = true
			pods[o.Config.Namespace] = pods[o.Config.Namespace] || o.Kind.GroupKind() == "Pod"
		}
	}
	var quotas, levels []string
	for _, q := range r.catalog.objects("ResourceQuota") {
		if ns := tree.String(q, "metadata", "namespace"); created[ns] {
			quotas = append(quotas, ns+"/"+tree.String(q, "metadata", "name"))
		}
	}
	for _, n := range r.catalog.objects("Namespace") {
		name := tree.String(n, "metadata", "name")
		if level := tree.String(n, "metadata", "labels", "pod-security.kubernetes.io/enforce"); pods[name] && level != "" && level != "privileged" {
			levels = append(levels, name+" ("+level+")")
		}
	}
	var notes []string
	if len(quotas) > 0 {
		notes = append(notes, "not counted, and may reject new objects: ResourceQuota "+strings.Join(quotas, ", "))
	}
	if len(levels) > 0 {
		notes = append(notes, "not evaluated, and may reject new Pods: PodSecurity of namespace "+strings.Join(levels, ", "))
	}
	return notes
}
