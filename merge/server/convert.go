package server

import (
	"threeway/merge/schema"
	"threeway/merge/server/defaults"
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

// convertScaler converts a HorizontalPodAutoscaler in place.
func convertScaler(hpa tree.Object, from, to string) {
	switch {
	case from == "v2" && to == "v1":
		scalerToV1(hpa)
	case from == "v1" && to == "v2":
		scalerToV2(hpa)
	}
}
