package access

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"threeway/merge/tree"
)

// The kinds that decide, in the order in which a cluster is to be exported.
var Kinds = []string{"ClusterRole." + Group, "ClusterRoleBinding." + Group, "Role." + Group, "RoleBinding." + Group}

// Ref names a role or a binding. Its namespace is empty for one of the whole cluster.
type Ref struct{ Kind, Namespace, Name string }

// RefOf names an object.
func RefOf(obj tree.Object) Ref {
	return Ref{tree.String(obj, "kind"), tree.String(obj, "metadata", "namespace"), tree.String(obj, "metadata", "name")}
}

// RoleOf is the role that a binding in a namespace refers to.
func RoleOf(namespace string, binding tree.Object) Ref {
	r := Ref{tree.String(binding, "roleRef", "kind"), namespace, tree.String(binding, "roleRef", "name")}
	if r.Kind == "ClusterRole" {
		r.Namespace = ""
	}
	return r
}

// Subjects names those of a binding, users and ServiceAccounts by the user name: "User
// system:serviceaccount:shop:api". A ServiceAccount without namespace is one of the
// binding's (pkg/registry/rbac/validation appliesToUser).
func Subjects(namespace string, binding tree.Object) (list []string) {
	for _, s := range tree.List(binding, "subjects") {
		kind, name, in := tree.String(s, "kind"), tree.String(s, "name"), tree.String(s, "namespace")
		switch {
		case kind != "ServiceAccount":
			list = append(list, kind+" "+name)
		case in != "" || namespace != "":
			if in == "" {
				in = namespace
			}
			list = append(list, "User "+account+in+":"+name)
		}
	}
	return list
}

// account begins the user name of a ServiceAccount.
const account = "system:serviceaccount:"

// Account are the namespace and the name of the ServiceAccount that a user is, if it is one.
func Account(user string) (namespace, name string, is bool) {
	of, is := strings.CutPrefix(user, account)
	if !is {
		return "", "", false
	}
	namespace, name, _ = strings.Cut(of, ":")
	return namespace, name, true
}

// Roles are the roles and bindings of a cluster, those that every server makes among them.
// Put may not be called while another call is made.
type Roles struct {
	known    func(groupKind string) bool
	start    map[Ref]tree.Object // the ClusterRoles before the first Put of one; nil until then
	roles    map[Ref]tree.Object
	bindings map[Ref]*binding
	of       map[string][]*binding // by subject; of those that were replaced, too
	filling  sync.Mutex
	filled   map[Ref][]Rule // of the ClusterRoles that a controller fills
	gather   []Ref          // the ClusterRoles that gather the rules of others, those that every server makes first
}

// binding is one that gives a role.
type binding struct {
	ref, role Ref
	subjects  []string
	object    tree.Object
}

// New has the roles and bindings of a server of 1.minor, and those that the cluster has
// besides or instead. known tells whether these are all of a kind.
func New(minor int, objects []tree.Object, known func(groupKind string) bool) *Roles {
	r := &Roles{known: known, roles: map[Ref]tree.Object{}, bindings: map[Ref]*binding{}, of: map[string][]*binding{}, filled: map[Ref][]Rule{}}
	for _, obj := range Bootstrapped(minor) {
		r.put(obj)
	}
	for _, obj := range objects {
		r.put(obj)
	}
	return r
}

// Put adds a role or binding, or replaces it, as an apply does.
func (r *Roles) Put(obj tree.Object) {
	if r.start == nil && tree.String(obj, "kind") == "ClusterRole" {
		r.start = maps.Clone(r.roles)
	}
	clear(r.filled)
	r.put(obj)
}

func (r *Roles) put(obj tree.Object) {
	ref := RefOf(obj)
	switch ref.Kind {
	case "Role", "ClusterRole":
		if tree.Has(obj, "aggregationRule") && !tree.Has(r.roles[ref], "aggregationRule") {
			r.gather = append(r.gather, ref)
		}
		r.roles[ref] = obj
	case "RoleBinding", "ClusterRoleBinding":
		b := &binding{ref: ref, role: RoleOf(ref.Namespace, obj), object: obj}
		r.bindings[ref] = b
		for _, s := range Subjects(ref.Namespace, obj) {
			if of := r.of[s]; len(of) == 0 || of[len(of)-1] != b {
				r.of[s], b.subjects = append(of, b), append(b.subjects, s)
			}
		}
	}
}

// Delete removes a role or binding, as a prune does.
func (r *Roles) Delete(ref Ref) {
	if r.start == nil && ref.Kind == "ClusterRole" {
		r.start = maps.Clone(r.roles)
	}
	clear(r.filled)
	delete(r.roles, ref)
	delete(r.bindings, ref)
}

// Rules are those of a role. What the controller fills of roles that gather those of
// others follows what was put.
func (r *Roles) Rules(ref Ref) (rules []Rule, found bool) {
	role, found := r.roles[ref]
	if r.gathers(ref) == 0 {
		return RulesOf(role), found
	}
	r.filling.Lock()
	defer r.filling.Unlock()
	return r.fill(ref), true
}

// gathers is 1 for a role that is filled with the rules of others, and else 0.
func (r *Roles) gathers(ref Ref) int {
	if r.start != nil && tree.Has(r.roles[ref], "aggregationRule") {
		return 1
	}
	return 0
}

func (r *Roles) fill(ref Ref) []Rule {
	if rules, done := r.filled[ref]; done {
		return rules
	}
	rules := RulesOf(r.start[ref])
	r.filled[ref] = rules // for roles that gather each other
	was := gathered(r.start, ref, func(other Ref) []Rule { return RulesOf(r.start[other]) })
	is := gathered(r.roles, ref, func(other Ref) []Rule {
		if tree.Has(r.roles[other], "aggregationRule") && len(r.gather) <= mostGathering {
			return r.fill(other)
		}
		return RulesOf(r.roles[other])
	})
	rules = slices.DeleteFunc(rules, func(one Rule) bool { return was[one.String()] != nil && is[one.String()] == nil })
	for _, key := range slices.Sorted(maps.Keys(is)) {
		if was[key] == nil {
			rules = append(rules, *is[key])
		}
	}
	r.filled[ref] = rules
	return rules
}

// gathered are the rules of the roles that the aggregationRule of one selects
// (pkg/controller/clusterroleaggregation syncClusterRole).
func gathered(from map[Ref]tree.Object, ref Ref, rulesOf func(Ref) []Rule) map[string]*Rule {
	found := map[string]*Rule{}
	for _, s := range tree.List(from[ref], "aggregationRule", "clusterRoleSelectors") {
		for other, role := range from {
			if other.Kind == "ClusterRole" && other != ref && tree.Selects(s, tree.Map(role, "metadata", "labels")) {
				for _, one := range rulesOf(other) {
					found[one.String()] = &one
				}
			}
		}
	}
	return found
}
