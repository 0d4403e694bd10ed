package access

import (
	"fmt"
	"testing"

	"threeway/merge/tree"
)

func made(kind, namespace, name string, labels tree.Object, rules ...any) tree.Object {
	return tree.Object{"kind": kind, "metadata": tree.Object{"name": name, "namespace": namespace, "labels": labels}, "rules": rules}
}

func allow(verb, group, resource string) tree.Object {
	return tree.Object{"verbs": []any{verb}, "apiGroups": []any{group}, "resources": []any{resource}}
}

func bind(namespace, name, roleKind, roleName, user string) tree.Object {
	kind := "RoleBinding"
	if namespace == "" {
		kind = "ClusterRoleBinding"
	}
	return tree.Object{"kind": kind, "metadata": tree.Object{"name": name, "namespace": namespace},
		"roleRef": tree.Object{"kind": roleKind, "name": roleName}, "subjects": []any{tree.Object{"kind": "User", "name": user}}}
}

func known(string) bool   { return true }
func unknown(string) bool { return false }

// What every server makes decides where the cluster says nothing else: view, edit and
// admin gather each other's rules, and those of roles that are labelled for view.
func TestPutIsGathered(t *testing.T) {
	roles := New(37, []tree.Object{bind("shop", "b", "ClusterRole", "admin", "jane")}, known)
	widgets := Request{Verb: "get", Group: "example.com", Resource: "widgets", Namespace: "shop"}
	ask := func(want bool, q Request) {
		t.Helper()
		if got := roles.Decide(User{Name: "jane"}, q); got.Allowed != want {
			t.Errorf("%+v: %+v", q, got)
		}
	}
	ask(true, Request{Verb: "create", Group: "apps", Resource: "deployments", Namespace: "shop"})
	ask(false, Request{Verb: "create", Group: "apps", Resource: "deployments", Namespace: "other"})
	ask(false, widgets)
	roles.Put(made("ClusterRole", "", "widgets", tree.Object{"rbac.authorization.k8s.io/aggregate-to-view": "true"}, allow("get", "example.com", "widgets")))
	ask(true, widgets)
	ask(true, Request{Verb: "create", Group: "apps", Resource: "deployments", Namespace: "shop"})
	roles.Delete(Ref{Kind: "ClusterRole", Name: "widgets"})
	ask(false, widgets)
	roles.Delete(Ref{Kind: "RoleBinding", Namespace: "shop", Name: "b"})
	ask(false, Request{Verb: "create", Group: "apps", Resource: "deployments", Namespace: "shop"})
}

// A role that was filled, with parts that the snapshot lacks, keeps these.
func TestGatheredKeepsWhatItHad(t *testing.T) {
	part := tree.Object{"part": "true"}
	whole := made("ClusterRole", "", "whole", nil, allow("get", "", "a"), allow("get", "", "b"))
	whole["aggregationRule"] = tree.Object{"clusterRoleSelectors": []any{tree.Object{"matchLabels": part}}}
	roles := New(37, []tree.Object{whole, made("ClusterRole", "", "b", part, allow("get", "", "b"))}, known)
	roles.Put(made("ClusterRole", "", "b", part, allow("get", "", "c")))
	rules, found := roles.Rules(Ref{Kind: "ClusterRole", Name: "whole"})
	if got := fmt.Sprint(rules); !found || got != `[{APIGroups:[""], Resources:["a"], Verbs:["get"]} {APIGroups:[""], Resources:["c"], Verbs:["get"]}]` {
		t.Error(got)
	}
}

func TestUnknownIsNoRefusal(t *testing.T) {
	q := Request{Verb: "create", Group: "apps", Resource: "deployments", Namespace: "shop"}
	for _, c := range []struct {
		user    User
		objects []tree.Object
		known   func(string) bool
		want    string
	}{
		{User{Name: "jane"}, nil, known, "false [] "},
		{User{Name: "jane", Groups: []string{Masters}}, nil, unknown, "true [] "},
		{User{Name: "jane"}, nil, unknown, "false [ClusterRoleBinding.rbac.authorization.k8s.io RoleBinding.rbac.authorization.k8s.io] "},
		{User{Name: "jane"}, []tree.Object{bind("shop", "b", "ClusterRole", "edit", "jane")}, unknown, "true [] "},
		{User{Name: "jane"}, []tree.Object{bind("shop", "b", "Role", "gone", "jane")}, known, `false [] role.rbac.authorization.k8s.io "gone" not found`},
		{User{Name: "jane"}, []tree.Object{bind("shop", "b", "Role", "gone", "jane")}, func(kind string) bool { return kind != "Role."+Group }, "false [Role.rbac.authorization.k8s.io] "},
	} {
		d := New(37, c.objects, c.known).Decide(c.user, q)
		if got := fmt.Sprintf("%v %v %s", d.Allowed, d.Needs, d.Why); got != c.want {
			t.Errorf("%+v: %s, want %s", c.user, got, c.want)
		}
	}
}

// Every minor has its roles, of each one.
func TestBootstrapped(t *testing.T) {
	for minor := 30; minor <= 37; minor++ {
		seen := map[Ref]bool{}
		for _, obj := range Bootstrapped(minor) {
			if ref := RefOf(obj); seen[ref] {
				t.Errorf("1.%d has %v twice", minor, ref)
			} else {
				seen[ref] = true
			}
		}
		if !seen[Ref{"ClusterRole", "", "cluster-admin"}] || len(seen) < 120 {
			t.Errorf("1.%d has %d roles and bindings", minor, len(seen))
		}
	}
}
