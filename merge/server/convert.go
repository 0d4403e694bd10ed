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
	t := schema.Lookup(to)
	if t == nil {
		return out
	}
	convertScaler(out, from, to)
	decoded, _, err := decode(out, t, s.Minor, true)
	if err != nil {
		return out
	}
	keep(tree.Map(decoded, "metadata"), tree.Map(out, "metadata"), "managedFields")
	defaults.Apply(decoded, t, s.Minor)
	return decoded
}

// convertScaler converts a HorizontalPodAutoscaler in place.
func convertScaler(hpa tree.Object, from, to schema.Kind) {
	switch {
	case to.Kind != "HorizontalPodAutoscaler":
	case from.Version == "v2" && to.Version == "v1":
		scalerToV1(hpa)
	case from.Version == "v1" && to.Version == "v2":
		scalerToV2(hpa)
	}
}
