package rehearsal

import (
	"slices"
	"strings"

	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal/openapi"
	"threeway/merge/schema"
	"threeway/merge/tree"
)

// Validate refuses the documents that kubectl refuses itself. It leaves validation
// to the server, but for kinds that no server takes a PATCH of, above all lists:
// an apply with --validate=strict, server-side too, holds them against the OpenAPI
// document (kubectl pkg/validation/schema.go paramVerifyingSchema, cli-runtime
// pkg/resource/query_param_verifier_v3.go). kubectl diff validates nothing.
func (r *Run) Validate() {
	if r.Diff || r.Lenient {
		return
	}
	ended := map[string]bool{} // files
	for _, document := range slices.Clone(r.Manifests.Checked) {
		if ended[document.Origin.File] {
			continue
		}
		if faults := r.faults(document); len(faults) > 0 {
			ended[document.Origin.File] = true
			r.Manifests.Refuse(document, faults)
		}
	}
}

// faults validates the items of a v1 List one by one, and any other document as a
// whole.
func (r *Run) faults(document *manifest.Object) []fault.Fault {
	k := document.Kind
	if k == (schema.Kind{Version: "v1", Kind: "List"}) {
		return r.itemFaults(tree.List(document.Tree, "items"))
	}
	m := r.Catalog.Model(k)
	switch item, isList := strings.CutSuffix(k.Kind, "List"); {
	case m != nil && r.Catalog.Defines(k):
		return nil // a custom kind of that name, which the server validates
	case m == nil && isList:
		if m = r.Catalog.Model(schema.Kind{Group: k.Group, Version: k.Version, Kind: item}); m != nil {
			m = openapi.ListOf(m)
		}
	}
	if m == nil {
		return nil
	}
	return openapi.Validate(document.Tree, k.Kind, m)
}

func (r *Run) itemFaults(items []any) []fault.Fault {
	var faults []fault.Fault
	for i, item := range items {
		at, obj := fieldpath.New("items").Item(i), tree.Map(item)
		if words := manifest.KindFaults(item); len(words) > 0 {
			for _, text := range words {
				faults = append(faults, fault.Fault{Code: fault.Invalid, Path: at, Text: fault.Words("%s", text)})
			}
			continue
		}
		kind := schema.ParseKind(tree.String(obj, "apiVersion"), tree.String(obj, "kind"))
		m := r.Catalog.Model(kind)
		if m == nil {
			continue // kubectl skips what the document does not describe
		}
		for _, f := range openapi.Validate(obj, kind.Kind, m) {
			f.Path = at.Join(f.Path)
			faults = append(faults, f)
		}
	}
	return faults
}
