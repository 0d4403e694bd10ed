package validation

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/format"
	"threeway/merge/tree"
)

// Source of this file: k8s.io/apiextensions-apiserver/pkg/apiserver/schema
// (validation.go, complete.go).

// junctors checks what a schema has in allOf, anyOf, oneOf and not: these may
// restrict values but not define them. The two flags let the anyOf of an
// integer or string through, here or in the first item of allOf.
func junctors(s tree.Object, skipAnyOf, skipFirst bool, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	if !skipAnyOf {
		for i, sub := range tree.List(s, "anyOf") {
			errs = append(errs, restriction(tree.Map(sub), false, p.Child("anyOf").Index(i))...)
		}
	}
	for i, sub := range tree.List(s, "allOf") {
		errs = append(errs, restriction(tree.Map(sub), skipFirst && i == 0, p.Child("allOf").Index(i))...)
	}
	for i, sub := range tree.List(s, "oneOf") {
		errs = append(errs, restriction(tree.Map(sub), false, p.Child("oneOf").Index(i))...)
	}
	errs = append(errs, restriction(tree.Map(s, "not"), false, p.Child("not"))...)
	if pattern := tree.String(s, "pattern"); pattern != "" {
		if _, err := format.Pattern(pattern); err != nil {
			errs = append(errs, field.Invalid(p.Child("pattern"), pattern, fmt.Sprintf("must be a valid regular expression, but isn't: %v", err)))
		}
	}
	return errs
}

// notInRestriction lists what a schema within allOf and the like cannot have,
// with the condition that the error names.
var notInRestriction = []struct{ key, must string }{
	{"type", "be empty"}, {"default", "be undefined"}, {"title", "be empty"}, {"description", "be empty"}, {"nullable", "be false"},
	{preserve, "be false"}, {embedded, "be false"}, {intOrString, "be false"}, {listMapKeys, "be empty"}, {listType, "be undefined"},
	{mapType, "be undefined"}, {"x-kubernetes-validations", "be empty"},
}

// restriction checks a schema within allOf, anyOf, oneOf or not.
func restriction(s tree.Object, skipAnyOf bool, p *field.Path) field.ErrorList {
	if s == nil {
		return nil
	}
	errs := junctors(s, skipAnyOf, false, p)
	errs = append(errs, restriction(tree.Map(s, "items"), false, p.Child("items"))...)
	properties := tree.Map(s, "properties")
	for name, sub := range properties {
		errs = append(errs, restriction(tree.Map(sub), false, p.Child("properties").Key(name))...)
	}
	if additional := s["additionalProperties"]; additional != nil && additional != false {
		errs = append(errs, field.Forbidden(p.Child("additionalProperties"), "must be undefined to be structural"))
	}
	for _, not := range notInRestriction {
		if isSetInSchema(s, not.key) {
			errs = append(errs, field.Forbidden(p.Child(not.key), "must "+not.must+" to be structural"))
		}
	}
	if _, found := properties["metadata"]; found {
		errs = append(errs, notAllowed(p.Child("properties").Key("metadata"), "must not be specified in a nested context"))
	}
	return errs
}

// completeFor checks that what the junctors of v mention is also defined in s,
// outside of junctors; sp and vp are the paths of s and v.
func completeFor(v, s tree.Object, sp, vp *field.Path) field.ErrorList {
	errs := completeWithin(tree.Map(v, "not"), s, sp, vp.Child("not"))
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		for i, sub := range tree.List(v, key) {
			errs = append(errs, completeWithin(tree.Map(sub), s, sp, vp.Child(key).Index(i))...)
		}
	}
	return errs
}

func completeWithin(v, s tree.Object, sp, vp *field.Path) field.ErrorList {
	if v == nil {
		return nil
	}
	if s == nil {
		return field.ErrorList{field.Required(sp, "because it is defined in "+vp.String())}
	}
	errs := completeFor(v, s, sp, vp)
	errs = append(errs, completeWithin(tree.Map(v, "items"), tree.Map(s, "items"), sp.Child("items"), vp.Child("items"))...)
	properties := tree.Map(v, "properties")
	for name, sub := range properties {
		errs = append(errs, completeWithin(tree.Map(sub), tree.Map(s, "properties", name),
			sp.Child("properties").Key(name), vp.Child("properties").Key(name))...)
	}
	return errs
}
