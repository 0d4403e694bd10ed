package server

import (
	"threeway/merge/kube/internal/defaults"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// Convert returns a live object as the server returns it in another version.
// Built-in kinds differ between versions in fields that one of them lacks, and
// in what is said here of HorizontalPodAutoscaler. obj is not changed.
func (s *Server) Convert(obj tree.Object, from, to schema.Kind) tree.Object {
	out := tree.CopyObject(obj)
	out["apiVersion"] = to.APIVersion()
	b, ok := lookup(to)
	if !ok {
		return out
	}
	convertBetween(out, from, to)
	decoded, _, err := b.decode(out, s.Minor, true)
	if err != nil {
		return out
	}
	keep(tree.Map(decoded, "metadata"), tree.Map(out, "metadata"), "managedFields")
	defaults.Apply(decoded, b.typ, s.Minor)
	return decoded
}

// convertBetween converts an object of a built-in kind in place.
func convertBetween(obj tree.Object, from, to schema.Kind) {
	if row := kindOf(to); row.between != nil {
		row.between(obj, from.Version, to.Version)
	}
}

// whole is an object in the version of its kind that has a field for everything,
// with the type of that version: what the strategy compares and validates, and
// what is stored. It is obj itself unless another version says more.
func (b builtin) whole(obj tree.Object) (tree.Object, builtin) {
	if b.row.between == nil || b.Version == b.row.fullest || obj == nil {
		return obj, b
	}
	to, _ := lookup(schema.Kind{Group: b.Group, Version: b.row.fullest, Kind: b.Kind.Kind})
	out := tree.CopyObject(obj)
	out["apiVersion"] = to.APIVersion()
	b.row.between(out, b.Version, to.Version)
	return out, to
}

// stored is whole of a live object in the version of a request, or, if the snapshot has the
// object in the fullest version, what is stored: it also says what the version of the
// request has no place for, as the order of metrics.
func (s *Server) stored(k builtin, live tree.Object) tree.Object {
	whole, as := k.whole(live)
	if as.Kind == k.Kind {
		return whole
	}
	meta := tree.Map(live, "metadata")
	for _, o := range s.around().ObjectsIn(k.GroupKind(), tree.String(meta, "namespace")) {
		its := tree.Map(o, "metadata")
		if its["name"] != meta["name"] || its["uid"] != meta["uid"] || !tree.Equal(its["generation"], meta["generation"]) || o["apiVersion"] != as.APIVersion() {
			continue // another one, or how it was before
		}
		if obj, _, err := as.decode(o, s.Minor, false); err == nil {
			s.complete(as, obj)
			return obj
		}
	}
	return whole
}
