package validation

import (
	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// Source of the functions below: pkg/apis/networking/validation.
func createIPAddress(r *Request) field.ErrorList {
	errs := clusterMeta(r, nameIsIP)
	p := field.NewPath("spec", "parentRef")
	if !tree.Has(r.Object, "spec", "parentRef") {
		return append(errs, field.Required(p, ""))
	}
	ref := tree.Map(r.Object, "spec", "parentRef")
	if group := tree.String(ref, "group"); group != "" {
		errs = append(errs, dns1123Subdomain(group, p.Child("group"))...)
	}
	errs = append(errs, requiredPathSegment(ref, "resource", p)...)
	errs = append(errs, requiredPathSegment(ref, "name", p)...)
	if ns := tree.String(ref, "namespace"); ns != "" {
		errs = append(errs, invalidEach(p.Child("namespace"), ns, content.IsPathSegmentName(ns))...)
	}
	return errs
}

// nameIsIP is the nameFunc of IPAddress.
func nameIsIP(name string, _ bool) []string {
	var msgs []string
	for _, err := range canonicalIP(name, nil) {
		msgs = append(msgs, err.Detail)
	}
	return msgs
}

func updateIPAddress(r *Request) field.ErrorList {
	errs := createIPAddress(r)
	errs = append(errs, updatedMeta(r)...)
	ref, _ := tree.Get(r.Object, "spec", "parentRef")
	old, _ := tree.Get(r.Old, "spec", "parentRef")
	return append(errs, immutableAs(ref, old, internalOrNull("networking/v1.ParentReference", ref), field.NewPath("spec", "parentRef"))...)
}

func serviceCIDRs(r *Request) field.ErrorList {
	spec, cidrs, p := tree.Map(r.Object, "spec"), tree.List(r.Object, "spec", "cidrs"), field.NewPath("spec", "cidrs")
	switch {
	case len(cidrs) == 0:
		return field.ErrorList{field.Required(p, "at least one CIDR required")}
	case len(cidrs) > 2:
		return field.ErrorList{field.Invalid(p, schema.Internal("networking/v1.ServiceCIDRSpec", spec), "may only hold up to 2 values")}
	}
	var errs field.ErrorList
	var families []bool
	for i, v := range cidrs {
		cidr, _ := v.(string)
		errs = append(errs, canonicalCIDR(cidr, p.Index(i))...)
		if network, ok := looseCIDR(cidr); ok {
			families = append(families, network.Addr().Is4())
		}
	}
	if len(families) == 2 && families[0] == families[1] {
		errs = append(errs, field.Invalid(p, cidrs, "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64"))
	}
	return errs
}

func updateServiceCIDR(r *Request) field.ErrorList {
	errs := updatedMeta(r)
	cidrs, was, p := tree.List(r.Object, "spec", "cidrs"), tree.List(r.Old, "spec", "cidrs"), field.NewPath("spec", "cidrs")
	switch {
	case len(cidrs) == len(was):
		for i := range was {
			errs = append(errs, immutable(cidrs[i], was[i], p.Index(i))...)
		}
	case len(was) == 1 && len(cidrs) == 2:
		errs = append(errs, immutable(cidrs[0], was[0], p.Index(0))...)
		errs = append(errs, serviceCIDRs(r)...)
	default:
		errs = append(errs, fixed(field.Invalid(p, cidrs, isImmutable)))
	}
	return errs
}
