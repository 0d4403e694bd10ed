package validation

import (
	"net/netip"

	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/fault"
	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// Rules of the group networking.k8s.io.
var (
	NetworkPolicy = Rules{inOrder(namespaced(nameIsDNSSubdomain), networkPolicySpec), updateNetworkPolicy}
	Ingress       = Rules{createIngress, updateIngress}
	IngressClass  = Rules{ingressClass, inOrder(updatedMeta, keepsText("spec", "controller"), ingressClass)}
	IPAddress     = Rules{createIPAddress, updateIPAddress}
	ServiceCIDR   = Rules{inOrder(cluster(nameIsDNSSubdomain), serviceCIDRs), updateServiceCIDR}
)

// policyOptions loosens the check of a NetworkPolicy for what it had before.
type policyOptions struct {
	minor     int
	selectors selectorOptions
	cidrs     sets.Set[string]
}

func updateNetworkPolicy(r *Request) field.ErrorList {
	if minors.PolicyNamedOnCreate.In(r.Minor) {
		return inOrder(updatedMeta, networkPolicySpec)(r)
	}
	return inOrder(namespaced(nameIsDNSSubdomain), networkPolicySpec, updatedMeta)(r)
}

// Source of the functions below: pkg/apis/networking/validation.
func networkPolicySpec(r *Request) field.ErrorList {
	spec, old, p := tree.Map(r.Object, "spec"), tree.Map(r.Old, "spec"), field.NewPath("spec")
	opts := policyOptions{minor: r.Minor, cidrs: sets.New(append(policyCIDRs(old, "ingress", "from"), policyCIDRs(old, "egress", "to")...)...)}
	opts.selectors.allowInvalidLabelValue = len(labelSelector(old["podSelector"], selectorOptions{}, nil)) > 0
	errs := labelSelector(spec["podSelector"], opts.selectors, p.Child("podSelector"))
	errs = append(errs, networkPolicyRules(spec, "ingress", "from", opts, p)...)
	errs = append(errs, networkPolicyRules(spec, "egress", "to", opts, p)...)

	types, at := tree.List(spec, "policyTypes"), p.Child("policyTypes")
	if len(types) > 2 {
		return append(errs, field.Invalid(at, types, "may not specify more than two policyTypes"))
	}
	for i, v := range types {
		s, _ := v.(string)
		errs = append(errs, oneOf(s, at.Index(i), "Ingress", "Egress")...)
	}
	return errs
}

func policyCIDRs(spec tree.Object, rules, peers string) []string {
	var cidrs []string
	for _, rule := range tree.List(spec, rules) {
		for _, peer := range tree.List(rule, peers) {
			if !tree.Has(peer, "ipBlock") {
				continue
			}
			cidrs = append(cidrs, tree.String(peer, "ipBlock", "cidr"))
			cidrs = append(cidrs, stringsOf(tree.List(peer, "ipBlock", "except"))...)
		}
	}
	return cidrs
}

func networkPolicyRules(spec tree.Object, rules, peers string, opts policyOptions, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, rule := range tree.List(spec, rules) {
		at := p.Child(rules).Index(i)
		for j, port := range tree.List(rule, "ports") {
			errs = append(errs, networkPolicyPort(port, opts, at.Child("ports").Index(j))...)
		}
		for j, peer := range tree.List(rule, peers) {
			errs = append(errs, networkPolicyPeer(peer, opts, at.Child(peers).Index(j))...)
		}
	}
	return errs
}

func networkPolicyPort(o any, opts policyOptions, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	if tree.Has(o, "protocol") {
		errs = append(errs, oneOf(tree.String(o, "protocol"), p.Child("protocol"), "TCP", "UDP", "SCTP")...)
	}
	endPort, hasEnd := tree.Int(o, "endPort")
	switch port, _ := tree.Get(o, "port"); port := port.(type) {
	case nil:
		if hasEnd {
			errs = append(errs, field.Invalid(p.Child("endPort"), endPort, "may not be specified when `port` is not specified"))
		}
	case string:
		if hasEnd {
			errs = append(errs, field.Invalid(p.Child("endPort"), endPort, "may not be specified when `port` is non-numeric"))
		}
		errs = append(errs, invalidEach(p.Child("port"), port, isPortName(port))...)
	case int64:
		errs = append(errs, invalidEach(p.Child("port"), port, isPortNumber(port))...)
		if hasEnd {
			if endPort < port {
				shown := port
				if minors.EndPortShown.In(opts.minor) {
					shown = endPort
				}
				errs = append(errs, field.Invalid(p.Child("endPort"), shown, "must be greater than or equal to `port`"))
			}
			errs = append(errs, invalidEach(p.Child("endPort"), endPort, isPortNumber(endPort))...)
		}
	}
	return errs
}

func networkPolicyPeer(peer any, opts policyOptions, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	selectors := 0
	for _, key := range []string{"podSelector", "namespaceSelector"} {
		if selector, _ := tree.Get(peer, key); selector != nil {
			selectors++
			errs = append(errs, labelSelector(selector, opts.selectors, p.Child(key))...)
		}
	}
	hasBlock := tree.Has(peer, "ipBlock")
	if hasBlock {
		errs = append(errs, policyIPBlock(tree.Map(peer, "ipBlock"), opts.cidrs, p.Child("ipBlock"))...)
	}
	switch {
	case selectors == 0 && !hasBlock:
		errs = append(errs, field.Required(p, "must specify a peer"))
	case selectors > 0 && hasBlock:
		errs = append(errs, coded(fault.OneOf, field.Forbidden(p, "may not specify both ipBlock and another peer")))
	}
	return errs
}

func policyIPBlock(block tree.Object, old sets.Set[string], p *field.Path) field.ErrorList {
	cidr := tree.String(block, "cidr")
	if cidr == "" {
		return field.ErrorList{field.Required(p.Child("cidr"), "")}
	}
	errs := legacyCIDR(cidr, old, p.Child("cidr"))
	network, ok := looseCIDR(cidr)
	if !ok {
		return errs
	}
	for i, v := range tree.List(block, "except") {
		except, _ := v.(string)
		at := p.Child("except").Index(i)
		errs = append(errs, legacyCIDR(except, old, at)...)
		if inner, ok := looseCIDR(except); ok && !isStrictSubset(inner, network) {
			errs = append(errs, field.Invalid(at, except, "must be a strict subset of `cidr`"))
		}
	}
	return errs
}

func isStrictSubset(inner, outer netip.Prefix) bool {
	return outer.Contains(inner.Masked().Addr()) && outer.Bits() < inner.Bits()
}
