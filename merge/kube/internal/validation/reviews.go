package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// Rules of the questions to the authorizer, which the server answers and does
// not store. Their metadata must be empty, so that no manifest with a name
// passes. The server quotes that metadata with the managedFields of the request
// and its time; here they are left out. Source of this file:
// pkg/apis/authorization/validation.
var (
	SubjectAccessReview      = Rules{create: inOrder(subjectSpec, emptyMeta("must be empty"))}
	SelfSubjectAccessReview  = Rules{create: inOrder(oneQuestion, attributeSelectors, emptyMeta("must be empty"))}
	LocalSubjectAccessReview = Rules{create: inOrder(subjectSpec, emptyMeta("must be empty except for namespace", "namespace"), ownNamespace)}
)

// ownNamespace wants a question about the namespace of the review.
func ownNamespace(r *Request) (errs field.ErrorList) {
	spec := tree.Map(r.Object, "spec")
	if namespace := tree.String(spec, "resourceAttributes", "namespace"); tree.Has(spec, "resourceAttributes") && namespace != tree.String(r.Object, "metadata", "namespace") {
		errs = append(errs, field.Invalid(field.NewPath("spec.resourceAttributes.namespace"), namespace, "must match metadata.namespace"))
	}
	if tree.Has(spec, "nonResourceAttributes") {
		errs = append(errs, field.Invalid(field.NewPath("spec.nonResourceAttributes"), nonResource(r), "disallowed on this kind of request"))
	}
	return errs
}

func subjectSpec(r *Request) field.ErrorList {
	errs := oneQuestion(r)
	spec := tree.Map(r.Object, "spec")
	if tree.String(spec, "user") == "" && len(tree.List(spec, "groups")) == 0 {
		errs = append(errs, field.Invalid(field.NewPath("spec", "user"), "", "at least one of user or group must be specified"))
	}
	return append(errs, attributeSelectors(r)...)
}

// oneQuestion wants a question about a resource or about a path.
func oneQuestion(r *Request) field.ErrorList {
	spec, p := tree.Map(r.Object, "spec"), field.NewPath("spec")
	resource, path := tree.Has(spec, "resourceAttributes"), tree.Has(spec, "nonResourceAttributes")
	const one = "exactly one of nonResourceAttributes or resourceAttributes must be specified"
	switch {
	case resource == path && minors.QuestionOfSpec.In(r.Minor):
		var shown any
		if path {
			shown = nonResource(r)
		}
		return field.ErrorList{field.Invalid(p, shown, one)}
	case resource && path:
		return field.ErrorList{field.Invalid(p.Child("nonResourceAttributes"), nonResource(r), "cannot be specified in combination with resourceAttributes")}
	case !resource && !path:
		return field.ErrorList{field.Invalid(p.Child("resourceAttributes"), nil, one)}
	}
	return nil
}

// nonResource prints as the internal type does, which has no JSON tags.
func nonResource(r *Request) any {
	v := tree.Map(r.Object, "spec", "nonResourceAttributes")
	return struct{ Path, Verb string }{tree.String(v, "path"), tree.String(v, "verb")}
}

func attributeSelectors(r *Request) field.ErrorList {
	var errs field.ErrorList
	attributes, p := tree.Map(r.Object, "spec", "resourceAttributes"), field.NewPath("spec.resourceAttributes")
	for _, key := range []string{"fieldSelector", "labelSelector"} {
		if !tree.Has(attributes, key) {
			continue
		}
		selector, at := tree.Map(attributes, key), p.Child(key)
		raw, requirements := tree.String(selector, "rawSelector"), tree.List(selector, "requirements")
		switch {
		case raw != "" && len(requirements) > 0:
			errs = append(errs, field.Invalid(at.Child("rawSelector"), raw, "may not specified at the same time as requirements"))
		case raw == "" && len(requirements) == 0:
			errs = append(errs, field.Required(at.Child("requirements"), "when "+at.String()+" is specified, requirements or rawSelector is required"))
		}
		for i, requirement := range requirements {
			check := fieldSelectorRequirement
			if key == "labelSelector" {
				check = labelSelectorRequirement
			}
			errs = append(errs, check(requirement, selectorOptions{allowUnknownOperator: true}, at.Child("requirements").Index(i))...)
		}
	}
	return errs
}

// Source: ValidateFieldSelectorRequirement of
// k8s.io/apimachinery/pkg/apis/meta/v1/validation.
func fieldSelectorRequirement(requirement any, opts selectorOptions, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	if tree.String(requirement, "key") == "" {
		errs = append(errs, field.Required(p.Child("key"), "must be specified"))
	}
	return append(errs, operands(requirement, opts, p)...)
}

func emptyMeta(why string, but ...string) validate {
	return func(r *Request) field.ErrorList {
		metadata := tree.CopyObject(tree.Map(r.Object, "metadata"))
		for _, key := range []string{"managedFields", "uid"} { // a review gets no uid
			tree.Delete(metadata, key)
		}
		given := tree.CopyObject(metadata)
		for _, key := range but {
			tree.Delete(given, key)
		}
		if tree.Empty(given) {
			return nil
		}
		return field.ErrorList{field.Invalid(field.NewPath("metadata"), schema.Internal("meta/v1.ObjectMeta", metadata), why)}
	}
}
