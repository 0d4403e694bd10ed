package server

import (
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

func (s *Server) update(k schema.Kind, live, body tree.Object) Result {
	if b, ok := lookup(k); ok {
		obj, unknown, err := s.decode(b, body, true)
		if err != nil || len(unknown) > 0 && s.Strict {
			return Result{Rejection: unreadable(k, body, undecodable(unknown, err, body))}
		}
		s.complete(b, obj)
		return s.tracked(s.updateBuiltin(b, obj, live, Result{Dropped: unknown}), k, nil, live, s.decodedAgain(b, body, true))
	}
	if d := s.Definition(k); d != nil {
		return s.updateCustom(d, k, body, live, true)
	}
	return s.tracked(Result{Object: tree.CopyObject(body)}, k, nil, live, func() tree.Object { return body })
}
