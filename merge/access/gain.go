package access

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"threeway/merge/tree"
)

// Gain is what a binding gives a subject that no binding gave it before.
type Gain struct {
	Subject       string // as Subjects names it
	Binding, Role Ref
	Rules         []Rule // nil if those of the role are not known
	// Bound tells that the binding is why: it did not give the subject the role.
	Bound bool
}

// With are the roles after some objects were put and others were deleted.
func (r *Roles) With(put []tree.Object, gone []Ref) *Roles {
	after := &Roles{known: r.known, start: r.start, roles: maps.Clone(r.roles), bindings: maps.Clone(r.bindings), of: maps.Clone(r.of), filled: map[Ref][]Rule{}, gather: slices.Clip(r.gather)}
	for subject, list := range after.of {
		after.of[subject] = slices.Clip(list)
	}
	for _, ref := range gone {
		after.Delete(ref)
	}
	for _, obj := range put {
		after.Put(obj)
	}
	return after
}

// Gains are what the bindings in r give, and those in was do not, if only some objects
// differ. With r as it was before and was as it is after, they are the losses.
func (r *Roles) Gains(was *Roles, differ map[Ref]bool) (list []Gain) {
	gathered := slices.ContainsFunc(slices.Collect(maps.Keys(differ)), func(ref Ref) bool { return ref.Kind == "ClusterRole" })
	var touched []*binding
	for ref, b := range r.bindings {
		if differ[ref] || differ[b.role] || gathered && (r.gathers(b.role)+was.gathers(b.role) > 0) {
			touched = append(touched, b)
		}
	}
	slices.SortFunc(touched, func(a, b *binding) int { return a.ref.compare(b.ref) })
	alikes, held := map[string]string{}, map[string]*Held{} // as many subjects have the same roles
	lacking, split := map[[2]string][]Rule{}, map[Ref][]Rule{}
	for _, b := range touched {
		rules, found := r.followed(b.role)
		if split[b.role] == nil {
			split[b.role] = Split(rules)
		}
		had := map[string]bool{}
		if old := was.bindings[b.ref]; old != nil && old.role == b.role {
			for _, subject := range old.subjects {
				had[subject] = true
			}
		}
		for _, subject := range b.subjects {
			g := Gain{Subject: subject, Binding: b.ref, Role: b.role, Bound: !had[subject]}
			if !found {
				if g.Bound {
					list = append(list, g)
				}
				continue
			}
			if alikes[subject] == "" {
				roles := was.by(subject)
				alikes[subject] = fmt.Sprint(roles)
				if held[alikes[subject]] == nil {
					held[alikes[subject]] = was.held(roles)
				}
			}
			alike := alikes[subject]
			key := [2]string{alike, fmt.Sprint(b.ref.Namespace, b.role)}
			if _, done := lacking[key]; !done {
				lacking[key] = held[alike].Lacking(b.ref.Namespace, split[b.role])
			}
			if g.Rules = lacking[key]; len(g.Rules) > 0 {
				list = append(list, g)
			}
		}
	}
	return list
}

// Beyond are what bindings give a subject and none gives another.
func (r *Roles) Beyond(subject, other string) (list []Gain) {
	held := r.held(r.by(other))
	for _, s := range withGroups(subject) {
		for _, b := range r.of[s] {
			if rules, _ := r.followed(b.role); r.bindings[b.ref] == b {
				if more := held.Lacking(b.ref.Namespace, Split(rules)); len(more) > 0 {
					list = append(list, Gain{Subject: subject, Binding: b.ref, Role: b.role, Rules: more})
				}
			}
		}
	}
	return list
}

// placedRole is a role in the namespace of a binding.
type placedRole struct {
	namespace string
	role      Ref
}

// by are the roles that a subject has, also by its groups.
func (r *Roles) by(subject string) (list []placedRole) {
	for _, s := range withGroups(subject) {
		for _, b := range r.of[s] {
			if r.bindings[b.ref] == b {
				list = append(list, placedRole{b.ref.Namespace, b.role})
			}
		}
	}
	slices.SortFunc(list, func(a, b placedRole) int {
		return cmp.Or(cmp.Compare(a.namespace, b.namespace), a.role.compare(b.role))
	})
	return slices.Compact(list)
}

func (r *Roles) held(roles []placedRole) *Held {
	h := NewHeld()
	for _, one := range roles {
		rules, _ := r.followed(one.role)
		h.Add(one.namespace, rules)
	}
	return h
}

// withGroups are a subject and the groups that it is in for sure.
func withGroups(subject string) []string {
	kind, name, _ := strings.Cut(subject, " ")
	switch {
	case strings.HasSuffix(name, "nauthenticated") || name == "system:authenticated":
		return []string{subject}
	case name == "system:anonymous":
		return []string{subject, "Group system:unauthenticated"}
	}
	list := []string{subject, "Group system:authenticated"}
	group, account := "system:serviceaccounts", strings.HasPrefix(name, "system:serviceaccounts:")
	if kind == "User" {
		var namespace string
		if namespace, _, account = Account(name); account {
			list = append(list, "Group "+group+":"+namespace)
		}
	}
	if account {
		list = append(list, "Group "+group)
	}
	return list
}

func (a Ref) compare(b Ref) int {
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
}

// mostGathering are how many ClusterRoles that gather the rules of others are followed, as
// each may gather each. If there are more, those that one gathers count with the rules
// that they have.
const mostGathering = 30

func (r *Roles) firstGathering() []Ref { return r.gather[:min(mostGathering, len(r.gather))] }

// followed are the rules of a role, as the cluster has them of one that is not followed.
func (r *Roles) followed(ref Ref) (rules []Rule, found bool) {
	if r.gathers(ref) == 0 || slices.Contains(r.firstGathering(), ref) {
		return r.Rules(ref)
	}
	return RulesOf(r.roles[ref]), true
}

// Gatherers are the ClusterRoles that gather the rules of one with these labels, also
// through others.
func (r *Roles) Gatherers(labels tree.Object) (list []Ref) {
	next, seen := []tree.Object{labels}, map[Ref]bool{}
	for ; len(next) > 0; next = next[1:] {
		for _, ref := range r.firstGathering() {
			selects := func(s any) bool { return tree.Selects(s, next[0]) }
			if !seen[ref] && slices.ContainsFunc(tree.List(r.roles[ref], "aggregationRule", "clusterRoleSelectors"), selects) {
				seen[ref] = true
				list, next = append(list, ref), append(next, tree.Map(r.roles[ref], "metadata", "labels"))
			}
		}
	}
	return list
}

// Among are those of some split rules that the gain has.
func (g Gain) Among(rules []Rule) []Rule {
	has := map[string]bool{}
	for _, r := range g.Rules {
		has[r.String()] = true
	}
	return slices.DeleteFunc(slices.Clone(rules), func(r Rule) bool { return !has[r.String()] })
}
