package rehearsal

import (
	"slices"
	"threeway/merge/kube"
)

// Validate refuses the documents that kubectl refuses itself. It leaves validation
// to the server, but for kinds that no server takes a PATCH of, above all lists:
// an apply with --validate=strict, server-side too, holds them against the OpenAPI
// document (kubectl pkg/validation/schema.go paramVerifyingSchema, cli-runtime
// pkg/resource/query_param_verifier_v3.go). kubectl diff validates nothing.
func (r *Run) Validate() {
	if r.Diff || !r.FieldValidation.is(Strict) {
		return
	}
	ended := map[string]bool{} // files
	for _, document := range slices.Clone(r.Manifests.Checked) {
		if ended[document.Origin.File] {
			continue
		}
		if faults := kube.ValidateDocument(document.Tree, r.Minor, r.Catalog.definitionOf); len(faults) > 0 {
			ended[document.Origin.File] = true
			r.Manifests.Refuse(document, faults)
		}
	}
}
