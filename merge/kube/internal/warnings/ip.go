package warnings

import (
	"net/netip"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// ip warns of an address that is not in its usual form.
//
// Source: GetWarningsForIP of k8s.io/apimachinery/pkg/util/validation.
func (w *texts) ip(s string, p *field.Path) {
	sloppy, ok := parseSloppily(s)
	if !ok {
		return
	}
	strict, err := netip.ParseAddr(s)
	switch {
	case !minors.WarnAddresses.In(w.minor):
		if err != nil {
			w.at(p, "IP address was accepted, but will be invalid in a future Kubernetes release: %v", err)
		} else if strict.Is6() && strict.String() != s {
			w.at(p, "IPv6 address %q is not in RFC 5952 canonical format (%q), which may cause controller apply-loops", s, strict)
		}
	case err != nil || strict.Is4In6():
		w.at(p, "non-standard IP address %q %s: use %q", s, w.verdict(), sloppy)
	case strict.Is6() && strict.String() != s:
		w.at(p, "IPv6 address %q should be in RFC 5952 canonical format (%q)", s, strict)
	}
}

// verdict is what becomes of an address in an unusual form.
func (w *texts) verdict() string {
	if minors.WarnAddressesInvalid.In(w.minor) {
		return "is invalid"
	}
	return "will be considered invalid in a future Kubernetes release"
}

// ips is ip for a list.
func (w *texts) ips(list []any, p *field.Path) {
	for i, s := range list {
		w.ip(tree.String(s), p.Index(i))
	}
}

// cidr warns of a network that is not in its usual form.
//
// Source: GetWarningsForCIDR of k8s.io/apimachinery/pkg/util/validation.
func (w *texts) cidr(s string, p *field.Path) {
	strict, err := netip.ParsePrefix(s)
	if !minors.WarnAddresses.In(w.minor) {
		if err != nil {
			w.at(p, "IP prefix was accepted, but will be invalid in a future Kubernetes release: %v", err)
		} else if strict.Addr().Is6() && strict.String() != s {
			w.at(p, "IPv6 prefix %q is not in RFC 5952 canonical format (%q), which may cause controller apply-loops", s, strict)
		}
		return
	}
	before, bits, _ := strings.Cut(s, "/")
	sloppy, ok := parseSloppily(before)
	if !ok {
		return
	}
	nonstandard := err != nil || strict.Addr().Is4In6()
	prefix := strict
	if nonstandard {
		bits = strings.TrimLeft(bits, "0")
		if bits == "" {
			bits = "0"
		}
		if prefix, err = netip.ParsePrefix(sloppy.String() + "/" + bits); err != nil {
			return
		}
	}
	network := prefix.Masked()
	ambiguous := network.Addr() != prefix.Addr()
	if ambiguous {
		w.at(p, "CIDR value %q is ambiguous in this context (should be %q or %q?)", s, network, netip.PrefixFrom(sloppy, sloppy.BitLen()))
	}
	switch {
	case nonstandard:
		w.at(p, "non-standard CIDR value %q %s: use %q", s, w.verdict(), network)
	case !ambiguous && strict.Addr().Is6() && strict.String() != s:
		w.at(p, "IPv6 CIDR value %q should be in RFC 5952 canonical format (%q)", s, strict)
	}
}

// cidrs is cidr for a list.
func (w *texts) cidrs(list []any, p *field.Path) {
	for i, s := range list {
		w.cidr(tree.String(s), p.Index(i))
	}
}

// parseSloppily reads an address in which leading zeros count for nothing; one
// that maps IPv4 comes back as that.
//
// Source: ParseIPSloppy of k8s.io/utils/net.
func parseSloppily(s string) (netip.Addr, bool) {
	at := strings.LastIndexByte(s, ':') + 1
	if strings.Contains(s[at:], ".") {
		octets := strings.Split(s[at:], ".")
		for i, o := range octets {
			if octets[i] = strings.TrimLeft(o, "0"); octets[i] == "" && o != "" {
				octets[i] = "0"
			}
		}
		s = s[:at] + strings.Join(octets, ".")
	}
	addr, err := netip.ParseAddr(s)
	return addr.Unmap(), err == nil && addr.Zone() == ""
}
