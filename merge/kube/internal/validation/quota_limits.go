package validation

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// limitRange checks a LimitRange, new or changed.
//
// Source: ValidateLimitRange of pkg/apis/core/validation, as are the other
// functions of this file.
func limitRange(r *Request) field.ErrorList {
	errs := namespacedMeta(r, nameIsDNSSubdomain)
	p := field.NewPath("spec", "limits")
	var types []string
	for i, limit := range tree.List(r.Object, "spec", "limits") {
		at := p.Index(i)
		limitType := tree.String(limit, "type")
		errs = append(errs, limitTypeName(limitType, at.Child("type"))...)
		if slices.Contains(types, limitType) {
			errs = append(errs, field.Duplicate(at.Child("type"), named(limitType)))
		}
		types = append(types, limitType)
		errs = append(errs, limitRangeItem(limit, limitType, at)...)
	}
	return errs
}

func limitTypeName(name string, p *field.Path) field.ErrorList {
	if msgs := isLabelKey(name); len(msgs) > 0 {
		return invalidEach(p, named(name), msgs)
	}
	if strings.Contains(name, "/") || slices.Contains([]string{"Pod", "Container", "PersistentVolumeClaim"}, name) {
		return nil
	}
	return field.ErrorList{field.Invalid(p, named(name), "must be a standard limit type or fully qualified")}
}

func limitRangeItem(limit any, limitType string, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	nameCheck := resourceName
	if limitType == "Pod" || limitType == "Container" {
		nameCheck = containerResourceName
	}
	var names []string
	check := func(list string) {
		for _, name := range sortedKeys(tree.Map(limit, list)) {
			errs = append(errs, nameCheck(name, p.Child(list).Key(name))...)
			names = append(names, name)
		}
	}
	check("max")
	check("min")
	for _, list := range []string{"default", "defaultRequest"} {
		if limitType != "Pod" {
			check(list)
		} else if len(tree.Map(limit, list)) > 0 {
			errs = append(errs, notAllowed(p.Child(list), "may not be specified when `type` is 'Pod'"))
		}
	}
	if limitType == "PersistentVolumeClaim" && !tree.Has(limit, "min", "storage") && !tree.Has(limit, "max", "storage") {
		errs = append(errs, field.Required(p.Child("limits"), "either minimum or maximum storage value is required, but neither was provided"))
	}
	check("maxLimitRequestRatio")
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		errs = append(errs, limitsOf(limit, limitType, name).check(p)...)
	}
	return errs
}

// resourceLimits is what an item of a LimitRange says about one resource; nil
// where it says nothing.
type resourceLimits struct {
	name                               string
	min, max, limit, request, maxRatio *resource.Quantity
}

func limitsOf(item any, limitType, name string) resourceLimits {
	get := func(list string) *resource.Quantity {
		v, ok := tree.Get(item, list, name)
		if !ok {
			return nil
		}
		q := quantity(v)
		return &q
	}
	l := resourceLimits{name: name, min: get("min"), max: get("max"), maxRatio: get("maxLimitRequestRatio")}
	if limitType != "Pod" {
		l.limit, l.request = get("default"), get("defaultRequest")
	}
	return l
}

func (l resourceLimits) check(p *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, c := range []struct {
		low, high         *resource.Quantity
		lowText, highText string
		list              string
		bad               *resource.Quantity
	}{
		{l.min, l.max, "min value", "max value", "min", l.min},
		{l.min, l.request, "min value", "default request value", "defaultRequest", l.request},
		{l.request, l.max, "default request value", "max value", "defaultRequest", l.request},
		{l.request, l.limit, "default request value", "default limit value", "defaultRequest", l.request},
		{l.min, l.limit, "min value", "default value", "default", l.min},
		{l.limit, l.max, "default value", "max value", "default", l.max},
	} {
		if c.low != nil && c.high != nil && c.low.Cmp(*c.high) > 0 {
			errs = append(errs, field.Invalid(p.Child(c.list).Key(l.name), c.bad,
				fmt.Sprintf("%s %s is greater than %s %s", c.lowText, c.low, c.highText, c.high)))
		}
	}
	errs = append(errs, l.checkRatio(p.Child("maxLimitRequestRatio").Key(l.name))...)
	if !mayOvercommit(l.name) && l.limit != nil && l.request != nil && l.limit.Cmp(*l.request) != 0 {
		errs = append(errs, field.Invalid(p.Child("defaultRequest").Key(l.name), l.request,
			fmt.Sprintf("default value %s must equal to defaultRequest value %s in %s", l.limit, l.request, l.name)))
	}
	return errs
}

// checkRatio checks that the ratio is 1 or more, and no more than the bounds
// have anyway. It counts in thousandths unless they would overflow.
func (l resourceLimits) checkRatio(p *field.Path) field.ErrorList {
	const maxMilli = math.MaxInt64 / 1000
	var errs field.ErrorList
	if l.maxRatio == nil {
		return nil
	}
	if l.maxRatio.CmpInt64(1) < 0 {
		errs = append(errs, field.Invalid(p, l.maxRatio, fmt.Sprintf("ratio %s is less than 1", l.maxRatio)))
	}
	if l.min == nil || l.max == nil {
		return errs
	}
	ratio, low, high := float64(l.maxRatio.Value()), l.min.Value(), l.max.Value()
	if l.maxRatio.Value() < maxMilli && low < maxMilli && high < maxMilli {
		ratio, low, high = float64(l.maxRatio.MilliValue())/1000, l.min.MilliValue(), l.max.MilliValue()
	}
	if most := float64(high) / float64(low); ratio > most {
		errs = append(errs, field.Invalid(p, l.maxRatio, fmt.Sprintf("ratio %s is greater than max/min = %f", l.maxRatio, most)))
	}
	return errs
}
