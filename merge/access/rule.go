// Package access decides by RBAC who may do what: rules of roles, the bindings that give
// them to subjects, and what one subject has. It answers as the API server's authorizer
// and its checks of escalation do
// (plugin/pkg/auth/authorizer/rbac, pkg/registry/rbac/validation).
package access

import (
	"fmt"
	"slices"
	"strings"

	"threeway/merge/tree"
)

// Group is the API group of roles and bindings.
const Group = "rbac.authorization.k8s.io"

// Rule is one rule of a role. It is about resources or about URLs.
type Rule struct{ Verbs, Groups, Resources, Names, URLs []string }

// Request is what someone wants to do with a resource, "pods/log" if it is one of another,
// or with a URL that is no resource. Name is empty where the URL has none, as when
// something is created.
type Request struct{ Verb, Group, Resource, Namespace, Name, URL string }

// RulesOf are the rules of a Role or ClusterRole.
func RulesOf(role tree.Object) (list []Rule) {
	for _, rule := range tree.List(role, "rules") {
		texts := func(field string) (list []string) {
			for _, x := range tree.List(rule, field) {
				list = append(list, fmt.Sprint(x))
			}
			return list
		}
		list = append(list, Rule{texts("verbs"), texts("apiGroups"), texts("resources"), texts("resourceNames"), texts("nonResourceURLs")})
	}
	return list
}

// Allows reports whether the rule allows a request
// (plugin/pkg/auth/authorizer/rbac RuleAllows).
func (r Rule) Allows(q Request) bool {
	if q.URL != "" {
		return hasAll(r.Verbs, q.Verb) && r.isAboutURL(q.URL)
	}
	return hasAll(r.Verbs, q.Verb) && hasAll(r.Groups, q.Group) && r.isAbout(q.Resource) && (len(r.Names) == 0 || slices.Contains(r.Names, q.Name))
}

// isAboutURL reports whether the rule has a URL, or one that begins as it does and ends in *.
func (r Rule) isAboutURL(url string) bool {
	return slices.ContainsFunc(r.URLs, func(own string) bool {
		return own == url || strings.HasSuffix(own, "*") && strings.HasPrefix(url, strings.TrimRight(own, "*"))
	})
}

// isAbout reports whether the rule has a resource.
func (r Rule) isAbout(resource string) bool {
	_, sub, isSub := strings.Cut(resource, "/")
	return hasAll(r.Resources, resource) || isSub && slices.Contains(r.Resources, "*/"+sub)
}

// Covers reports whether the rule allows all that another does
// (k8s.io/component-helpers/auth/rbac/validation ruleCovers).
func (r Rule) Covers(one Rule) bool {
	if !hasAll(r.Verbs, one.Verbs...) {
		return false
	}
	if one.URLs != nil {
		return all(one.URLs, r.isAboutURL)
	}
	return hasAll(r.Groups, one.Groups...) && all(one.Resources, r.isAbout) &&
		(len(r.Names) == 0 || len(one.Names) > 0 && all(one.Names, func(name string) bool { return slices.Contains(r.Names, name) }))
}

// hasAll reports whether a list that may have * for everything has all of another.
func hasAll(list []string, of ...string) bool {
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

// mostRules are how many rules of one verb, group and resource rules are divided into:
// more than any role has that a person wrote. Rules beyond that are compared whole.
const mostRules = 1_000

// Split divides rules into those of one verb, group and resource.
func Split(rules []Rule) (list []Rule) {
	for _, r := range rules {
		if count := len(r.Verbs) * (len(r.Groups)*len(r.Resources)*max(1, len(r.Names)) + len(r.URLs)); len(list)+count > mostRules {
			list = append(list, r.whole()...)
			continue
		}
		for _, group := range r.Groups {
			for _, resource := range r.Resources {
				for _, verb := range r.Verbs {
					one := Rule{Verbs: []string{verb}, Groups: []string{group}, Resources: []string{resource}}
					if len(r.Names) == 0 {
						list = append(list, one)
					}
					for _, name := range r.Names {
						one.Names = []string{name}
						list = append(list, one)
					}
				}
			}
		}
		for _, url := range r.URLs {
			for _, verb := range r.Verbs {
				list = append(list, Rule{Verbs: []string{verb}, URLs: []string{url}})
			}
		}
	}
	return list
}

// whole is the rule as one for its resources and one for its URLs.
func (r Rule) whole() (list []Rule) {
	if len(r.Verbs) > 0 && len(r.Groups) > 0 && len(r.Resources) > 0 {
		list = append(list, Rule{r.Verbs, r.Groups, r.Resources, r.Names, nil})
	}
	if len(r.Verbs) > 0 && len(r.URLs) > 0 {
		list = append(list, Rule{Verbs: r.Verbs, URLs: r.URLs})
	}
	return list
}

// Joined puts rules of one verb that are about the same together
// (pkg/registry/rbac/validation CompactRules).
func Joined(rules []Rule) (list []Rule) {
	at := map[string]int{}
	for _, r := range rules {
		if len(r.URLs) > 0 || len(r.Groups) != 1 || len(r.Resources) != 1 || len(r.Names) > 1 {
			list = append(list, r)
			continue
		}
		key := fmt.Sprintf("%q", [][]string{r.Groups, r.Resources, r.Names})
		if i, there := at[key]; there {
			list[i].Verbs = append(slices.Clip(list[i].Verbs), r.Verbs...)
			continue
		}
		at[key] = len(list)
		list = append(list, r)
	}
	return list
}

// Merged are rules that give the same by fewer: those of one resource by all its verbs, and
// resources of a group with the same verbs by one.
func Merged(rules []Rule) (list []Rule) {
	alone := NewHeld()
	var each []Rule
	for _, one := range Split(rules) {
		if len(alone.Lacking("", []Rule{one})) > 0 {
			alone.Add("", []Rule{one})
			each = append(each, one)
		}
	}
	at := map[string]int{}
	for _, r := range Joined(each) {
		slices.Sort(r.Verbs)
		key := fmt.Sprintf("%q", [][]string{r.Verbs, r.Groups, r.Names})
		i, there := at[key]
		switch {
		case !there || r.URLs != nil:
			at[key] = len(list)
			list = append(list, r)
		default:
			list[i].Resources = append(slices.Clip(list[i].Resources), r.Resources...)
		}
	}
	return list
}

// Everything are the rules of cluster-admin.
var Everything = []Rule{
	{Verbs: []string{"*"}, Groups: []string{"*"}, Resources: []string{"*"}},
	{Verbs: []string{"*"}, URLs: []string{"*"}},
}

// Object is the rule as roles have it.
func (r Rule) Object() tree.Object {
	obj := tree.Object{}
	for field, list := range map[string][]string{"verbs": r.Verbs, "apiGroups": r.Groups, "resources": r.Resources, "resourceNames": r.Names, "nonResourceURLs": r.URLs} {
		if len(list) > 0 {
			texts := make([]any, len(list))
			for i, x := range list {
				texts[i] = x
			}
			obj[field] = texts
		}
	}
	return obj
}

// String is the rule as the server writes it (pkg/apis/rbac/v1 CompactString).
func (r Rule) String() string {
	var parts []string
	for _, p := range []struct {
		name string
		list []string
	}{{"APIGroups", r.Groups}, {"Resources", r.Resources}, {"NonResourceURLs", r.URLs}, {"ResourceNames", r.Names}, {"Verbs", r.Verbs}} {
		if len(p.list) > 0 {
			parts = append(parts, fmt.Sprintf("%s:%q", p.name, p.list))
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
