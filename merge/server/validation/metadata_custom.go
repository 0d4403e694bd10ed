package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// CustomMeta checks the metadata of a custom resource; old is nil on create.
//
// Source: ValidateCreate and ValidateUpdate of customResourceValidator in
// k8s.io/apiextensions-apiserver/pkg/registry/customresource/validator.go.
func CustomMeta(obj, old tree.Object) field.ErrorList {
	p := field.NewPath("metadata")
	meta := tree.Map(obj, "metadata")
	if old == nil {
		return genericObjectMeta(meta, nameIsDNSSubdomain, p)
	}
	return genericObjectMetaUpdate(meta, tree.Map(old, "metadata"), p)
}

// EmbeddedMeta checks the metadata of a resource inside a custom resource,
// which need not have a name.
//
// Source: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta/validation.go.
func EmbeddedMeta(metadata any, p *field.Path) field.ErrorList {
	meta, _ := metadata.(tree.Object)
	errs := genericObjectMeta(meta, func(string, bool) []string { return nil }, p)
	kept := errs[:0]
	for _, e := range errs {
		if e.Type != field.ErrorTypeRequired {
			kept = append(kept, e)
		}
	}
	return kept
}
