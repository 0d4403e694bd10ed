package validation

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

const (
	ipv4        = "IPv4"
	ipv6        = "IPv6"
	singleStack = "SingleStack"
	preferDual  = "PreferDualStack"
	requireDual = "RequireDualStack"
)

func isHeadless(spec tree.Object) bool {
	ips := tree.List(spec, "clusterIPs")
	return len(ips) == 1 && ips[0] == noClusterIP
}

func isExternalName(spec tree.Object) bool { return tree.String(spec, "type") == externalNameType }

// serviceClusterIPs checks clusterIP, clusterIPs, ipFamilies and
// ipFamilyPolicy together.
//
// Source: ValidateServiceClusterIPsRelatedFields of pkg/apis/core/validation.
func serviceClusterIPs(spec, old tree.Object, p *field.Path) field.ErrorList {
	if isExternalName(spec) {
		return nil
	}
	errs := clusterIPInFront(spec, p)
	errs = append(errs, ipFamilies(tree.List(spec, "ipFamilies"), p.Child("ipFamilies"))...)
	if tree.Has(spec, "ipFamilyPolicy") {
		errs = append(errs, oneOf(tree.String(spec, "ipFamilyPolicy"), p.Child("ipFamilyPolicy"), preferDual, requireDual, singleStack)...)
	}
	at, ips := p.Child("clusterIPs"), tree.List(spec, "clusterIPs")
	hasBadIPs := false
	for i, v := range ips {
		ip, _ := v.(string)
		var bad field.ErrorList
		if i > 0 || ip != noClusterIP {
			bad = legacyIP(ip, tree.List(old, "clusterIPs"), at.Index(i))
		} else if len(ips) > 1 {
			bad = field.ErrorList{field.Invalid(at, ips, "'None' must be the first and only value")}
		}
		hasBadIPs = hasBadIPs || len(bad) > 0
		errs = append(errs, bad...)
	}
	if len(ips) > 2 {
		errs = append(errs, field.Invalid(at, ips, "may only hold up to 2 values"))
	}
	if hasBadIPs {
		return errs
	}
	if len(ips) > 1 && !areDualStack(ips) {
		errs = append(errs, field.Invalid(at, ips, "may specify no more than one IP for each IP family"))
	}
	if !isHeadless(spec) {
		errs = append(errs, clusterIPsOfFamilies(ips, tree.List(spec, "ipFamilies"), at)...)
	}
	return errs
}

func clusterIPInFront(spec tree.Object, p *field.Path) field.ErrorList {
	at, ip, ips := p.Child("clusterIPs"), tree.String(spec, "clusterIP"), tree.List(spec, "clusterIPs")
	switch {
	case ip != "" && len(ips) == 0:
		return field.ErrorList{field.Required(at, "")}
	case ip != "" && ips[0] != ip:
		return field.ErrorList{field.Invalid(at, ips, "first value must match `clusterIP`")}
	case ip == "" && len(ips) > 0:
		return field.ErrorList{field.Invalid(at, ips, "must be empty when `clusterIP` is not specified")}
	}
	return nil
}

func ipFamilies(families []any, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	seen := map[string]bool{}
	for i, v := range families {
		family, _ := v.(string)
		errs = append(errs, oneOf(family, p.Index(i), ipv4, ipv6)...)
		if seen[family] {
			errs = append(errs, field.Duplicate(p.Index(i), named(family)))
		}
		seen[family] = true
	}
	return errs
}

// areDualStack reports whether addresses of both families are among them.
func areDualStack(ips []any) bool {
	var v4, v6 bool
	for _, v := range ips {
		ip, _ := v.(string)
		v6 = v6 || isIPv6(ip)
		v4 = v4 || !isIPv6(ip)
	}
	return v4 && v6
}

func clusterIPsOfFamilies(ips, families []any, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i := range min(len(ips), len(families)) {
		ip, _ := ips[i].(string)
		family, _ := families[i].(string)
		if family == ipv4 && isIPv6(ip) || family == ipv6 && !isIPv6(ip) {
			errs = append(errs, field.Invalid(p.Index(i), ip, fmt.Sprintf("expected an %s value as indicated by `ipFamilies[%d]`", family, i)))
		}
	}
	return errs
}

// serviceClusterIPsUpdate checks that the first address stays.
//
// Source: validateUpgradeDowngradeClusterIPs of pkg/apis/core/validation.
func serviceClusterIPsUpdate(spec, old tree.Object, p *field.Path) field.ErrorList {
	if isExternalName(spec) || isExternalName(old) || isHeadless(spec) && isHeadless(old) {
		return nil
	}
	ips, was := tree.List(spec, "clusterIPs"), tree.List(old, "clusterIPs")
	at := p.Child("clusterIPs")
	if len(ips) == len(was) {
		var errs field.ErrorList
		for i := range was {
			if ips[i] != was[i] {
				errs = append(errs, fixed(field.Invalid(at.Index(i), ips, mayNotChange)))
			}
		}
		return errs
	}
	var errs field.ErrorList
	if len(ips) == 0 {
		errs = append(errs, field.Invalid(at.Index(0), ips, "primary clusterIP can not be unset"))
	} else if len(was) > 0 && ips[0] != was[0] || len(was) == 0 && ips[0] == noClusterIP {
		// A base does not know the address, but that there is one.
		errs = append(errs, fixed(field.Invalid(at.Index(0), ips, mayNotChange)))
	}
	if len(ips) == 1 && len(was) > 1 {
		errs = append(errs, mustBeSingleStack(spec, "clusterIP", p)...)
	}
	return errs
}

// serviceFamiliesUpdate checks that the first family stays.
//
// Source: validateUpgradeDowngradeIPFamilies of pkg/apis/core/validation.
func serviceFamiliesUpdate(spec, old tree.Object, p *field.Path) field.ErrorList {
	if isExternalName(spec) || isExternalName(old) || isHeadless(spec) || isHeadless(old) {
		return nil
	}
	families, was := tree.List(spec, "ipFamilies"), tree.List(old, "ipFamilies")
	at := p.Child("ipFamilies").Index(0)
	var errs field.ErrorList
	if len(families) == len(was) {
		for i := range was {
			if families[i] != was[i] {
				errs = append(errs, fixed(field.Invalid(at, families, mayNotChange)))
			}
		}
		return errs
	}
	ips := tree.List(spec, "clusterIPs")
	if len(families) < len(was) && len(ips) == 0 {
		errs = append(errs, field.Invalid(at, families, "primary ipFamily can not be unset"))
	}
	if len(families) > 0 && len(was) > 0 && families[0] != was[0] {
		errs = append(errs, fixed(field.Invalid(at, ips, mayNotChange)))
	}
	if len(families) == 1 && len(was) > 1 {
		errs = append(errs, mustBeSingleStack(spec, "ipFamily", p)...)
	}
	return errs
}

func mustBeSingleStack(spec tree.Object, released string, p *field.Path) field.ErrorList {
	if tree.String(spec, "ipFamilyPolicy") == singleStack {
		return nil
	}
	return field.ErrorList{field.Invalid(p.Child("ipFamilyPolicy"), spec["ipFamilyPolicy"],
		"must be set to 'SingleStack' when releasing the secondary "+released)}
}
