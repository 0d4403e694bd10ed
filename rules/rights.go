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

// mostRights are how many rights of one verb, group and resource rules are divided into:
// more than any role has that a person wrote. Rules beyond that are compared whole.
const mostRights = 1_000

// split divides rights into those of one verb, group and resource.
func split(rights []right) (list []right) {
	for _, r := range rights {
		if count := len(r.verbs) * (len(r.groups)*len(r.resources)*max(1, len(r.names)) + len(r.urls)); len(list)+count > mostRights {
			list = append(list, r.whole()...)
			continue
		}
		for _, verb := range r.verbs {
			for _, group := range r.groups {
				for _, resource := range r.resources {
					one := right{verbs: []string{verb}, groups: []string{group}, resources: []string{resource}}
					if len(r.names) == 0 {
						list = append(list, one)
					}
					for _, name := range r.names {
						one.names = []string{name}
						list = append(list, one)
					}
				}
			}
			for _, url := range r.urls {
				list = append(list, right{verbs: []string{verb}, urls: []string{url}})
			}
		}
	}
	return list
}

// whole is the right as one for its resources and one for its URLs.
func (r right) whole() (list []right) {
	if len(r.verbs) > 0 && len(r.groups) > 0 && len(r.resources) > 0 {
		list = append(list, right{r.verbs, r.groups, r.resources, r.names, nil})
	}
	if len(r.verbs) > 0 && len(r.urls) > 0 {
		list = append(list, right{verbs: r.verbs, urls: r.urls})
	}
	return list
}

// covers reports whether the right allows all that another does
// (k8s.io/component-helpers/auth/rbac/validation ruleCovers).
func (r right) covers(one right) bool {
	if !hasAll(r.verbs, one.verbs) {
		return false
	}
	if one.urls != nil {
		return all(one.urls, func(url string) bool {
			return slices.ContainsFunc(r.urls, func(own string) bool {
				return own == url || strings.HasSuffix(own, "*") && strings.HasPrefix(url, strings.TrimSuffix(own, "*"))
			})
		})
	}
	return hasAll(r.groups, one.groups) && all(one.resources, func(resource string) bool {
		_, sub, isSub := strings.Cut(resource, "/")
		return hasAll(r.resources, []string{resource}) || isSub && slices.Contains(r.resources, "*/"+sub)
	}) && (len(r.names) == 0 || len(one.names) > 0 && all(one.names, func(name string) bool { return slices.Contains(r.names, name) }))
}

// hasAll reports whether a list that may have * for everything has all of another.
func hasAll(list, of []string) bool {
	if slices.Contains(list, "*") {
		return true
	}
	if len(of) == 1 {
		return slices.Contains(list, of[0])
	}
	has := map[string]bool{}
	for _, x := range list {
		has[x] = true
	}
	return all(of, func(x string) bool { return has[x] })
}

func all(list []string, ok func(string) bool) bool {
	return !slices.ContainsFunc(list, func(x string) bool { return !ok(x) })
}

// addedRights are what the split rights of now allow and those of before do not.
func addedRights(before, now []right) []right { return newHeldRights(before).lacking("", now) }

// rightsText says rights in words, verbs of one resource together: "get, list
// secrets". It names at most three resources.
func rightsText(list []right) string {
	var order []string
	verbs := map[string][]string{}
	said := map[[2]string]bool{}
	more := -3
	for _, r := range list {
		first := r.first(3)
		more += r.things() - first.things()
		for _, one := range split([]right{first}) {
			what := one.thing()
			if verbs[what] == nil {
				order = append(order, what)
			}
			verb := strings.Replace(one.verbs[0], "*", "do anything with", 1)
			if key := [2]string{what, verb}; !said[key] {
				verbs[what], said[key] = append(verbs[what], verb), true
			}
		}
	}
	var parts []string
	for _, what := range order[:min(3, len(order))] {
		parts = append(parts, strings.Join(verbs[what], "/")+" "+what)
	}
	text := strings.Join(parts, ", ")
	if more += len(order); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// things is how many a right is about, and first the right to the first n of each, with
// some verbs.
func (r right) things() int {
	return len(r.groups)*len(r.resources)*max(1, len(r.names)) + len(r.urls)
}

func (r right) first(n int) right {
	return right{firstOf(r.verbs, 10), firstOf(r.groups, n), firstOf(r.resources, n), firstOf(r.names, n), firstOf(r.urls, n)}
}

func firstOf(list []string, n int) []string { return list[:min(n, len(list))] }

// thing says what a split right is about.
func (r right) thing() string {
	if r.urls != nil {
		return r.urls[0]
	}
	what := r.resources[0]
	if r.groups[0] == "*" {
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
	return what
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
func power(r right) string {
	if r.urls != nil {
		return ""
	}
	if slices.Contains(r.verbs, "*") && slices.Contains(r.resources, "*") {
		return "it can do everything"
	}
	if r.names != nil {
		of := []string{"bind", "escalate", "impersonate"} // the others are about some objects only
		r.verbs = slices.DeleteFunc(slices.Clone(r.verbs), func(verb string) bool { return !slices.Contains(of, verb) })
	}
	for _, p := range powers {
		for _, of := range split([]right{p.right}) {
			if r.covers(of) || r.shares(of) {
				return p.why
			}
		}
	}
	return ""
}

// shares reports whether a right, perhaps to some objects only, has the verb, group and
// resource of a split one.
func (r right) shares(one right) bool {
	return slices.Contains(r.verbs, one.verbs[0]) && slices.Contains(r.groups, one.groups[0]) && slices.Contains(r.resources, one.resources[0])
}
