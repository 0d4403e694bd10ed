package validation

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

const oneCIDRPerFamily = "may specify no more than one CIDR for each IP family"

// createNode checks a new Node. The errors of taints name a path under
// metadata; that is upstream's.
//
// Source: ValidateNode of pkg/apis/core/validation, as are the other functions
// of this file. Of the status, which users do not write, only the declared
// features are checked.
func createNode(r *Request) field.ErrorList {
	errs := clusterMeta(r, nameIsDNSSubdomain)
	errs = append(errs, taints(tree.List(r.Object, "spec", "taints"), field.NewPath("metadata", "taints"))...)
	if minors.DeclaredNodeFeatures.In(r.Minor) {
		errs = append(errs, declaredFeatures(tree.List(r.Object, "status", "declaredFeatures"), field.NewPath("status", "declaredFeatures"))...)
	}
	return append(errs, podCIDRs(cidrsOf(r.Object), field.NewPath("spec", "podCIDRs"))...)
}

var featureName = regexp.MustCompile(`^[A-Z][a-zA-Z0-9]*(/[a-zA-Z][a-zA-Z0-9]*)*$`)

// declaredFeatures follows validateNodeDeclaredFeatures.
func declaredFeatures(list []any, p *field.Path) field.ErrorList {
	const longest = 253
	var errs field.ErrorList
	names := stringsOf(list)
	for i, name := range names {
		switch {
		case len(name) > longest:
			errs = append(errs, field.Invalid(p.Index(i), name, fmt.Sprintf("invalid feature name %q: must be no more than %d characters", name, longest)))
		case !featureName.MatchString(name):
			errs = append(errs, field.Invalid(p.Index(i), name, fmt.Sprintf("invalid feature name %q: must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes", name)))
		}
		switch {
		case i+1 == len(names):
		case name == names[i+1]:
			errs = append(errs, field.Duplicate(p.Index(i+1), names[i+1]))
		case name > names[i+1]:
			errs = append(errs, field.Invalid(p.Index(i+1), names[i+1], "list must be sorted alphabetically"))
		}
	}
	return errs
}

func updateNode(r *Request) field.ErrorList {
	p := field.NewPath("spec")
	spec, old := tree.Map(r.Object, "spec"), tree.Map(r.Old, "spec")
	errs := append(createNode(r), updatedMeta(r)...)
	if was := cidrsOf(r.Old); len(was) > 0 && !slices.Equal(was, cidrsOf(r.Object)) {
		if len(cidrsOf(r.Object)) == 0 && minors.PodRangesCleared.In(r.Minor) {
			errs = append(errs, field.Invalid(p.Child("podCIDRs"), nil, isCleared))
		} else {
			errs = append(errs, field.Forbidden(p.Child("podCIDRs"), `node updates may not change podCIDR except from "" to valid`))
		}
	}
	errs = append(errs, fixedProvider(r.Minor, tree.String(spec, "providerID"), tree.String(old, "providerID"), p.Child("providerID"))...)
	if tree.String(old, "externalID") != tree.String(spec, "externalID") {
		errs = append(errs, field.Forbidden(p.Child("externalID"), "may not be updated"))
	}
	return errs
}

func fixedProvider(minor int, now, was string, p *field.Path) field.ErrorList {
	switch {
	case was == "" || was == now:
		return nil
	case !minors.ProviderIDFixed.In(minor):
		return field.ErrorList{field.Forbidden(p, `node updates may not change providerID except from "" to valid`)}
	case now == "":
		return field.ErrorList{field.Invalid(p, nil, "field cannot be cleared once set")}
	}
	return field.ErrorList{field.Invalid(p, nil, "field cannot be modified once set")}
}

// cidrsOf gives spec.podCIDRs, or spec.podCIDR alone if the two do not agree.
//
// Source: Convert_v1_NodeSpec_To_core_NodeSpec of pkg/apis/core/v1.
func cidrsOf(node tree.Object) []any {
	list := tree.List(node, "spec", "podCIDRs")
	if one := tree.String(node, "spec", "podCIDR"); one != "" && (len(list) == 0 || list[0] != one) {
		return []any{one}
	}
	return list
}

// podCIDRs checks that there is at most one range of addresses per family.
func podCIDRs(list []any, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, s := range stringsOf(list) {
		errs = append(errs, legacyCIDR(s, nil, p.Index(i))...)
	}
	if len(list) < 2 {
		return errs
	}
	v4, v6 := 0, 0
	for i, s := range stringsOf(list) {
		network, ok := looseCIDR(s)
		switch {
		case !ok:
			errs = append(errs, field.InternalError(p, fmt.Errorf(
				"invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR[%d]: <nil> (invalid CIDR address: %s)", i, s)))
			return append(errs, field.Invalid(p, list, oneCIDRPerFamily))
		case network.Addr().Is4():
			v4++
		default:
			v6++
		}
	}
	if v4 == 0 || v6 == 0 || len(list) > 2 {
		errs = append(errs, field.Invalid(p, list, oneCIDRPerFamily))
	}
	return errs
}

func taints(list []any, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	type id struct{ effect, key string }
	var seen []id
	for i, taint := range list {
		at := p.Index(i)
		key, value, effect := tree.String(taint, "key"), tree.String(taint, "value"), tree.String(taint, "effect")
		errs = append(errs, qualifiedName(key, at.Child("key"))...)
		if msgs := isLabelValue(value); len(msgs) > 0 {
			errs = append(errs, field.Invalid(at.Child("value"), value, strings.Join(msgs, ";")))
		}
		errs = append(errs, requiredOneOf(effect, at.Child("effect"), "NoSchedule", "PreferNoSchedule", "NoExecute")...)
		if this := (id{effect, key}); slices.Contains(seen, this) {
			err := field.Duplicate(at, schema.Internal("core/v1.Taint", taint))
			err.Detail = "taints must be unique by key and effect pair"
			errs = append(errs, err)
		} else {
			seen = append(seen, this)
		}
	}
	return errs
}
