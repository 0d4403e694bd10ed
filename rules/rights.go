package rules

import (
	"fmt"
	"slices"
	"strings"

	"threeway/merge/tree"
)

// right is one rule of a role.
type right struct{ verbs, groups, resources, names, urls []string }

// rightsOf are the rules of a Role or ClusterRole.
func rightsOf(role tree.Object) (list []right) {
	for _, rule := range tree.List(role, "rules") {
		texts := func(field string) (list []string) {
			for _, x := range tree.List(rule, field) {
				list = append(list, fmt.Sprint(x))
			}
			return list
		}
		list = append(list, right{texts("verbs"), texts("apiGroups"), texts("resources"), texts("resourceNames"), texts("nonResourceURLs")})
	}
	return list
}

// split divides a right into those of one verb, group and resource.
func (r right) split() (list []right) {
	for _, verb := range r.verbs {
		for _, group := range r.groups {
			for _, resource := range r.resources {
				if len(r.names) == 0 {
					list = append(list, right{verbs: []string{verb}, groups: []string{group}, resources: []string{resource}})
				}
				for _, name := range r.names {
					list = append(list, right{verbs: []string{verb}, groups: []string{group}, resources: []string{resource}, names: []string{name}})
				}
			}
		}
		for _, url := range r.urls {
			list = append(list, right{verbs: []string{verb}, urls: []string{url}})
		}
	}
	return list
}

// covers reports whether the right allows all that a split one does
// (k8s.io/component-helpers/auth/rbac/validation ruleCovers).
func (r right) covers(one right) bool {
	has := func(list []string, x string) bool { return slices.Contains(list, "*") || slices.Contains(list, x) }
	if !has(r.verbs, one.verbs[0]) {
		return false
	}
	if one.urls != nil {
		return slices.ContainsFunc(r.urls, func(url string) bool {
			return url == one.urls[0] || strings.HasSuffix(url, "*") && strings.HasPrefix(one.urls[0], strings.TrimSuffix(url, "*"))
		})
	}
	resource := one.resources[0]
	_, sub, isSub := strings.Cut(resource, "/")
	return has(r.groups, one.groups[0]) &&
		(has(r.resources, resource) || isSub && slices.Contains(r.resources, "*/"+sub)) &&
		(len(r.names) == 0 || len(one.names) > 0 && slices.Contains(r.names, one.names[0]))
}

// addedRights are what the rights of now allow and those of before do not, one
// verb, group and resource each.
func addedRights(before, now []right) (list []right) {
	for _, r := range now {
		for _, one := range r.split() {
			if !slices.ContainsFunc(before, func(b right) bool { return b.covers(one) }) {
				list = append(list, one)
			}
		}
	}
	return list
}

// rightsText says split rights in words, verbs of one resource together: "get, list
// secrets". It names at most three resources.
func rightsText(list []right) string {
	var order []string
	verbs := map[string][]string{}
	for _, r := range list {
		what := strings.Join(r.urls, ", ")
		if r.urls == nil {
			if what = r.resources[0]; r.groups[0] == "*" {
				what += " of every group"
			} else if r.groups[0] != "" {
				what += "." + r.groups[0]
			}
			if r.resources[0] == "*" {
				what = strings.Replace(what, "*", "everything", 1)
				if r.groups[0] != "*" && r.groups[0] != "" {
					what = "everything of " + r.groups[0]
				} else if r.groups[0] == "" {
					what = "everything of the core group"
				}
			}
			if r.names != nil {
				what += " " + r.names[0]
			}
		}
		if verbs[what] == nil {
			order = append(order, what)
		}
		verb := strings.Replace(r.verbs[0], "*", "do anything with", 1)
		if !slices.Contains(verbs[what], verb) {
			verbs[what] = append(verbs[what], verb)
		}
	}
	var parts []string
	for _, what := range order[:min(3, len(order))] {
		parts = append(parts, strings.Join(verbs[what], "/")+" "+what)
	}
	text := strings.Join(parts, ", ")
	if more := len(order) - 3; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// powers are the rights by which their holder can get others
// (https://kubernetes.io/docs/concepts/security/rbac-good-practices/#privilege-escalation-risks).
var powers = []struct {
	right
	why string
}{
	{right{[]string{"escalate"}, []string{rbacGroup}, []string{"roles", "clusterroles"}, nil, nil}, "it can give itself every right"},
	{right{[]string{"bind"}, []string{rbacGroup}, []string{"roles", "clusterroles"}, nil, nil}, "it can give itself every role"},
	{right{[]string{"impersonate"}, []string{"", "authentication.k8s.io"}, []string{"users", "groups", "serviceaccounts", "uids"}, nil, nil}, "it can act as another user"},
	{right{[]string{"get", "list", "watch"}, []string{""}, []string{"secrets"}, nil, nil}, "it can read Secrets, also the tokens in them"},
	{right{[]string{"create"}, []string{""}, []string{"pods/exec", "pods/attach", "pods/ephemeralcontainers"}, nil, nil}, "it can run commands in pods"},
	{right{[]string{"create"}, []string{""}, []string{"serviceaccounts/token"}, nil, nil}, "it can create tokens of ServiceAccounts"},
	{right{[]string{"get", "create"}, []string{""}, []string{"nodes/proxy"}, nil, nil}, "it can run commands in every pod through the kubelet"},
	{right{[]string{"update", "patch"}, []string{"certificates.k8s.io"}, []string{"certificatesigningrequests/approval"}, nil, nil}, "it can approve certificates of other users"},
	{right{[]string{"create", "update", "patch"}, []string{"admissionregistration.k8s.io"}, []string{"validatingwebhookconfigurations", "mutatingwebhookconfigurations"}, nil, nil}, "it can read and change the requests of others"},
	{right{[]string{"create"}, []string{""}, []string{"persistentvolumes"}, nil, nil}, "it can reach files of the nodes"},
	{right{[]string{"create"}, []string{"", "apps", "batch"}, []string{"pods", "deployments", "statefulsets", "daemonsets", "jobs", "cronjobs"}, nil, nil}, "it can run pods with every ServiceAccount and Secret of the namespace"},
}

const rbacGroup = "rbac.authorization.k8s.io"

// power says what a right leads to; "" if to no other.
func power(one right) string {
	if one.urls != nil {
		return ""
	}
	if one.verbs[0] == "*" && one.resources[0] == "*" {
		return "it can do everything"
	}
	if one.names != nil && one.verbs[0] != "bind" && one.verbs[0] != "escalate" && one.verbs[0] != "impersonate" {
		return "" // some objects only
	}
	for _, p := range powers {
		for _, of := range p.split() {
			if one.covers(of) || p.covers(one) {
				return p.why
			}
		}
	}
	return ""
}
