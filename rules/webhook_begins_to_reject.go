package rules

import (
	"fmt"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

var webhookBeginsToReject = &lint.Rule{
	ID:    "webhook-begins-to-reject",
	Title: "an admission webhook can block more requests",
	Text: "After the apply more requests depend on a webhook: its failurePolicy becomes Fail, one with that policy is added, or it is " +
		"called for more operations, groups or resources. Also reported: a ValidatingAdmissionPolicyBinding that starts to deny. A new " +
		"configuration is info.",
	Why: "The API server rejects each matching request while the webhook does not answer, including those that would start its own pods.",
	Fix: "Roll a webhook out with failurePolicy: Ignore, and switch to Fail when it runs. Exclude kube-system and its own namespace with namespaceSelector.",
	Links: []string{"https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#failure-policy",
		"https://kubernetes.io/docs/concepts/cluster-administration/admission-webhooks-good-practices/"},
	Severity: lint.Warning,
	Effect:   impact.Says,
	Run: func(p *lint.Pass) {
		for o, created := range clusterOf(p).changed() {
			switch {
			case o.Is("ValidatingWebhookConfiguration.admissionregistration.k8s.io", "MutatingWebhookConfiguration.admissionregistration.k8s.io"):
				reportWebhooks(p, o, created)
			case o.Is("ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io"):
				reportDenial(p, o, created)
			}
		}
	},
}

// reportWebhooks reports the first webhook of a configuration that blocks more than
// before, and the others in notes.
func reportWebhooks(p *lint.Pass, o *lint.Object, created bool) {
	had := map[string]any{}
	for _, w := range tree.List(o.Before, "webhooks") {
		had[tree.String(w, "name")] = w
	}
	var all *lint.Report
	for i, w := range tree.List(o.Result, "webhooks") {
		path, text := blocks(o, had[tree.String(w, "name")], w)
		path = o.Keyed(fieldpath.New("webhooks").Item(i).Join(path), o.Result)
		switch {
		case text == "", departed(p, o, path):
		case all != nil:
			all.Notes = append(all.Notes, text)
		default:
			all = &lint.Report{Path: path, Message: text, Fix: "use failurePolicy: Ignore until the webhook runs"}
		}
	}
	if all == nil {
		return
	}
	if created {
		all.Severity = lint.Info
	} else if has(o.Before, all.Path) {
		all.LivePath = all.Path
	}
	p.Report(o, *all)
}

// blocks says which requests a webhook blocks while it does not answer that it did
// not block before, and the field that says so; "" if none.
func blocks(o *lint.Object, was, now any) (fieldpath.Path, string) {
	name, calls := tree.String(now, "name"), strings.Join(moreRequests(nil, now), "; ")
	if tree.String(now, "failurePolicy") != "Fail" || calls == "" {
		return nil, ""
	}
	policy := fieldpath.New("failurePolicy")
	switch {
	case o.Before == nil:
		return policy, fmt.Sprintf("the new webhook %s blocks requests while it does not answer: %s", name, calls)
	case was == nil:
		return policy, fmt.Sprintf("webhook %s is added and blocks requests while it does not answer: %s", name, calls)
	case tree.String(was, "failurePolicy") != "Fail":
		return policy, fmt.Sprintf("webhook %s blocks requests when it does not answer, which it did not before: %s", name, calls)
	}
	if more := moreRequests(was, now); len(more) > 0 {
		return fieldpath.New("rules"), fmt.Sprintf("webhook %s is called for more requests, and blocks them while it does not answer: %s", name, strings.Join(more, "; "))
	}
	return nil, ""
}

// moreRequests are the requests for which a webhook is called now and was not
// before, a text for each rule: "CREATE, UPDATE of pods". With matchPolicy
// Equivalent the version in a rule stands for all.
func moreRequests(was, now any) (list []string) {
	equivalent := tree.String(was, "matchPolicy") != "Exact"
	held := func(rule tree.Object) bool {
		return slices.ContainsFunc(tree.List(was, "rules"), func(x any) bool {
			return holdsAll(x, rule, "operations") && holdsAll(x, rule, "apiGroups") && holdsAll(x, rule, "resources") &&
				(equivalent || holdsAll(x, rule, "apiVersions")) &&
				(tree.String(x, "scope") == "*" || tree.String(x, "scope") == tree.String(rule, "scope"))
		})
	}
	for _, rule := range tree.List(now, "rules") {
		var operations, groups, resources []any
		for _, operation := range tree.List(rule, "operations") {
			for _, group := range tree.List(rule, "apiGroups") {
				for _, resource := range tree.List(rule, "resources") {
					one := tree.Object{"operations": []any{operation}, "apiGroups": []any{group}, "resources": []any{resource},
						"apiVersions": tree.List(rule, "apiVersions"), "scope": tree.String(rule, "scope")}
					if !held(one) {
						operations, groups, resources = with(operations, operation), with(groups, group), with(resources, resource)
					}
				}
			}
		}
		if operations == nil {
			continue
		}
		which := joined(operations)
		if which == "*" {
			which = "every operation"
		}
		list = append(list, which+" of "+qualified(resources, groups))
	}
	return list
}

// with is a list that has a value, once.
func with(list []any, v any) []any {
	if slices.Contains(list, v) {
		return list
	}
	return append(list, v)
}

// holdsAll reports whether a list of a webhook's rule has every item of that of
// another rule, or what stands for it: *, and for resources pods/* and */*
// (k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/rules).
func holdsAll(outer, inner any, field string) bool {
	have := map[string]bool{}
	for _, x := range tree.List(outer, field) {
		have[fmt.Sprint(x)] = true
	}
	for _, x := range tree.List(inner, field) {
		base, sub, isSub := strings.Cut(fmt.Sprint(x), "/")
		switch {
		case have[fmt.Sprint(x)], have["*/*"], !isSub && have["*"]:
		case isSub && (have[base+"/*"] || have["*/"+sub]):
		default:
			return false
		}
	}
	return true
}

func joined(list []any) string {
	texts := make([]string, len(list))
	for i, x := range list {
		texts[i] = fmt.Sprint(x)
	}
	return strings.Join(texts, ", ")
}

// qualified names resources with their group: deployments.apps.
func qualified(resources, groups []any) string {
	group, text := joined(groups), joined(resources)
	if text == "*" || text == "*/*" {
		text = "everything"
	}
	switch {
	case group == "" && text != "everything":
		return text
	case group == "*":
		return text + " of every group"
	case len(groups) > 1 || text == "everything":
		return text + " of " + groupNames(groups)
	}
	list := make([]string, len(resources))
	for i, r := range resources {
		list[i] = fmt.Sprintf("%v.%s", r, group)
	}
	return strings.Join(list, ", ")
}

func groupNames(groups []any) string {
	list := make([]string, len(groups))
	for i, g := range groups {
		if list[i] = fmt.Sprint(g); list[i] == "" {
			list[i] = "the core group"
		}
	}
	return strings.Join(list, ", ")
}

func reportDenial(p *lint.Pass, o *lint.Object, created bool) {
	path := fieldpath.New("spec", "validationActions")
	denies := func(obj tree.Object) bool {
		for _, action := range tree.List(obj, "spec", "validationActions") {
			if action == "Deny" {
				return true
			}
		}
		return false
	}
	if denies(o.Before) || !denies(o.Result) || locks(p, o) {
		return
	}
	r := lint.Report{
		Path:    path,
		Message: fmt.Sprintf("the binding begins to reject requests that violate ValidatingAdmissionPolicy %s", tree.String(o.Result, "spec", "policyName")),
		Fix:     "use validationActions: [Warn, Audit] until no live object violates the policy",
	}
	if created {
		r.Severity = lint.Info
	} else {
		r.LivePath = path
	}
	p.Report(o, r)
}

// locks reports whether stops-being-writable or pods-rejected say what a binding, or its
// policy, rejects from now on.
func locks(p *lint.Pass, binding *lint.Object) bool {
	type tightening map[manifest.Identity]bool
	by := lint.SharedByRun(p, func() tightening {
		by := tightening{}
		for _, t := range p.Impact().Tightenings() {
			by[t.By.ID()] = true
		}
		return by
	})
	policy := binding.Identity()
	policy.Kind, policy.Name = "ValidatingAdmissionPolicy", tree.String(binding.Result, "spec", "policyName")
	return by[binding.Identity()] || by[policy]
}
