package custom

import (
	"fmt"
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// embedded validates the resources embedded in x
// (pkg/apiserver/schema/objectmeta/validation.go).
func (c *Checks) embedded(path *field.Path, x any, s schema) field.ErrorList {
	if s == nil {
		return nil
	}
	var errs field.ErrorList
	switch x := x.(type) {
	case map[string]any:
		if s.isResource() {
			errs = c.resource(path, x)
		}
		for _, name := range tree.Keys(x) {
			sub, how := s.field(name)
			errs = append(errs, c.embedded(step(path, name, how), x[name], sub)...)
		}
	case []any:
		for i, v := range x {
			errs = append(errs, c.embedded(path.Index(i), v, s.items())...)
		}
	}
	return errs
}

func (c *Checks) resource(path *field.Path, x tree.Object) field.ErrorList {
	var errs field.ErrorList
	for _, name := range []string{"apiVersion", "kind"} {
		if _, ok := x[name]; !ok {
			errs = append(errs, field.Required(path.Child(name), ""))
		}
	}
	for _, name := range []string{"apiVersion", "kind"} {
		v, there := x[name]
		if _, isText := v.(string); there && !isText { // nothing has decoded what is applied server-side
			errs = append(errs, field.Invalid(path.Child(name), v, "must be a string"))
		}
	}
	if v, ok := x["apiVersion"].(string); ok {
		if v == "" {
			errs = append(errs, field.Invalid(path.Child("apiVersion"), v, "must not be empty"))
		} else if strings.Count(v, "/") > 1 {
			errs = append(errs, field.Invalid(path.Child("apiVersion"), v, fmt.Sprintf("unexpected GroupVersion string: %v", v)))
		}
	}
	if v, ok := x["kind"].(string); ok {
		if v == "" {
			errs = append(errs, field.Invalid(path.Child("kind"), v, "must not be empty"))
		} else if wrong := kindErrors(v); len(wrong) > 0 {
			errs = append(errs, field.Invalid(path.Child("kind"), v, "may have mixed case, but should otherwise match: "+strings.Join(wrong, ",")))
		}
	}
	if v, ok := x["metadata"]; ok && c.Embedded != nil {
		// A server-side apply has not decoded it before.
		if _, _, err := readMeta(v); err != nil {
			return append(errs, field.Invalid(path.Child("metadata"), v, err.Error()))
		}
		errs = append(errs, c.Embedded(v, path.Child("metadata"))...)
	}
	return errs
}

// kindErrors holds a kind, in lower case, against the form of a DNS-1035 label
// (apimachinery pkg/util/validation).
func kindErrors(kind string) []string {
	const form = "[a-z]([-a-z0-9]*[a-z0-9])?"
	var errs []string
	if len(kind) > content.DNS1123LabelMaxLength {
		errs = append(errs, fmt.Sprintf("must be no more than %d characters", content.DNS1123LabelMaxLength))
	}
	if ok, _ := regexp.MatchString("^"+form+"$", strings.ToLower(kind)); !ok {
		errs = append(errs, content.RegexError("a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character", form, "my-name", "abc-123"))
	}
	return errs
}
