package library

import (
	"fmt"
	"net/netip"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	apiservercel "k8s.io/apiserver/pkg/cel"
)

// IP has ip, isIP and what there is to ask of an address.
func IP() cel.EnvOption {
	lib := &functions{name: "kubernetes.net.ip", types: []any{apiservercel.IPType}, overloads: map[string][]cel.FunctionOpt{
		"ip":             {overload("string_to_ip", takes(cel.StringType), apiservercel.IPType, unary(toIP))},
		"isIP":           {overload("is_ip", takes(cel.StringType), cel.BoolType, unary(isIP))},
		"ip.isCanonical": {overload("ip_is_canonical", takes(cel.StringType), cel.BoolType, unary(isCanonical))},
		"family":         {method("ip_family", takes(apiservercel.IPType), cel.IntType, ofIP(family))},
		"string": {overload("ip_to_string", takes(apiservercel.IPType), cel.StringType,
			ofIP(func(a netip.Addr) ref.Val { return types.String(a.String()) }))},
	}}
	for _, property := range []struct {
		name, id string
		of       func(netip.Addr) bool
	}{
		{"isUnspecified", "ip_is_unspecified", netip.Addr.IsUnspecified},
		{"isLoopback", "ip_is_loopback", netip.Addr.IsLoopback},
		{"isLinkLocalMulticast", "ip_is_link_local_multicast", netip.Addr.IsLinkLocalMulticast},
		{"isLinkLocalUnicast", "ip_is_link_local_unicast", netip.Addr.IsLinkLocalUnicast},
		{"isGlobalUnicast", "ip_is_global_unicast", netip.Addr.IsGlobalUnicast},
	} {
		lib.overloads[property.name] = []cel.FunctionOpt{method(property.id, takes(apiservercel.IPType), cel.BoolType,
			ofIP(func(a netip.Addr) ref.Val { return types.Bool(property.of(a)) }))}
	}
	return cel.Lib(lib)
}

// CIDR has cidr, isCIDR and what there is to ask of a range of addresses.
func CIDR() cel.EnvOption {
	r, a := apiservercel.CIDRType, apiservercel.IPType
	return cel.Lib(&functions{name: "kubernetes.net.cidr", types: []any{r}, overloads: map[string][]cel.FunctionOpt{
		"cidr":   {overload("string_to_cidr", takes(cel.StringType), r, cel.UnaryBinding(toCIDR))},
		"isCIDR": {overload("is_cidr", takes(cel.StringType), cel.BoolType, unary(isCIDR))},
		"containsIP": {
			method("cidr_contains_ip_string", takes(r, cel.StringType), cel.BoolType, cel.BinaryBinding(containsText)),
			method("cidr_contains_ip_ip", takes(r, a), cel.BoolType, cel.BinaryBinding(containsIP)),
		},
		"containsCIDR": {
			method("cidr_contains_cidr_string", takes(r, cel.StringType), cel.BoolType,
				cel.BinaryBinding(func(outer, inner ref.Val) ref.Val { return containsCIDR(outer, toCIDR(inner)) })),
			method("cidr_contains_cidr", takes(r, r), cel.BoolType, cel.BinaryBinding(containsCIDR)),
		},
		"ip":           {method("cidr_ip", takes(r), a, ofCIDR(func(p netip.Prefix) ref.Val { return apiservercel.IP{Addr: p.Addr()} }))},
		"prefixLength": {method("cidr_prefix_length", takes(r), cel.IntType, ofCIDR(func(p netip.Prefix) ref.Val { return types.Int(p.Bits()) }))},
		"masked":       {method("cidr_masked", takes(r), r, ofCIDR(func(p netip.Prefix) ref.Val { return apiservercel.CIDR{Prefix: p.Masked()} }))},
		"string":       {overload("cidr_to_string", takes(r), cel.StringType, ofCIDR(func(p netip.Prefix) ref.Val { return types.String(p.String()) }))},
	}})
}

func ofIP(f func(netip.Addr) ref.Val) cel.OverloadOpt {
	return cel.UnaryBinding(func(arg ref.Val) ref.Val {
		ip, ok := arg.(apiservercel.IP)
		if !ok {
			return types.MaybeNoSuchOverloadErr(arg)
		}
		return f(ip.Addr)
	})
}

func ofCIDR(f func(netip.Prefix) ref.Val) cel.OverloadOpt {
	return cel.UnaryBinding(func(arg ref.Val) ref.Val {
		cidr, ok := arg.(apiservercel.CIDR)
		if !ok {
			return types.MaybeNoSuchOverloadErr(arg)
		}
		return f(cidr.Prefix)
	})
}

func toIP(s string) ref.Val {
	a, err := parseIP(s)
	if err != nil {
		return types.NewErr("%v", err)
	}
	return apiservercel.IP{Addr: a}
}

func isIP(s string) ref.Val {
	_, err := parseIP(s)
	return types.Bool(err == nil)
}

func isCanonical(s string) ref.Val {
	a, err := parseIP(s)
	if err != nil {
		return types.NewErr("%v", err)
	}
	return types.Bool(a.String() == s)
}

func family(a netip.Addr) ref.Val {
	switch {
	case a.Is4():
		return types.Int(4)
	case a.Is6():
		return types.Int(6)
	}
	return types.NewErr("IP address %q is not an IPv4 or IPv6 address", a.String())
}

func parseIP(s string) (netip.Addr, error) {
	a, err := netip.ParseAddr(s)
	switch {
	case err != nil:
		return netip.Addr{}, fmt.Errorf("IP Address %q parse error during conversion from string: %v", s, err)
	case a.Zone() != "":
		return netip.Addr{}, fmt.Errorf("IP address %q with zone value is not allowed", s)
	case a.Is4In6():
		return netip.Addr{}, fmt.Errorf("IPv4-mapped IPv6 address %q is not allowed", s)
	}
	return a, nil
}

func toCIDR(arg ref.Val) ref.Val {
	s, ok := arg.Value().(string)
	if !ok {
		return types.MaybeNoSuchOverloadErr(arg)
	}
	p, err := parseCIDR(s)
	if err != nil {
		return types.NewErr("network address parse error during conversion from string: %v", err)
	}
	return apiservercel.CIDR{Prefix: p}
}

func isCIDR(s string) ref.Val {
	_, err := parseCIDR(s)
	return types.Bool(err == nil)
}

func parseCIDR(s string) (netip.Prefix, error) {
	p, err := netip.ParsePrefix(s)
	switch {
	case err != nil:
		return netip.Prefix{}, fmt.Errorf("network address parse error during conversion from string: %v", err)
	case p.Addr().Is4In6():
		return netip.Prefix{}, fmt.Errorf("IPv4-mapped IPv6 address %q is not allowed", s)
	}
	return p, nil
}

// containsText says of a text that is no address that there is no such
// overload, as upstream does.
func containsText(cidr, text ref.Val) ref.Val {
	s, ok := text.Value().(string)
	if !ok {
		return types.MaybeNoSuchOverloadErr(cidr)
	}
	return containsIP(cidr, toIP(s))
}

func containsIP(cidr, ip ref.Val) ref.Val {
	c, ok := cidr.(apiservercel.CIDR)
	if !ok {
		return types.MaybeNoSuchOverloadErr(ip)
	}
	a, ok := ip.(apiservercel.IP)
	if !ok {
		return types.MaybeNoSuchOverloadErr(cidr)
	}
	return types.Bool(c.Contains(a.Addr))
}

func containsCIDR(outer, inner ref.Val) ref.Val {
	o, ok := outer.(apiservercel.CIDR)
	if !ok {
		return types.MaybeNoSuchOverloadErr(outer)
	}
	i, ok := inner.(apiservercel.CIDR)
	if !ok {
		return types.MaybeNoSuchOverloadErr(inner)
	}
	return types.Bool(o.Overlaps(i.Prefix) && o.Prefix.Bits() <= i.Prefix.Bits())
}
