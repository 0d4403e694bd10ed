package validation

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// sliceDevice checks a device of a ResourceSlice; old is the one of that name
// that it replaces, perDevice says whether it has nodes of its own.
//
// Source: validateDevice of pkg/apis/resource/validation, as are the functions
// that it calls.
func sliceDevice(r *Request, d, old any, perDevice bool, p *field.Path) field.ErrorList {
	const maxTaints, maxConsumed = 16, 2
	errs := dns1123Label(tree.String(d, "name"), p.Child("name"))
	attributes, capacity := tree.Map(d, "attributes"), tree.Map(d, "capacity")
	if n := len(attributes) + len(capacity); n > maxDeviceList {
		errs = append(errs, field.Invalid(p, int64(n), fmt.Sprintf("the total number of attributes and capacities must not exceed %d", maxDeviceList)))
	}
	for _, name := range sortedKeys(attributes) {
		errs = append(errs, attributeName(name, p.Child("attributes"))...)
		errs = append(errs, deviceAttribute(r, attributes[name], p.Child("attributes").Key(shortKey(name)))...)
	}
	kept := old != nil && minors.CapacityKept.In(r.Minor) && same(tree.Map(old, "capacity"), capacity)
	for _, name := range sortedKeys(capacity) {
		if kept {
			break
		}
		errs = append(errs, attributeName(name, p.Child("capacity"))...)
		errs = append(errs, deviceCapacity(r, d, capacity[name], p.Child("capacity").Key(shortKey(name)).Child("requestPolicy"))...)
	}
	if taints := tree.List(d, "taints"); old == nil || !same(tree.List(old, "taints"), taints) {
		errs = append(errs, atMost(maxTaints, taints, p.Child("taints"), deviceTaint)...)
	}
	errs = append(errs, setOf(maxConsumed, tree.List(d, "consumesCounters"), keyed("counterSet"), p.Child("consumesCounters"),
		func(c any, p *field.Path) field.ErrorList {
			return append(counterSetName(c, "counterSet", p), counters(c, p)...)
		})...)
	if !minors.SliceDevicesKept.In(r.Minor) {
		errs = append(errs, deviceNodes(r, d, perDevice, p)...)
	}
	return append(errs, bindingConditions(d, p)...)
}

// shortKey takes the middle out of a name that is longer than names may be.
func shortKey(name string) string {
	const most, dots = 63 + 1 + 32, "..."
	if len(name) <= most {
		return name
	}
	keep := most - len(dots)
	return name[:(keep+1)/2] + dots + name[len(name)-keep/2:]
}

func deviceAttribute(r *Request, attribute any, p *field.Path) field.ErrorList {
	const maxBytes = 64
	mostDigits := maxBytes
	if minors.VersionDigits.In(r.Minor) {
		mostDigits = 18
	}
	var errs field.ErrorList
	var values []string
	for _, key := range []string{"int", "bool", "string", "version"} {
		if !tree.Has(attribute, key) {
			continue
		}
		values = append(values, key)
		s := tree.String(attribute, key)
		if key == "version" && !isSemanticVersion(s, mostDigits) {
			errs = append(errs, field.Invalid(p.Child(key), s, "must be a string compatible with semver.org spec 2.0.0, with at most 18 digits in numbers"))
		}
		if len(s) > maxBytes {
			errs = append(errs, field.TooLong(p.Child(key), "", maxBytes))
		}
	}
	const no = "exactly one value must be specified"
	switch len(values) {
	case 1:
	case 0:
		errs = append(errs, field.Invalid(p, "", no))
	default:
		errs = append(errs, field.Invalid(p, schema.Internal("resource/v1.DeviceAttribute", attribute), no))
	}
	return errs
}

// isSemanticVersion reports whether s is a version as semver.org has them, with numbers of
// up to so many digits.
func isSemanticVersion(s string, mostDigits int) bool {
	s, build, hasBuild := strings.Cut(s, "+")
	core, pre, hasPre := strings.Cut(s, "-")
	numbers := strings.Split(core, ".")
	return len(numbers) == 3 && !slices.ContainsFunc(numbers, func(n string) bool { return !isVersionNumber(n, mostDigits) }) &&
		(!hasPre || areVersionParts(pre, mostDigits)) && (!hasBuild || areVersionParts(build, 0))
}

func isVersionNumber(s string, mostDigits int) bool {
	return consistsOf(s, digits) && (s == "0" || s[0] != '0') && len(s) <= mostDigits
}

// areVersionParts: with digits, parts that are numbers are canonical ones of up to so many.
func areVersionParts(s string, mostDigits int) bool {
	for _, part := range strings.Split(s, ".") {
		if !consistsOf(part, lower+upper+digits+"-") || mostDigits > 0 && consistsOf(part, digits) && !isVersionNumber(part, mostDigits) {
			return false
		}
	}
	return true
}

// deviceNodes checks that a device has nodes of its own if, and only if, the
// slice says so.
func deviceNodes(r *Request, d any, perDevice bool, p *field.Path) field.ErrorList {
	const oneOfThree = "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec"
	if !perDevice {
		if tree.Has(d, "nodeName") || tree.Has(d, "nodeSelector") || tree.Has(d, "allNodes") {
			return field.ErrorList{field.Invalid(p, nil, "`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec")}
		}
		return nil
	}
	set, errs := nodeChoices(d, "must not be empty", p)
	if minors.OneNodeTerm.In(r.Minor) {
		errs = append(errs, oneTerm(d, p)...)
	}
	set, errs = trueOrUnset(d, "allNodes", set, errs, p)
	switch len(set) {
	case 0:
		return append(errs, field.Required(p, oneOfThree))
	case 1:
		return errs
	}
	return append(errs, field.Invalid(p, "{"+strings.Join(set, ", ")+"}", oneOfThree))
}

// bindingConditions checks what has to be, and must not be, before Pods may
// use a device.
func bindingConditions(d any, p *field.Path) field.ErrorList {
	const most = 4
	name := func(v any, p *field.Path) field.ErrorList { return qualifiedName(itself(v), p) }
	var errs field.ErrorList
	good, bad := tree.List(d, "bindingConditions"), tree.List(d, "bindingFailureConditions")
	goodAt, badAt := p.Child("bindingConditions"), p.Child("bindingFailureConditions")
	errs = append(errs, atMost(most, good, goodAt, name)...)
	errs = append(errs, atMost(most, bad, badAt, name)...)
	for i, c := range good {
		if slices.Contains(good[:i], c) {
			errs = append(errs, field.Duplicate(goodAt.Index(i), c))
		}
	}
	for i, c := range bad {
		if slices.Contains(bad[:i], c) {
			errs = append(errs, field.Duplicate(badAt.Index(i), c))
		}
		if slices.Contains(good, c) {
			errs = append(errs, field.Invalid(badAt.Index(i), c, "bindingFailureConditions must not overlap with bindingConditions"))
		}
	}
	switch {
	case len(good) == 0 && len(bad) > 0:
		errs = append(errs, field.Invalid(goodAt, good, "bindingConditions are required to use bindingFailureConditions"))
	case len(bad) == 0 && len(good) > 0:
		errs = append(errs, field.Invalid(badAt, bad, "bindingFailureConditions are required to use bindingConditions"))
	}
	return errs
}
