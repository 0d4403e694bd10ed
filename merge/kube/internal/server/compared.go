package server

import (
	"threeway/merge/kube/internal/serverside"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// Merged is a live object after a server-side apply that nothing follows, neither
// defaults nor validation.
func (s *Server) Merged(k schema.Kind, live tree.Object, r serverside.Request) (tree.Object, error) {
	obj, _, err := s.managerOf(k).Apply(live, r)
	return obj, err
}

// Own is what a manager's apply makes of a live object without what else the request
// changes.
func (s *Server) Own(k schema.Kind, predicted, live tree.Object, manager string) (tree.Object, error) {
	return s.managerOf(k).Own(predicted, live, manager)
}

// Trusted are two objects without the fields that differ and that one of the managers
// owns.
func (s *Server) Trusted(k schema.Kind, live, config tree.Object, managers []string) (tree.Object, tree.Object) {
	return s.managerOf(k).Trusted(live, config, managers)
}

// managerOf is the field management of a kind.
func (s *Server) managerOf(k schema.Kind) *serverside.Manager {
	if _, builtin := lookup(k); builtin {
		return s.manager(k, nil)
	}
	return s.manager(k, s.Definition(k))
}
