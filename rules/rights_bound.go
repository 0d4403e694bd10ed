package rules

import (
	"fmt"
	"slices"
	"sync"

	"threeway/lint"
	"threeway/merge/access"
	"threeway/merge/manifest"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

// bindings are all bindings of the cluster: after the apply who has each role, and
// before it which roles each subject has.
type bindings struct {
	after  map[access.Ref][]grant // by role
	before map[string][]boundRole // by subject
	alike  map[string]string      // by subject: before in words, which those share who have the same roles
	bound  map[grant]bool         // that the apply makes
	held   sync.Map               // what they have before the apply, by alike, made when it is asked for
	// bootstrapped are the roles that every server makes, and gathering the ClusterRoles
	// that gather the rules of others.
	bootstrapped map[access.Ref]tree.Object
	gathering    []tree.Object
}

// mostGathering is how many ClusterRoles that gather the rules of others are looked at,
// as each may gather each other one: those of the cluster first.
const mostGathering = 30

// grant is a subject of a binding.
type grant struct {
	subject string
	binding access.Ref
}

type boundRole struct {
	namespace string // of the binding; "" for the whole cluster
	role      access.Ref
}

func (c *cluster) bindings() *bindings {
	return lint.SharedByRun(c.p, func() *bindings {
		all := &bindings{after: map[access.Ref][]grant{}, before: map[string][]boundRole{}, alike: map[string]string{}, bound: map[grant]bool{}, bootstrapped: map[access.Ref]tree.Object{}}
		for _, kind := range []string{"RoleBinding.", "ClusterRoleBinding."} {
			for b := range c.ofKind(kind + access.Group) {
				namespace, had := b.source.Namespace, map[access.Ref]map[string]bool{}
				was, is := access.RoleOf(namespace, b.before), access.RoleOf(namespace, b.after)
				had[was] = setOf(subjects(b.before))
				for s := range had[was] {
					all.before[s] = append(all.before[s], boundRole{namespace, was})
				}
				ref := access.Ref{Kind: b.source.Kind.Kind, Namespace: namespace, Name: b.source.Name}
				for _, s := range phrase.Distinct(subjects(b.after)) {
					all.after[is] = append(all.after[is], grant{s, ref})
					all.bound[grant{s, ref}] = !had[is][s]
				}
			}
		}
		for s, roles := range all.before {
			all.alike[s] = fmt.Sprint(roles)
		}
		for _, created := range []bool{false, true} {
			for k := range c.ofKind("ClusterRole." + access.Group) {
				if (k.before == nil) == created && tree.Has(k.after, "aggregationRule") && len(all.gathering) < mostGathering {
					all.gathering = append(all.gathering, k.after)
				}
			}
		}
		for _, obj := range access.Bootstrapped(c.p.Plan.Minor) {
			ref := access.RefOf(obj)
			all.bootstrapped[ref] = obj
			if tree.Has(obj, "aggregationRule") && c.after(roleID(ref)) == nil {
				all.gathering = append(all.gathering, obj)
			}
		}
		return all
	})
}

// roleBefore and roleAfter are a role, of which every server has some; nil if it is not known.
func (c *cluster) roleBefore(role access.Ref) tree.Object {
	return c.orBootstrapped(role, c.before(roleID(role)))
}

func (c *cluster) roleAfter(role access.Ref) tree.Object {
	return c.orBootstrapped(role, c.after(roleID(role)))
}

func (c *cluster) orBootstrapped(role access.Ref, obj tree.Object) tree.Object {
	if obj == nil {
		return c.bindings().bootstrapped[role]
	}
	return obj
}

func roleID(role access.Ref) manifest.Identity {
	return manifest.Identity{Group: access.Group, Kind: role.Kind, Namespace: role.Namespace, Name: role.Name}
}

// gatherers are the ClusterRoles that gather the rules of one with these labels, also
// through others.
func (c *cluster) gatherers(labels tree.Object) (list []access.Ref) {
	next, seen := []tree.Object{labels}, map[access.Ref]bool{}
	for ; len(next) > 0; next = next[1:] {
		for _, role := range c.bindings().gathering {
			selects := func(s any) bool { return tree.Selects(s, next[0]) }
			if ref := access.RefOf(role); !seen[ref] && slices.ContainsFunc(tree.List(role, "aggregationRule", "clusterRoleSelectors"), selects) {
				seen[ref] = true
				list, next = append(list, ref), append(next, tree.Map(role, "metadata", "labels"))
			}
		}
	}
	return list
}

// subjects names those of a binding: "ServiceAccount shop/api". A ServiceAccount without
// namespace is one of the binding's (plugin/pkg/auth/authorizer/rbac appliesToUser).
func subjects(binding tree.Object) (list []string) {
	for _, s := range tree.List(binding, "subjects") {
		name, ns := tree.String(s, "name"), tree.String(s, "namespace")
		if ns == "" && tree.String(s, "kind") == "ServiceAccount" {
			ns = tree.String(binding, "metadata", "namespace")
		}
		if ns != "" {
			name = ns + "/" + name
		}
		list = append(list, tree.String(s, "kind")+" "+name)
	}
	return list
}
