package validation

import (
	"maps"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// CustomMeta returns the check of the metadata of a custom resource by a server
// of 1.minor; old is nil on create.
//
// Source: ValidateCreate and ValidateUpdate of customResourceValidator in
// k8s.io/apiextensions-apiserver/pkg/registry/customresource/validator.go, and
// validateCommonFields of k8s.io/apiserver/pkg/registry/rest/update.go.
func CustomMeta(minor int) func(obj, old tree.Object) field.ErrorList {
	return func(obj, old tree.Object) field.ErrorList {
		p := field.NewPath("metadata")
		meta := tree.Map(obj, "metadata")
		if old == nil {
			return worded(&Request{Minor: minor}, genericObjectMeta(meta, nameIsDNSSubdomain, p))
		}
		errs := append(genericObjectMeta(meta, pathSegmentName, p), genericObjectMetaUpdate(meta, tree.Map(old, "metadata"), p)...)
		return worded(&Request{Minor: minor}, errs)
	}
}

// EmbeddedMeta returns the check of the metadata of a resource inside a custom
// resource, which need not have a name.
//
// Source: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta/validation.go.
func EmbeddedMeta(minor int) func(metadata any, p *field.Path) field.ErrorList {
	return func(metadata any, p *field.Path) field.ErrorList {
		meta, _ := metadata.(tree.Object)
		if tree.String(meta, "name") == "" {
			meta = maps.Clone(meta)
			if meta == nil {
				meta = tree.Object{}
			}
			meta["name"] = "fakename"
		}
		return worded(&Request{Minor: minor}, genericObjectMeta(meta, pathSegmentName, p))
	}
}
