package policy

import (
	"cmp"
	"slices"

	"threeway/merge/fault"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// All are the policies of both sorts, by name; each Policies may be nil.
func All(sorts ...*Policies) (list []*Policy) {
	for _, p := range sorts {
		if p != nil {
			list = append(list, p.list...)
		}
	}
	return list
}

// Asks reports whether a policy may be asked about objects of a kind with that plural: its rules
// do not leave them out, in any version and namespace.
func (p *Policy) Asks(k schema.Kind, plural string) bool {
	at := Resource{Kind: k, Plural: plural}
	rules := tree.List(p.spec, "matchConstraints", "resourceRules")
	return len(rules) == 0 || slices.ContainsFunc(rules, func(rule any) bool {
		return about(rule, at) || slices.ContainsFunc(p.all.equivalent(at.Kind), func(other Resource) bool { return about(rule, other) })
	})
}

// Decider is the policy as that which rejects.
func (p *Policy) Decider() fault.Decider { return decider(p.kind, p.name) }

// Deciders are the policy and its bindings.
func (p *Policy) Deciders() []fault.Decider {
	list := []fault.Decider{p.Decider()}
	for _, b := range p.bindings {
		list = append(list, decider(p.kind+"Binding", b.name))
	}
	return list
}

func decider(kind, name string) fault.Decider {
	return fault.Decider{GroupKind: kind + ".admissionregistration.k8s.io", Name: name}
}

// ParamKind is the kind of the parameters of a policy; "" if it takes none.
func ParamKind(policy tree.Object) string {
	if k := params(tree.Map(policy, "spec")); k != nil {
		return k.GroupKind()
	}
	return ""
}

// Reads reports whether an object may be a parameter of the policy.
func (p *Policy) Reads(groupKind, namespace, name string) bool {
	return p.params != nil && p.params.GroupKind() == groupKind && slices.ContainsFunc(p.bindings, func(b binding) bool {
		ref := tree.Map(b.spec, "paramRef")
		return ref != nil && cmp.Or(tree.String(ref, "name"), name) == name && cmp.Or(tree.String(ref, "namespace"), namespace) == namespace
	})
}
