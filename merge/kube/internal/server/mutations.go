package server

import (
	"fmt"
	"maps"

	"threeway/merge/fault"
	"threeway/merge/kube/internal/custom"
	"threeway/merge/kube/internal/policy"
	"threeway/merge/kube/internal/serverside"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// Mutates reports whether policies of the cluster may change objects: an update that changes
// nothing else, too.
func (s *Server) Mutates() bool { return s.admissionPolicies().mutating != nil }

// Validates reports whether policies of the cluster may reject objects: an update that changes
// nothing, too.
func (s *Server) Validates() bool { return s.admissionPolicies().validating != nil }

// mutateBuiltin has the mutating policies change a decoded object, after the
// plugins of the server, which the object has passed once; plugins is how it passes
// them again. It reports whether the request goes on.
//
// Source: k8s.io/apiserver/pkg/admission/reinvocation.go.
func (s *Server) mutateBuiltin(res *Result, k builtin, obj, old tree.Object, plugins func() *fault.Rejection) bool {
	return s.mutateWith(res, k, obj, plugins, func(o tree.Object) *policy.Request { return s.policyRequest(k.Kind, o, old, s.view(k)) })
}

// view is an object of a kind as the server prints it.
func (s *Server) view(k builtin) func(tree.Object) tree.Object {
	return func(o tree.Object) tree.Object { return printed(tree.CopyObject(o), k.typ, s.Minor) }
}

// mutateWith is mutateBuiltin with the request that the policies are asked about.
func (s *Server) mutateWith(res *Result, k builtin, obj tree.Object, plugins func() *fault.Rejection, request func(tree.Object) *policy.Request) bool {
	if !s.Mutates() {
		return true
	}
	changed, ok := s.mutate(res, k.Kind, obj, mutation{
		Objects: builtinObjects{s, k},
		request: request,
		plugins: func(changed tree.Object) *fault.Rejection {
			replace(obj, changed)
			return plugins()
		},
	})
	if changed != nil {
		replace(obj, changed)
	}
	return ok
}

// replace makes an object another one in place.
func replace(obj, by tree.Object) {
	by = tree.CopyObject(by)
	clear(obj)
	maps.Copy(obj, by)
}

// mutation is how the objects of a kind are changed by policies.
type mutation struct {
	policy.Objects
	request func(obj tree.Object) *policy.Request
	plugins func(changed tree.Object) *fault.Rejection
}

// mutate asks the mutating policies about an object, twice where they change it. It
// returns what they make of it, nil if nothing, and whether the request goes on.
func (s *Server) mutate(res *Result, k schema.Kind, obj tree.Object, how mutation) (tree.Object, bool) {
	if policy.Exempt(k) {
		return nil, true
	}
	var round policy.Round
	var changed tree.Object
	for range 2 {
		r := how.request(obj)
		r.Unknown = append(r.Unknown, "managedFields")
		mutated, again := s.admissionPolicies().mutating.Mutate(r, &round, how.Objects)
		res.Mutations = append(res.Mutations, mutated.Changes...)
		if d := mutated.Denial; d != nil {
			res.Rejection = s.mutationDenied(r, d)
			return nil, false
		}
		if res.Undecided = append(res.Undecided, mutated.Undecided...); mutated.Object != nil {
			changed, obj = mutated.Object, mutated.Object
		}
		if !again {
			break
		}
		if res.Rejection = how.plugins(obj); res.Rejection != nil {
			return nil, false
		}
	}
	return changed, true
}

// mutationDenied words a rejection by mutating policies, which has no other words
// than theirs.
func (s *Server) mutationDenied(r *policy.Request, d *policy.MutationDenial) *fault.Rejection {
	no := fault.Deny(d.Reason, r.Plural, r.Name, d.Messages[0], d.Messages...)
	if d.Reason == "InternalError" {
		no = fault.Reject(d.Reason, d.Messages[0], fault.Fault{Code: fault.Policy})
	}
	return no.DecidedBy("MutatingAdmissionPolicy.admissionregistration.k8s.io", d.Policy)
}

// builtinObjects are the objects of a built-in kind as policies change them.
type builtinObjects struct {
	*Server
	builtin
}

// Merge merges by the published type of the kind.
func (o builtinObjects) Merge(k schema.Kind, obj, patch tree.Object) (tree.Object, error) {
	t, err := o.builtinType(k)
	if err != nil {
		return nil, err
	}
	return serverside.Merge(t, obj, patch)
}

// Decode reads an object that a JSONPatch has made as the body of a create is read;
// an unknown field is an error.
func (o builtinObjects) Decode(k schema.Kind, obj tree.Object) (tree.Object, error) {
	b, _ := lookup(k)
	decoded, unknown, err := b.decode(obj, o.Minor, true)
	if err != nil || len(unknown) > 0 {
		return nil, fault.Errorf("%s", fault.Decoding(undecodable(unknown, err, obj)))
	}
	return decoded, nil
}

// Default decodes what a merge has made, which may not fit the Go type, and sets its
// defaults. The server cannot convert it to the version of the request where that is
// another than the one that the policy matches (dispatchOne of apiserver
// pkg/admission/plugin/policy/mutating/dispatcher.go).
func (o builtinObjects) Default(k schema.Kind, obj tree.Object) (tree.Object, error) {
	if k != o.Kind {
		return nil, fmt.Errorf("converting (%s.%s) to (%s.%s): unknown conversion", k.Version, k.Kind, o.Kind.Version, o.Kind.Kind)
	}
	b, _ := lookup(k)
	decoded, _, err := b.decode(obj, o.Minor, false)
	if err != nil {
		return nil, err
	}
	if entries, ok := tree.Get(obj, "metadata", "managedFields"); ok {
		tree.Set(decoded, entries, "metadata", "managedFields")
	}
	o.complete(b, decoded)
	return printed(decoded, b.typ, o.Minor), nil
}

// customObjects are the custom resources of a definition as policies change them.
type customObjects struct {
	*Server
	*custom.Definition
}

// Merge merges by the schema of the definition.
func (o customObjects) Merge(k schema.Kind, obj, patch tree.Object) (tree.Object, error) {
	t, err := o.customType(o.Definition, k)
	if err != nil {
		return nil, err
	}
	return serverside.Merge(t, obj, patch)
}

// Decode takes any object.
func (o customObjects) Decode(_ schema.Kind, obj tree.Object) (tree.Object, error) { return obj, nil }

// Default sets the defaults of the definition and prunes nothing.
func (o customObjects) Default(k schema.Kind, obj tree.Object) (tree.Object, error) {
	return o.Defaulted(k.Version, obj), nil
}
