package access

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"threeway/merge/tree"
)

// User is who sends requests.
type User struct {
	Name   string
	Groups []string
}

// Masters is the group that may do everything, whatever roles there are.
const Masters = "system:masters"

// Decision is what is known of a right.
type Decision struct {
	Allowed bool
	// Needs are the kinds that may allow what is not allowed, and of which the snapshot
	// tells nothing; nil if the answer is sure.
	Needs []string
	// Why is what the server adds to a refusal: bindings refer to roles that are missing.
	Why string

	missing []Ref
}

// Decide says whether a user may make a request.
func (r *Roles) Decide(u User, q Request) Decision {
	if slices.Contains(u.Groups, Masters) {
		return Decision{Allowed: true}
	}
	allowed := false
	d := r.visit(u, q.Namespace, func(_ *binding, rules []Rule) bool {
		allowed = allowedBy(rules, q)
		return !allowed
	})
	if allowed {
		return Decision{Allowed: true}
	}
	d.Why = joined(d.missing, func(role Ref) string {
		return fmt.Sprintf("%s.%s %q not found", strings.ToLower(role.Kind), Group, role.Name)
	})
	return d
}

func allowedBy(rules []Rule, q Request) bool {
	return slices.ContainsFunc(rules, func(one Rule) bool { return one.Allows(q) })
}

// Reasons are what the server may say of a request that it allows: it names one of the
// bindings, in the order of a Go map (pkg/registry/rbac/validation VisitRulesFor). needs
// are the kinds that may have more of them.
func (r *Roles) Reasons(u User, q Request) (list, needs []string) {
	if slices.Contains(u.Groups, Masters) {
		return []string{""}, nil
	}
	var own, whole []string
	d := r.visit(u, q.Namespace, func(b *binding, rules []Rule) bool {
		if !allowedBy(rules, q) {
			return true
		}
		name, to := b.ref.Name, &whole
		if b.ref.Namespace != "" {
			name, to = name+"/"+b.ref.Namespace, &own
		}
		*to = append(*to, fmt.Sprintf("RBAC: allowed by %s %q of %s %q to %s", b.ref.Kind, name, b.role.Kind, b.role.Name, b.first(u)))
		return true
	})
	if whole != nil { // which come first
		return whole, d.Needs
	}
	return own, d.Needs
}

// first is the subject by which a binding is about a user, as the server names it.
func (b *binding) first(u User) string {
	subjects := u.subjects()
	for _, s := range tree.List(b.object, "subjects") {
		is := Subjects(b.ref.Namespace, tree.Object{"subjects": []any{s}})
		if is == nil || !slices.Contains(subjects, is[0]) {
			continue
		}
		name := tree.String(s, "name")
		if tree.String(s, "kind") == "ServiceAccount" {
			name += "/" + cmp.Or(tree.String(s, "namespace"), b.ref.Namespace)
		}
		return fmt.Sprintf("%s %q", tree.String(s, "kind"), name)
	}
	return ""
}

// Escalation is why a user may not grant rules in a namespace, "" for the whole cluster:
// those that it does not have itself, as the server says it to a request about a resource.
// It is "" if it may (pkg/registry/rbac/validation ConfirmNoEscalation).
func (r *Roles) Escalation(u User, resource, namespace string, rules []Rule) (why string, lacking []Rule, needs []string) {
	held := NewHeld()
	d := r.visit(u, namespace, func(_ *binding, rules []Rule) bool {
		held.Add("", rules)
		return true
	})
	if lacking = Joined(held.Lacking("", Split(rules))); len(lacking) == 0 {
		return "", nil, nil
	}
	var texts []string
	for _, one := range lacking {
		texts = append(texts, one.String())
	}
	slices.Sort(texts)
	why = fmt.Sprintf("user %q (groups=%q) is attempting to grant RBAC permissions not currently held:\n%s", u.Name, u.Groups, strings.Join(slices.Compact(texts), "\n"))
	if text := joined(d.missing, func(role Ref) string { return Missing(resource, role) }); text != "" {
		why += "; resolution errors: [" + text + "]"
	}
	return why, lacking, d.Needs
}

// visit yields the rules that a user has in a namespace by each of its bindings, until
// it is enough, and tells what is not known of them.
func (r *Roles) visit(u User, namespace string, yield func(*binding, []Rule) bool) (d Decision) {
	var bindings []*binding
	for _, subject := range u.subjects() {
		for _, b := range r.of[subject] {
			if (b.ref.Namespace == "" || b.ref.Namespace == namespace) && r.bindings[b.ref] == b {
				bindings = append(bindings, b)
			}
		}
	}
	slices.SortFunc(bindings, func(a, b *binding) int {
		return cmp.Or(cmp.Compare(r.gathers(a.role), r.gathers(b.role)), // as what is gathered takes longer
			a.ref.compare(b.ref))
	})
	needs := map[string]bool{}
	for _, b := range slices.Compact(bindings) {
		rules, found := r.Rules(b.role)
		kind := b.role.Kind + "." + Group
		switch {
		case found:
			if !yield(b, rules) {
				return d
			}
		case r.known(kind):
			d.missing = append(d.missing, b.role)
		default:
			needs[kind] = true
		}
	}
	for _, kind := range Kinds {
		if needs[kind] || strings.Contains(kind, "RoleBinding") && (namespace != "" || kind[0] == 'C') && !r.known(kind) {
			d.Needs = append(d.Needs, kind)
		}
	}
	return d
}

// joined are errors about roles as one (apimachinery pkg/util/errors NewAggregate).
func joined(roles []Ref, text func(Ref) string) string {
	var list []string
	for _, role := range roles {
		list = append(list, text(role))
	}
	slices.Sort(list)
	if list = slices.Compact(list); len(list) > 1 {
		return "[" + strings.Join(list, ", ") + "]"
	}
	return strings.Join(list, "")
}

// Missing is what the server says of a role that it does not have to a request about
// a resource, which it names in place of the role's.
func Missing(resource string, role Ref) string {
	return fmt.Sprintf("%s.%s %q not found", resource, Group, role.Name)
}

// Unknown is the kind of a role that is not there, if the snapshot tells nothing of it.
func (r *Roles) Unknown(role Ref) []string {
	if kind := role.Kind + "." + Group; !r.known(kind) {
		return []string{kind}
	}
	return nil
}

// subjects are those of bindings that stand for a user.
func (u User) subjects() []string {
	list := []string{"User " + u.Name}
	for _, g := range u.Groups {
		list = append(list, "Group "+g)
	}
	return list
}
