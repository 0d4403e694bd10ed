package validation

import (
	"fmt"
	"maps"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/minors"
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

// CustomWords returns what gives errors about the fields of a custom resource the
// words of 1.minor.
//
// Source: kubeOpenAPIResultToFieldErrors in
// k8s.io/apiextensions-apiserver/pkg/apiserver/validation/validation.go, which
// called TooLongMaxLength until 1.31.
func CustomWords(minor int) func(field.ErrorList) field.ErrorList {
	return func(errs field.ErrorList) field.ErrorList {
		for _, e := range errs {
			if most, ok := strings.CutPrefix(e.Detail, "may not be more than "); ok && e.Type == field.ErrorTypeTooLong && minors.MessageAtMost.In(minor) {
				most, _, _ = strings.Cut(most, " ")
				e.Detail = "may not be longer than " + most
			}
			if minors.MessageOfOne.In(minor) {
				plural(e)
			}
			if minors.ValuesAsJSON.In(minor) {
				continue
			}
			switch v := e.BadValue.(type) {
			case nil:
				if e.Type == field.ErrorTypeInvalid {
					e.BadValue = "null"
				}
			case tree.Object, []any:
				e.BadValue = goValue{fmt.Sprintf("%#v", v)}
			}
		}
		return errs
	}
}
