package validation

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// createNamespace checks a new Namespace. Source: ValidateNamespace of
// pkg/apis/core/validation.
func createNamespace(r *Request) field.ErrorList {
	errs := clusterMeta(r, nameIsDNSLabel)
	p := field.NewPath("spec", "finalizers")
	for _, f := range stringsOf(tree.List(r.Object, "spec", "finalizers")) {
		errs = append(errs, invalidEach(p, f, isLabelKey(f))...)
		if !strings.Contains(f, "/") && !slices.Contains([]string{"kubernetes", "orphan", "foregroundDeletion"}, f) {
			errs = append(errs, field.Invalid(p, f, "name is neither a standard finalizer name nor is it fully qualified"))
		}
	}
	return errs
}
