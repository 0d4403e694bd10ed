package server

import (
	"slices"
	"strings"

	"threeway/merge/fault"
	"threeway/merge/kube/internal/policy"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// A Rulebook answers what ValidatingAdmissionPolicies from files say of a create, an update
// or, where obj is nil, a delete. rehearsed gives the variables that no server has.
type Rulebook func(k schema.Kind, obj, old tree.Object, rehearsed func(name string) any) ([]policy.Warning, []policy.Undecided)

// Rulebook reads policies as if the cluster had them, whose bindings must all warn. params are
// objects that are parameters before those of the cluster. What denies whatever a binding
// says, because it is misconfigured, is a warning without one.
func (s *Server) Rulebook(policies, bindings, params []tree.Object) Rulebook {
	complete := func(list []tree.Object) (all []tree.Object) {
		for _, obj := range list {
			all = append(all, s.Completed(schema.ParseKind(tree.String(obj, "apiVersion"), tree.String(obj, "kind")), obj))
		}
		return all
	}
	book := policy.ReadRehearsed(complete(policies), complete(bindings), parametrized{asked{s}, params}, s.Minor)
	return func(k schema.Kind, obj, old tree.Object, rehearsed func(name string) any) ([]policy.Warning, []policy.Undecided) {
		if policy.Exempt(k) {
			return nil, nil
		}
		r := s.policyRequest(k, obj, old, func(o tree.Object) tree.Object { return o })
		r.Unknown, r.Rehearsed = unknownOf(old), rehearsed
		verdict := book.Validate(r)
		if d := verdict.Denial; d != nil {
			return append(verdict.Warnings, policy.Warning{Policy: d.Policy, Message: d.Message}), nil
		}
		return verdict.Warnings, verdict.Undecided
	}
}

// parametrized has parameters from files.
type parametrized struct {
	asked
	params []tree.Object
}

func ofKind(k schema.Kind) func(tree.Object) bool {
	return func(o tree.Object) bool {
		return schema.ParseKind(tree.String(o, "apiVersion"), tree.String(o, "kind")).GroupKind() == k.GroupKind()
	}
}

func (p parametrized) Serves(k schema.Kind) (served, namespaced, known bool) {
	served, namespaced, known = p.asked.Serves(k)
	if i := slices.IndexFunc(p.params, ofKind(k)); !served && i >= 0 {
		return true, tree.Has(p.params[i], "metadata", "namespace"), true
	}
	return served, namespaced, known
}

func (p parametrized) Params(k schema.Kind, namespace string) (list []tree.Object, known bool) {
	for _, o := range p.params {
		if ofKind(k)(o) && tree.String(o, "metadata", "namespace") == namespace {
			list = append(list, o)
		}
	}
	if len(list) > 0 {
		return list, true
	}
	return p.asked.Params(k, namespace)
}

// CheckPolicy returns what is wrong with a ValidatingAdmissionPolicy or a binding from a file.
func CheckPolicy(k schema.Kind, obj tree.Object, minor int) []fault.Fault {
	s := &Server{Minor: minor, Strict: true}
	answer := s.create(k, obj)
	var faults []fault.Fault
	if answer.Rejection != nil {
		faults = slices.DeleteFunc(slices.Clone(answer.Rejection.Faults), func(f fault.Fault) bool {
			return strings.Contains(f.Detail.String(), "compilation failed") // without the variables of a rehearsal
		})
		if len(answer.Rejection.Faults) == 0 {
			faults = append(faults, fault.Fault{Text: fault.Words("%s", answer.Rejection.OneLine())})
		}
	}
	if len(faults) > 0 || k.Kind != "ValidatingAdmissionPolicy" {
		return faults
	}
	binding := tree.Object{"metadata": tree.Object{"name": "check"}, "spec": tree.Object{"policyName": tree.String(obj, "metadata", "name")}}
	return policy.ReadRehearsed([]tree.Object{obj}, []tree.Object{binding}, asked{s}, minor).Problems()
}
