package validation

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// affinity checks where a pod wants to run.
//
// Source: validateAffinity of pkg/apis/core/validation, as are the other
// functions of this file.
func affinity(a tree.Object, p *field.Path, opts podOptions) field.ErrorList {
	var errs field.ErrorList
	if node := tree.Map(a, "nodeAffinity"); node != nil {
		errs = append(errs, nodeAffinity(node, p.Child("nodeAffinity"), opts)...)
	}
	for _, key := range []string{"podAffinity", "podAntiAffinity"} {
		errs = append(errs, podAffinity(tree.Map(a, key), p.Child(key), opts)...)
	}
	return errs
}

const (
	requiredTerms  = "requiredDuringSchedulingIgnoredDuringExecution"
	preferredTerms = "preferredDuringSchedulingIgnoredDuringExecution"
)

func nodeAffinity(a tree.Object, p *field.Path, opts podOptions) field.ErrorList {
	var errs field.ErrorList
	if tree.Has(a, requiredTerms) {
		errs = append(errs, nodeSelector(tree.Map(a, requiredTerms), opts.allowInvalidLabelValueInNodeAffinity, p.Child(requiredTerms))...)
	}
	for i, term := range tree.List(a, preferredTerms) {
		at := p.Child(preferredTerms).Index(i)
		errs = append(errs, weight(term, at)...)
		// Label values are not checked: on a cluster of one node any will do.
		errs = append(errs, nodeSelectorTerm(tree.Map(term, "preference"), true, at.Child("preference"))...)
	}
	return errs
}

// nodeSelector checks a selector of nodes, which has one term at least.
func nodeSelector(selector tree.Object, allowInvalidLabelValue bool, p *field.Path) field.ErrorList {
	terms := tree.List(selector, "nodeSelectorTerms")
	p = p.Child("nodeSelectorTerms")
	if len(terms) == 0 {
		return field.ErrorList{field.Required(p, "must have at least one node selector term")}
	}
	var errs field.ErrorList
	for i, term := range terms {
		errs = append(errs, nodeSelectorTerm(term, allowInvalidLabelValue, p.Index(i))...)
	}
	return errs
}

func nodeSelectorTerm(term any, allowInvalidLabelValue bool, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, req := range tree.List(term, "matchExpressions") {
		errs = append(errs, nodeRequirement(req, allowInvalidLabelValue, p.Child("matchExpressions").Index(i))...)
	}
	return append(errs, each(tree.List(term, "matchFields"), p.Child("matchFields"), nodeFieldRequirement)...)
}

func nodeRequirement(req any, allowInvalidLabelValue bool, p *field.Path) field.ErrorList {
	values := tree.List(req, "values")
	if op := tree.String(req, "operator"); op == "Gt" || op == "Lt" {
		var errs field.ErrorList
		if len(values) != 1 {
			errs = append(errs, field.Required(p.Child("values"), "must be specified single value when `operator` is 'Lt' or 'Gt'"))
		}
		errs = append(errs, qualifiedName(tree.String(req, "key"), p.Child("key"))...)
		if !allowInvalidLabelValue {
			errs = append(errs, labelValues(values, p.Child("values"))...)
		}
		return errs
	}
	return labelSelectorRequirement(req, selectorOptions{allowInvalidLabelValue: allowInvalidLabelValue}, p)
}

func nodeFieldRequirement(req any, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	values := stringsOf(tree.List(req, "values"))
	switch op := tree.String(req, "operator"); op {
	case "In", "NotIn":
		if len(values) != 1 {
			errs = append(errs, field.Required(p.Child("values"), "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"))
		}
	default:
		errs = append(errs, field.Invalid(p.Child("operator"), named(op), "not a valid selector operator"))
	}
	if key := tree.String(req, "key"); key != "metadata.name" {
		return append(errs, field.Invalid(p.Child("key"), key, "not a valid field selector key"))
	}
	return append(errs, each(values, p.Child("values"), dns1123Subdomain)...)
}

// hasInvalidNodeLabelValue reports whether a selector of nodes has a value
// that is not a label value.
func hasInvalidNodeLabelValue(selector tree.Object) bool {
	return slices.ContainsFunc(tree.List(selector, "nodeSelectorTerms"), hasInvalidLabelValue)
}

func weight(term any, p *field.Path) field.ErrorList {
	if n, _ := tree.Int(term, "weight"); n < 1 || n > 100 {
		return field.ErrorList{field.Invalid(p.Child("weight"), n, "must be in the range 1-100")}
	}
	return nil
}

func podAffinity(a tree.Object, p *field.Path, opts podOptions) field.ErrorList {
	var errs field.ErrorList
	for i, term := range tree.List(a, requiredTerms) {
		errs = append(errs, podAffinityTerm(term, p.Child(requiredTerms).Index(i), opts)...)
	}
	for i, term := range tree.List(a, preferredTerms) {
		at := p.Child(preferredTerms).Index(i)
		errs = append(errs, weight(term, at)...)
		errs = append(errs, podAffinityTerm(tree.Map(term, "podAffinityTerm"), at.Child("podAffinityTerm"), opts)...)
	}
	return errs
}

func podAffinityTerm(term any, p *field.Path, opts podOptions) field.ErrorList {
	errs := podAffinitySelectors(term, selectorOptions{allowInvalidLabelValue: opts.allowInvalidLabelValueInSelector}, p)
	for _, ns := range stringsOf(tree.List(term, "namespaces")) {
		errs = append(errs, dns1123Label(ns, p.Child("namespace"))...)
	}
	errs = append(errs, matchLabelKeys(term, p)...)
	key := tree.String(term, "topologyKey")
	if key == "" {
		errs = append(errs, field.Required(p.Child("topologyKey"), "can not be empty"))
	}
	return append(errs, qualifiedName(key, p.Child("topologyKey"))...)
}

func podAffinitySelectors(term any, opts selectorOptions, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, key := range []string{"labelSelector", "namespaceSelector"} {
		errs = append(errs, labelSelector(tree.Map(term, key), opts, p.Child(key))...)
	}
	return errs
}

// hasInvalidAffinitySelector reports whether a selector of pods in an
// affinity is invalid in any way.
func hasInvalidAffinitySelector(a tree.Object) bool {
	for _, key := range []string{"podAffinity", "podAntiAffinity"} {
		for _, term := range tree.List(a, key, requiredTerms) {
			if len(podAffinitySelectors(term, selectorOptions{}, nil)) > 0 {
				return true
			}
		}
		for _, term := range tree.List(a, key, preferredTerms) {
			if len(podAffinitySelectors(tree.Map(term, "podAffinityTerm"), selectorOptions{}, nil)) > 0 {
				return true
			}
		}
	}
	return false
}
