package validation

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Source of this file: k8s.io/apimachinery/pkg/util/validation/ip.go with
// strict validation (on by default since 1.36), over the parsers of
// k8s.io/utils/net, which still read leading zeros.

// looseIP reads an address the way the server always did: leading zeros in
// IPv4 octets count for nothing, zones are not allowed. An address that maps
// IPv4 comes back as IPv4.
func looseIP(s string) (netip.Addr, bool) {
	addr, ok := looseAddress(s)
	return addr.Unmap(), ok
}

func looseAddress(s string) (netip.Addr, bool) {
	before, octets := "", s
	if i := strings.LastIndexByte(s, ':'); i >= 0 {
		before, octets = s[:i+1], s[i+1:]
	}
	if strings.Contains(octets, ".") {
		parts := strings.Split(octets, ".")
		for i, part := range parts {
			parts[i] = withoutLeadingZeros(part)
		}
		s = before + strings.Join(parts, ".")
	}
	addr, err := netip.ParseAddr(s)
	return addr, err == nil && addr.Zone() == ""
}

// looseCIDR is looseIP for a network; the address comes back without the bits
// beyond the prefix.
func looseCIDR(s string) (netip.Prefix, bool) {
	ip, bits, found := strings.Cut(s, "/")
	addr, isIP := looseAddress(ip)
	if !found || !isIP || !consistsOf(bits, digits) {
		return netip.Prefix{}, false
	}
	network, err := netip.ParsePrefix(addr.String() + "/" + withoutLeadingZeros(bits))
	return network.Masked(), err == nil
}

func withoutLeadingZeros(number string) string {
	trimmed := strings.TrimLeft(number, "0")
	if trimmed == "" && number != "" {
		return "0"
	}
	return trimmed
}

// strictIP checks for an address without ambiguities.
func strictIP(s string, p *field.Path) field.ErrorList {
	if _, ok := looseIP(s); !ok {
		return field.ErrorList{field.Invalid(p, s, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)")}
	}
	addr, err := netip.ParseAddr(s)
	switch {
	case err != nil:
		return field.ErrorList{field.Invalid(p, s, "must not have leading 0s")}
	case addr.Is4In6():
		return field.ErrorList{field.Invalid(p, s, "must not be an IPv4-mapped IPv6 address")}
	}
	return nil
}

// strictCIDR checks for a network without ambiguities.
func strictCIDR(s string, p *field.Path) field.ErrorList {
	if _, ok := looseCIDR(s); !ok {
		return field.ErrorList{field.Invalid(p, s, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)")}
	}
	network, err := netip.ParsePrefix(s)
	switch {
	case err != nil:
		return field.ErrorList{field.Invalid(p, s, "must not have leading 0s in IP or prefix length")}
	case network.Addr().Is4In6():
		return field.ErrorList{field.Invalid(p, s, "must not have an IPv4-mapped IPv6 address")}
	case network.Addr() != network.Masked().Addr():
		return field.ErrorList{field.Invalid(p, s, "must not have bits set beyond the prefix length")}
	}
	return nil
}

// isIPv6 reports whether s is an IPv6 address (one that maps IPv4 is not).
func isIPv6(s string) bool {
	addr, ok := looseIP(s)
	return ok && addr.Is6()
}

// legacyIP is the check of fields older than strict validation: addresses
// that the old object has are let through, and they need not be canonical.
func legacyIP(s string, old []any, p *field.Path) field.ErrorList {
	if slices.Contains(old, any(s)) {
		return nil
	}
	return strictIP(s, p)
}

// canonicalIP checks for an address in its one standard spelling.
func canonicalIP(s string, p *field.Path) field.ErrorList {
	if errs := strictIP(s, p); len(errs) > 0 {
		return errs
	}
	if addr, _ := looseIP(s); addr.String() != s {
		return field.ErrorList{field.Invalid(p, s, fmt.Sprintf("must be in canonical form (%q)", addr))}
	}
	return nil
}

// legacyCIDR is legacyIP for networks.
func legacyCIDR(s string, old sets.Set[string], p *field.Path) field.ErrorList {
	if old.Has(s) {
		return nil
	}
	return strictCIDR(s, p)
}

// canonicalCIDR is canonicalIP for networks.
func canonicalCIDR(s string, p *field.Path) field.ErrorList {
	if errs := strictCIDR(s, p); len(errs) > 0 {
		return errs
	}
	if network, _ := looseCIDR(s); network.String() != s {
		return field.ErrorList{field.Invalid(p, s, fmt.Sprintf("must be in canonical form (%q)", network))}
	}
	return nil
}

// endpointIP checks that an address can be the target of traffic.
//
// Source: ValidateEndpointIP of pkg/apis/core/validation.
func endpointIP(s string, p *field.Path) field.ErrorList {
	addr, ok := looseIP(s)
	if !ok {
		return field.ErrorList{field.Invalid(p, s, "must be a valid IP address")}
	}
	var errs field.ErrorList
	if addr.IsUnspecified() {
		errs = append(errs, field.Invalid(p, s, fmt.Sprintf("may not be unspecified (%v)", s)))
	}
	if addr.IsLoopback() {
		errs = append(errs, field.Invalid(p, s, "may not be in the loopback range (127.0.0.0/8, ::1/128)"))
	}
	if addr.IsLinkLocalUnicast() {
		errs = append(errs, field.Invalid(p, s, "may not be in the link-local range (169.254.0.0/16, fe80::/10)"))
	}
	if addr.IsLinkLocalMulticast() {
		errs = append(errs, field.Invalid(p, s, "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)"))
	}
	return errs
}
