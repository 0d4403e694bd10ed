package schema

import (
	"strings"

	"threeway/merge/tree"
)

const invalidObject = "invalid object to validate"

// KindErrors returns kubectl's errors for a document, or an item of a v1 List,
// whose kind is unknown (k8s.io/kubectl/pkg/validation getObjectKind).
func KindErrors(value any) (errs []string) {
	obj, ok := value.(tree.Object)
	if !ok {
		return []string{invalidObject}
	}
	switch v := obj["apiVersion"].(type) {
	case nil:
		errs = append(errs, "apiVersion not set")
	case string:
		if !ValidAPIVersion(v) {
			errs = append(errs, "unexpected GroupVersion string: "+v)
		}
	default:
		errs = append(errs, "apiVersion isn't string type")
	}
	switch obj["kind"].(type) {
	case nil:
		errs = append(errs, "kind not set")
	case string:
	default:
		errs = append(errs, "kind isn't string type")
	}
	return errs
}

// ValidAPIVersion reports whether s can be an apiVersion by ParseGroupVersion's rule: at most one slash.
func ValidAPIVersion(s string) bool { return strings.Count(s, "/") <= 1 || s == "/" }
