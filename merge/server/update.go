package server

import (
	"maps"

	"threeway/merge/schema"
	"threeway/merge/tree"
)

// Update simulates a PUT of body in the place of live. Neither argument is changed.
func (s *Server) Update(k schema.Kind, live, body tree.Object) Result {
	body = s.homeless(k, body)
	if b, ok := lookup(k); ok {
		obj, unknown, err := b.decode(body, s.Minor, false)
		if err != nil || len(unknown) > 0 && s.Strict {
			return Result{Rejection: unreadable(k, body, undecodable(unknown, err, body))}
		}
		s.complete(b, obj)
		return s.tracked(s.updateBuiltin(b, obj, live, Result{Dropped: unknown}), k, nil, live, s.decodedAgain(b, body, false))
	}
	if d := s.Definition(k); d != nil {
		return s.updateCustom(d, k, body, live)
	}
	return s.tracked(Result{Object: tree.CopyObject(body)}, k, nil, live, func() tree.Object { return body })
}

// homeless is a body without the namespace that an object of a cluster-scoped kind
// cannot have: the server drops it (apiserver pkg/registry/rest/meta.go
// EnsureObjectNamespaceMatchesRequestNamespace).
func (s *Server) homeless(k schema.Kind, body tree.Object) tree.Object {
	if !tree.Has(body, "metadata", "namespace") || s.Cluster.Serves == nil {
		return body
	}
	if _, namespaced, known := s.Cluster.Serves(k); !known || namespaced {
		return body
	}
	left := maps.Clone(body)
	metadata := maps.Clone(tree.Map(body, "metadata"))
	delete(metadata, "namespace")
	left["metadata"] = metadata
	return left
}
