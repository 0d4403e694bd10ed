// Package policy evaluates the admission policies of a cluster as the API server
// does: ValidatingAdmissionPolicy rejects requests or warns of them,
// MutatingAdmissionPolicy changes their objects.
//
// Read makes Policies of the objects of a snapshot. A policy compiles its
// expressions when the first request matches it, so that policies cost nothing
// where none matches. What a request is answered is a value: a Verdict of
// Validate, a Mutation of Mutate. What depends on the user, on the authorizer or on
// an object that the snapshot does not have is Undecided there; what && and ||
// decide without it is decided.
//
// Where the server's order is random, that of a Go map of policies, this package
// goes by name.
//
// Source: k8s.io/apiserver/pkg/admission/plugin/policy.
package policy

import (
	"cmp"
	"slices"
	"sync"

	"threeway/merge/kube/internal/cel"
	"threeway/merge/kube/schema"
	"threeway/merge/memo"
	"threeway/merge/tree"
)

// World is what policies ask a server beyond a request.
type World interface {
	// Namespace finds a live Namespace; known is false where the snapshot cannot
	// tell whether there is one.
	Namespace(name string) (namespace tree.Object, known bool)
	// Serves tells whether the server serves a kind, and whether its objects are
	// in namespaces; known is false where the snapshot cannot tell.
	Serves(schema.Kind) (served, namespaced, known bool)
	// Params lists the live objects of a kind at its version, those of one
	// namespace or of none; known is false if the snapshot may lack some.
	Params(kind schema.Kind, namespace string) (list []tree.Object, known bool)
	// Equivalent lists the other versions in which the server serves a kind.
	Equivalent(schema.Kind) []Resource
	// Convert returns an object of a request at another version.
	Convert(obj tree.Object, from, to schema.Kind) tree.Object
	// Authorize says whether a user, nil if that is not known, may do what an expression
	// asks.
	Authorize(*User, Question) Answer
}

// Question is what an expression asks an authorizer, and Answer what is known of it.
type (
	Question = cel.Question
	Answer   = cel.Answer
)

// Resource is a kind and its name in URLs.
type Resource struct {
	schema.Kind
	Plural string
}

// Policies are the policies of one sort that a cluster has, with their bindings.
type Policies struct {
	world World
	list  []*Policy
	other memo.Table[schema.Kind, []Resource] // of World.Equivalent
	// rehearsed is set if expressions see the rehearsal, too (Request.Rehearsed).
	rehearsed bool
}

// Policy is one policy that has bindings.
type Policy struct {
	all      *Policies
	kind     string // ValidatingAdmissionPolicy or MutatingAdmissionPolicy
	name     string
	spec     tree.Object
	ignore   bool         // failurePolicy: Ignore
	params   *schema.Kind // nil: none
	bindings []binding
	compile  func() *compiled
}

type binding struct {
	name string
	spec tree.Object
}

// Read makes policies of the objects of a kind and of its bindings, both complete
// with defaults. It is nil if no policy has a binding.
func Read(kind string, policies, bindings []tree.Object, world World, minor int) *Policies {
	bound := map[string][]binding{}
	for _, b := range bindings {
		spec := tree.Map(b, "spec")
		name := tree.String(spec, "policyName")
		bound[name] = append(bound[name], binding{tree.String(b, "metadata", "name"), spec})
	}
	all := &Policies{world: world}
	for _, obj := range policies {
		spec := tree.Map(obj, "spec")
		p := &Policy{all: all, kind: kind, name: tree.String(obj, "metadata", "name"), spec: spec, ignore: tree.String(spec, "failurePolicy") == "Ignore"}
		if p.bindings = bound[p.name]; len(p.bindings) == 0 {
			continue
		}
		p.params = params(spec)
		p.compile = sync.OnceValue(func() *compiled { return compile(p, minor) })
		slices.SortFunc(p.bindings, func(a, b binding) int { return cmp.Compare(a.name, b.name) })
		all.list = append(all.list, p)
	}
	if len(all.list) == 0 {
		return nil
	}
	slices.SortFunc(all.list, func(a, b *Policy) int { return cmp.Compare(a.name, b.name) })
	return all
}

// ReadRehearsed is Read of ValidatingAdmissionPolicies that no server has: rules over a rehearsal.
func ReadRehearsed(policies, bindings []tree.Object, world World, minor int) *Policies {
	all := Read("ValidatingAdmissionPolicy", policies, bindings, world, minor)
	if all != nil {
		all.rehearsed = true
	}
	return all
}

// params is the kind of the parameters of a policy, nil if it takes none.
func params(spec tree.Object) *schema.Kind {
	of := tree.Map(spec, "paramKind")
	if of == nil {
		return nil
	}
	k := schema.ParseKind(tree.String(of, "apiVersion"), tree.String(of, "kind"))
	return &k
}
