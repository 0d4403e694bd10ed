package validation

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// endpoints checks Endpoints; subsets that have not changed are let through.
//
// Source: ValidateEndpoints of pkg/apis/core/validation.
func endpoints(r *Request) field.ErrorList {
	errs := namespacedMeta(r, nameIsDNSSubdomain)
	if r.Old != nil && same(r.Object["subsets"], r.Old["subsets"]) {
		return errs
	}
	for i, subset := range tree.List(r.Object, "subsets") {
		p := field.NewPath("subsets").Index(i)
		ready, notReady, ports := tree.List(subset, "addresses"), tree.List(subset, "notReadyAddresses"), tree.List(subset, "ports")
		if len(ready) == 0 && len(notReady) == 0 {
			errs = append(errs, field.Required(p, "must specify `addresses` or `notReadyAddresses`"))
		}
		errs = append(errs, endpointAddresses(ready, p.Child("addresses"))...)
		errs = append(errs, endpointAddresses(notReady, p.Child("notReadyAddresses"))...)
		for j, port := range ports {
			errs = append(errs, endpointPort(port, len(ports) > 1, p.Child("ports").Index(j))...)
		}
	}
	return errs
}

func endpointAddresses(addresses []any, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, address := range addresses {
		at, ip := p.Index(i), tree.String(address, "ip")
		errs = append(errs, strictIP(ip, at.Child("ip"))...)
		if hostname := tree.String(address, "hostname"); hostname != "" {
			errs = append(errs, dns1123Label(hostname, at.Child("hostname"))...)
		}
		errs = append(errs, endpointNodeName(address, at)...)
		errs = append(errs, endpointIP(ip, at.Child("ip"))...)
	}
	return errs
}

func endpointNodeName(o any, p *field.Path) field.ErrorList {
	if !tree.Has(o, "nodeName") {
		return nil
	}
	return dns1123Subdomain(tree.String(o, "nodeName"), p.Child("nodeName"))
}

func endpointPort(port any, requireName bool, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	if name := tree.String(port, "name"); name != "" {
		errs = append(errs, dns1123Label(name, p.Child("name"))...)
	} else if requireName {
		errs = append(errs, field.Required(p.Child("name"), ""))
	}
	errs = append(errs, portNumber(port, "port", p)...)
	errs = append(errs, requiredOneOf(tree.String(port, "protocol"), p.Child("protocol"), "SCTP", "TCP", "UDP")...)
	return append(errs, appProtocol(port, p)...)
}

// endpointSlice checks an EndpointSlice; endpoints that have not changed are
// let through.
//
// Source: ValidateEndpointSlice of pkg/apis/discovery/validation.
func endpointSlice(r *Request) field.ErrorList {
	errs := namespacedMeta(r, nameIsDNSSubdomain)
	addressType := tree.String(r.Object, "addressType")
	errs = append(errs, requiredOneOf(addressType, field.NewPath("addressType"), "FQDN", "IPv4", "IPv6")...)
	errs = append(errs, slicePorts(tree.List(r.Object, "ports"), field.NewPath("ports"))...)
	if r.Old != nil && same(r.Object["endpoints"], r.Old["endpoints"]) {
		return errs
	}
	const most = 1000
	all, p := tree.List(r.Object, "endpoints"), field.NewPath("endpoints")
	if len(all) > most {
		return append(errs, field.TooMany(p, len(all), most))
	}
	for i, endpoint := range all {
		errs = append(errs, sliceEndpoint(endpoint, addressType, p.Index(i))...)
	}
	return errs
}

func slicePorts(ports []any, p *field.Path) field.ErrorList {
	const most = 20000
	if len(ports) > most {
		return field.ErrorList{field.TooMany(p, len(ports), most)}
	}
	var errs field.ErrorList
	names := map[string]bool{}
	for i, port := range ports {
		name, at := tree.String(port, "name"), p.Index(i)
		if name != "" {
			errs = append(errs, dns1123Label(name, at.Child("name"))...)
		}
		if names[name] {
			errs = append(errs, field.Duplicate(at.Child("name"), name))
		}
		names[name] = true
		errs = append(errs, oneOf(tree.String(port, "protocol"), at.Child("protocol"), "SCTP", "TCP", "UDP")...)
		errs = append(errs, appProtocol(port, at)...)
	}
	return errs
}

func sliceEndpoint(endpoint any, addressType string, p *field.Path) field.ErrorList {
	const mostAddresses = 100
	var errs field.ErrorList
	addresses, at := tree.List(endpoint, "addresses"), p.Child("addresses")
	if len(addresses) == 0 {
		errs = append(errs, field.Required(at, "must contain at least 1 address"))
	} else if len(addresses) > mostAddresses {
		errs = append(errs, field.TooMany(at, len(addresses), mostAddresses))
	}
	for i, v := range addresses {
		address, _ := v.(string)
		errs = append(errs, sliceAddress(address, addressType, at, i)...)
	}
	errs = append(errs, endpointNodeName(endpoint, p)...)
	if tree.Has(endpoint, "hostname") {
		errs = append(errs, dns1123Label(tree.String(endpoint, "hostname"), p.Child("hostname"))...)
	}
	errs = append(errs, sliceHints(tree.List(endpoint, "hints", "forZones"), isLabelValue, p.Child("hints", "forZones"))...)
	if len(tree.List(endpoint, "hints", "forZones")) > mostHints {
		return errs
	}
	return append(errs, sliceHints(tree.List(endpoint, "hints", "forNodes"), isDNS1123Subdomain, p.Child("hints", "forNodes"))...)
}

// sliceAddress checks the i-th address; p is the path of the list, where the
// server puts errors about the family.
func sliceAddress(address, addressType string, p *field.Path, i int) field.ErrorList {
	at := p.Index(i)
	var errs field.ErrorList
	switch addressType {
	case ipv4:
		errs = strictIP(address, at)
	case ipv6:
		errs = canonicalIP(address, at)
	case "FQDN":
		return domainName(address, at)
	default:
		return nil
	}
	if len(errs) > 0 {
		return errs
	}
	if isIPv6(address) != (addressType == ipv6) {
		errs = append(errs, field.Invalid(p, address, "must be an "+addressType+" address"))
	}
	return append(errs, endpointIP(address, at)...)
}

const mostHints = 8

func sliceHints(hints []any, check func(string) []string, p *field.Path) field.ErrorList {
	if len(hints) > mostHints {
		return field.ErrorList{field.TooMany(p, len(hints), mostHints)}
	}
	var errs field.ErrorList
	var names []string
	for i, hint := range hints {
		name, at := tree.String(hint, "name"), p.Index(i).Child("name")
		if slices.Contains(names, name) {
			errs = append(errs, field.Duplicate(at, name))
		}
		names = append(names, name)
		errs = append(errs, invalidEach(at, name, check(name))...)
	}
	return errs
}

// domainName checks for a host name of two labels or more.
//
// Source: IsFullyQualifiedDomainName of
// k8s.io/apimachinery/pkg/util/validation.
func domainName(name string, p *field.Path) field.ErrorList {
	if name == "" {
		return field.ErrorList{field.Required(p, "")}
	}
	name = strings.TrimSuffix(name, ".")
	if msgs := isDNS1123Subdomain(name); len(msgs) > 0 {
		return field.ErrorList{field.Invalid(p, name, strings.Join(msgs, ","))}
	}
	labels := strings.Split(name, ".")
	if len(labels) < 2 {
		return field.ErrorList{field.Invalid(p, name, "should be a domain with at least two segments separated by dots")}
	}
	for _, label := range labels {
		if msgs := isDNS1123Label(label); len(msgs) > 0 {
			return field.ErrorList{field.Invalid(p, label, strings.Join(msgs, ","))}
		}
	}
	return nil
}
