package server

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/kubernetes/pkg/registry/rbac/validation"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac/bootstrappolicy"

	"threeway/merge/access"
	"threeway/merge/tree"
)

// stored are roles and bindings as the listers of the server give them.
type stored struct {
	roles    []*rbacv1.Role
	cluster  []*rbacv1.ClusterRole
	bindings []*rbacv1.RoleBinding
	all      []*rbacv1.ClusterRoleBinding
	asked    string // the resource of a request whose storage reads them
}

func (s *stored) GetRole(_ context.Context, namespace, name string) (*rbacv1.Role, error) {
	if i := slices.IndexFunc(s.roles, func(r *rbacv1.Role) bool { return r.Namespace == namespace && r.Name == name }); i >= 0 {
		return s.roles[i], nil
	}
	return nil, apierrors.NewNotFound(rbacv1.Resource(cmp.Or(s.asked, "role")), name)
}

func (s *stored) GetClusterRole(_ context.Context, name string) (*rbacv1.ClusterRole, error) {
	if i := slices.IndexFunc(s.cluster, func(r *rbacv1.ClusterRole) bool { return r.Name == name }); i >= 0 {
		return s.cluster[i], nil
	}
	return nil, apierrors.NewNotFound(rbacv1.Resource(cmp.Or(s.asked, "clusterrole")), name)
}

func (s *stored) ListRoleBindings(_ context.Context, namespace string) (list []*rbacv1.RoleBinding, _ error) {
	for _, b := range s.bindings {
		if b.Namespace == namespace {
			list = append(list, b)
		}
	}
	return list, nil
}

func (s *stored) ListClusterRoleBindings(context.Context) ([]*rbacv1.ClusterRoleBinding, error) {
	return s.all, nil
}

// objects are the same as threeway reads them.
func (s *stored) objects(t *testing.T) (list []tree.Object) {
	add := func(kind string, v any) {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var obj tree.Object
		if err := json.Unmarshal(text, &obj); err != nil {
			t.Fatal(err)
		}
		obj["kind"] = kind
		list = append(list, obj)
	}
	for _, o := range s.roles {
		add("Role", o)
	}
	for _, o := range s.cluster {
		add("ClusterRole", o)
	}
	for _, o := range s.bindings {
		add("RoleBinding", o)
	}
	for _, o := range s.all {
		add("ClusterRoleBinding", o)
	}
	return list
}

var (
	accessVerbs      = []string{"get", "list", "create", "patch", "delete", "bind", "escalate", "*"}
	accessGroups     = []string{"", "apps", access.Group, "*"}
	accessResources  = []string{"pods", "secrets", "deployments", "pods/log", "deployments/scale", "*/scale", "pods/*", "roles", "*"}
	accessNames      = []string{"a", "b", "c"}
	accessURLs       = []string{"/healthz", "/healthz/*", "/api*", "/a**", "*"}
	accessNamespaces = []string{"shop", "ops", "other"}
	accessUsers      = []*user.DefaultInfo{
		{Name: "jane", Groups: []string{"dev", "system:authenticated"}},
		{Name: "system:serviceaccount:shop:a", Groups: []string{"system:serviceaccounts", "system:serviceaccounts:shop", "system:authenticated"}},
		{Name: "system:serviceaccount:ops:b", Groups: []string{"system:serviceaccounts", "system:serviceaccounts:ops", "system:authenticated"}},
		{Name: "system:anonymous", Groups: []string{"system:unauthenticated"}},
		{Name: "jane:x", Groups: nil},
	}
)

// some are up to n of a list, at least one.
func some(r *rand.Rand, list []string, n int) (picked []string) {
	for range 1 + r.IntN(n) {
		picked = append(picked, list[r.IntN(len(list))])
	}
	return picked
}

func randomRules(r *rand.Rand, urls bool) (rules []rbacv1.PolicyRule) {
	for range 1 + r.IntN(5) {
		if urls && r.IntN(5) == 0 {
			rules = append(rules, rbacv1.PolicyRule{Verbs: some(r, accessVerbs, 2), NonResourceURLs: some(r, accessURLs, 2)})
			continue
		}
		rule := rbacv1.PolicyRule{Verbs: some(r, accessVerbs, 3), APIGroups: some(r, accessGroups, 2), Resources: some(r, accessResources, 3)}
		if r.IntN(4) == 0 {
			rule.ResourceNames = some(r, append(accessNames, ""), 2)
		}
		rules = append(rules, rule)
	}
	return rules
}

func randomSubjects(r *rand.Rand) (list []rbacv1.Subject) {
	for range 1 + r.IntN(4) {
		list = append(list, []rbacv1.Subject{
			{Kind: "User", Name: "jane", APIGroup: access.Group},
			{Kind: "User", Name: "system:serviceaccount:shop:a", APIGroup: access.Group},
			{Kind: "Group", Name: "dev", APIGroup: access.Group},
			{Kind: "Group", Name: "system:serviceaccounts:ops", APIGroup: access.Group},
			{Kind: "Group", Name: "system:unauthenticated", APIGroup: access.Group},
			{Kind: "ServiceAccount", Name: "a"},
			{Kind: "ServiceAccount", Name: "a", Namespace: "shop"},
			{Kind: "ServiceAccount", Name: "b", Namespace: "ops"},
			{Kind: "ServiceAccount", Name: "x", Namespace: "jane"},
		}[r.IntN(9)])
	}
	return list
}

func randomStored(r *rand.Rand) *stored {
	s := &stored{}
	for _, name := range accessNames {
		role := &rbacv1.ClusterRole{Rules: randomRules(r, true)}
		if role.Name = name; r.IntN(5) > 0 {
			s.cluster = append(s.cluster, role)
		}
		b := &rbacv1.ClusterRoleBinding{Subjects: randomSubjects(r), RoleRef: rbacv1.RoleRef{APIGroup: access.Group, Kind: "ClusterRole", Name: accessNames[r.IntN(3)]}}
		b.Name = name
		if r.IntN(3) == 0 {
			s.all = append(s.all, b)
		}
		for _, namespace := range accessNamespaces {
			role := &rbacv1.Role{Rules: randomRules(r, false)}
			if role.Name, role.Namespace = name, namespace; r.IntN(4) > 0 {
				s.roles = append(s.roles, role)
			}
			b := &rbacv1.RoleBinding{Subjects: randomSubjects(r), RoleRef: rbacv1.RoleRef{APIGroup: access.Group, Kind: []string{"Role", "ClusterRole"}[r.IntN(2)], Name: accessNames[r.IntN(3)]}}
			b.Name, b.Namespace = name, namespace
			s.bindings = append(s.bindings, b)
		}
	}
	return s
}

// sortedErrors puts the missing roles of a refusal into an order: the server's is that of a map.
func sortedErrors(text string) string {
	before, list, found := strings.Cut(text, "[")
	if !found || !strings.HasPrefix(text, "RBAC") {
		return text
	}
	all := strings.Split(strings.TrimSuffix(list, "]"), ", ")
	slices.Sort(all)
	return before + "[" + strings.Join(all, ", ") + "]"
}

// TestAccess asks the server's authorizer, and its check of escalation, about random roles,
// bindings, users and requests, and wants the same answers and texts.
func TestAccess(t *testing.T) {
	asked, allowed, escalations, refused := 0, 0, 0, 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 42))
		s := randomStored(r)
		ours := access.New(0, s.objects(t), func(string) bool { return true })
		theirs := rbac.New(s, s, s, s)
		for range 100 {
			u := accessUsers[r.IntN(len(accessUsers))]
			q := access.Request{Verb: accessVerbs[r.IntN(len(accessVerbs))], Group: accessGroups[r.IntN(3)], Resource: accessResources[r.IntN(len(accessResources))]}
			if r.IntN(4) > 0 {
				q.Namespace = accessNamespaces[r.IntN(3)]
			}
			if r.IntN(2) == 0 {
				q.Name = accessNames[r.IntN(3)]
			}
			resource, sub, _ := strings.Cut(q.Resource, "/")
			attributes := authorizer.AttributesRecord{User: u, Verb: q.Verb, APIGroup: q.Group, Resource: resource, Subresource: sub, Namespace: q.Namespace, Name: q.Name, ResourceRequest: true}
			want, reason, err := theirs.Authorize(context.Background(), attributes)
			got := ours.Decide(access.User{Name: u.Name, Groups: u.Groups}, q)
			asked++
			if want == authorizer.DecisionAllow {
				allowed++
				reason = ""
			}
			if got.Why != "" {
				got.Why = "RBAC: " + got.Why
			}
			if err != nil || got.Allowed != (want == authorizer.DecisionAllow) || got.Why != sortedErrors(reason) || got.Needs != nil {
				t.Errorf("seed %d: %s asks %+v: %+v, upstream %v %q %v", seed, u.Name, q, got, want, reason, err)
			}
		}
		s.asked = "rolebindings"
		for range 20 {
			u := accessUsers[r.IntN(len(accessUsers))]
			namespace := []string{"", "shop", "ops"}[r.IntN(3)]
			rules := randomRules(r, true)
			ctx := genericapirequest.WithNamespace(genericapirequest.WithUser(context.Background(), u), namespace)
			want := ""
			if err := validation.ConfirmNoEscalation(ctx, validation.NewDefaultRuleResolver(s, s, s, s), rules); err != nil {
				want = err.Error()
				refused++
			}
			escalations++
			text, err := json.Marshal(map[string]any{"rules": rules})
			if err != nil {
				t.Fatal(err)
			}
			var obj tree.Object
			if err := json.Unmarshal(text, &obj); err != nil {
				t.Fatal(err)
			}
			got, _, _ := ours.Escalation(access.User{Name: u.Name, Groups: u.Groups}, s.asked, namespace, access.RulesOf(obj))
			head, errs, both := strings.Cut(want, "; resolution errors: [")
			if both {
				want = head + "; resolution errors: [" + strings.TrimPrefix(sortedErrors("RBAC"+strings.TrimSuffix(errs, "]")), "RBAC") + "]"
			}
			if got != want {
				t.Errorf("seed %d: %s grants %s:\n%s\nupstream\n%s", seed, u.Name, text, got, want)
			}
		}
	}
	t.Logf("%d requests, of which %d are allowed, and %d grants, of which %d are refused", asked, allowed, escalations, refused)
	if allowed < asked/20 || refused < escalations/5 {
		t.Error("the cases are too much alike")
	}
}

// TestBootstrap holds the roles and bindings that every server makes to those of this release.
func TestBootstrap(t *testing.T) {
	s := &stored{}
	for _, r := range append(bootstrappolicy.ClusterRoles(), bootstrappolicy.ControllerRoles()...) {
		s.cluster = append(s.cluster, &r)
	}
	for _, b := range append(bootstrappolicy.ClusterRoleBindings(), bootstrappolicy.ControllerRoleBindings()...) {
		s.all = append(s.all, &b)
	}
	for _, roles := range bootstrappolicy.NamespaceRoles() {
		for _, r := range roles {
			s.roles = append(s.roles, &r)
		}
	}
	for _, bindings := range bootstrappolicy.NamespaceRoleBindings() {
		for _, b := range bindings {
			s.bindings = append(s.bindings, &b)
		}
	}
	describe := func(obj tree.Object) string {
		return fmt.Sprint(access.RulesOf(obj), obj["aggregationRule"], obj["roleRef"], access.Subjects(access.RefOf(obj).Namespace, obj))
	}
	ours := map[access.Ref]tree.Object{}
	for _, obj := range access.Bootstrapped(36) {
		ours[access.RefOf(obj)] = obj
	}
	for _, obj := range s.objects(t) {
		ref := access.RefOf(obj)
		if tree.Has(obj, "aggregationRule") {
			obj["rules"] = ours[ref]["rules"] // which a controller fills
		}
		if got, want := describe(ours[ref]), describe(obj); got != want {
			t.Errorf("%v: %s, upstream %s", ref, got, want)
		}
		delete(ours, ref)
	}
	for ref := range ours {
		t.Errorf("%v is none of upstream's", ref)
	}
}
