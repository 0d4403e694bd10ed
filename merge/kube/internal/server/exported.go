package server

import (
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// Returned is a live object, which it does not change, as this server returns it: without
// the fields that its type does not have in this minor, which another minor may have
// exported, and with the defaults, which another minor may not have or a person may have
// left out. A server reads in this way what is stored (apiserver pkg/storage/etcd3/store.go
// decode; unknown fields are no error there).
func (s *Server) Returned(k schema.Kind, live tree.Object) tree.Object {
	b, ok := lookup(k)
	switch {
	case !ok && s.Definition(k) != nil:
		return tree.Share(s.Definition(k).Returned(k.Version, live), live)
	case !ok:
		return live
	}
	obj, _, err := b.decode(live, s.Minor, true)
	if err != nil {
		return live
	}
	s.complete(b, obj)
	out := s.readBack(b, obj)
	if k.GroupKind() == "Service" { // defaultOnReadService of pkg/registry/core/service/storage
		allocateFamilies(tree.Map(out, "spec"), nil, s.around().served().families)
	}
	return tree.Share(out, live)
}
