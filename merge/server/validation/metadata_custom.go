package validation

import (
	"maps"

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
	if tree.String(meta, "name") == "" {
		meta = maps.Clone(meta)
		if meta == nil {
			meta = tree.Object{}
		}
		meta["name"] = "fakename"
	}
	return genericObjectMeta(meta, pathSegmentName, p)
}
