package validation

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// createResourceClaim checks a new ResourceClaim.
//
// Source of this file: pkg/apis/resource/validation.
func createResourceClaim(r *Request) field.ErrorList {
	errs := adminAccess(r, tree.List(r.Object, "spec", "devices", "requests"))
	errs = append(errs, namespacedMeta(r, nameIsDNSSubdomain)...)
	return append(errs, deviceClaim(r, tree.Map(r.Object, "spec", "devices"), field.NewPath("spec", "devices"))...)
}

func createResourceClaimTemplate(r *Request) field.ErrorList {
	p := field.NewPath("spec")
	spec := tree.Map(r.Object, "spec")
	errs := append(adminAccess(r, tree.List(spec, "spec", "devices", "requests")), namespacedMeta(r, nameIsDNSSubdomain)...)
	errs = append(errs, templateMeta(tree.Map(spec, "metadata"), p.Child("metadata"))...)
	return append(errs, deviceClaim(r, tree.Map(spec, "spec", "devices"), p.Child("spec", "devices"))...)
}

// adminAccess follows AuthorizedForAdmin of pkg/registry/resource/utils.go:
// the label of the namespace allows it. The path of a template lacks a step.
func adminAccess(r *Request, requests []any) field.ErrorList {
	const label = "resource.kubernetes.io/admin-access"
	i := slices.IndexFunc(requests, func(request any) bool { return tree.Bool(request, "exactly", "adminAccess") })
	if i < 0 || r.Old != nil || r.Namespace == nil {
		return nil
	}
	namespace, known := r.Namespace(tree.String(r.Object, "metadata", "namespace"))
	if !known || tree.String(namespace, "metadata", "labels", label) == "true" {
		return nil
	}
	return field.ErrorList{field.Forbidden(field.NewPath("spec", "devices", "requests").Index(i).Child("adminAccess"),
		"admin access to devices requires the `"+label+": true` label on the containing namespace")}
}

func deviceClaim(r *Request, claim tree.Object, p *field.Path) field.ErrorList {
	names := deviceRequestNames(claim)
	reference := func(v any, p *field.Path) field.ErrorList { return deviceRequestReference(itself(v), names, p) }
	errs := setOf(maxDeviceList, tree.List(claim, "requests"), keyed("name"), p.Child("requests"), deviceRequest(r))
	errs = append(errs, atMost(maxDeviceList, tree.List(claim, "constraints"), p.Child("constraints"), func(c any, p *field.Path) field.ErrorList {
		errs := setOf(maxDeviceList, tree.List(c, "requests"), itself, p.Child("requests"), reference)
		return append(errs, deviceConstraint(c, p)...)
	})...)
	return append(errs, atMost(maxDeviceList, tree.List(claim, "config"), p.Child("config"), func(c any, p *field.Path) field.ErrorList {
		errs := setOf(maxDeviceList, tree.List(c, "requests"), itself, p.Child("requests"), reference)
		return append(errs, deviceConfiguration(c, p)...)
	})...)
}

// deviceRequestNames lists what constraints and configurations may refer to.
func deviceRequestNames(claim tree.Object) []string {
	var names []string
	for _, request := range tree.List(claim, "requests") {
		name := tree.String(request, "name")
		names = append(names, name)
		for _, sub := range tree.List(request, "firstAvailable") {
			names = append(names, name+"/"+tree.String(sub, "name"))
		}
	}
	return names
}

func deviceRequestReference(name string, names []string, p *field.Path) field.ErrorList {
	unknown := field.Invalid(p, name, "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'")
	segments := strings.Split(name, "/")
	if len(segments) > 2 {
		return field.ErrorList{unknown}
	}
	var errs field.ErrorList
	for _, s := range segments {
		errs = append(errs, dns1123Label(s, p)...)
	}
	if !slices.Contains(names, name) {
		errs = append(errs, unknown)
	}
	return errs
}

func deviceRequest(r *Request) func(any, *field.Path) field.ErrorList {
	const maxAlternatives = 8
	return func(request any, p *field.Path) field.ErrorList {
		errs := dns1123Label(tree.String(request, "name"), p.Child("name"))
		alternatives := tree.List(request, "firstAvailable")
		switch exactly := tree.Map(request, "exactly"); {
		case exactly == nil && len(alternatives) == 0:
			return append(errs, field.Required(p, "exactly one of `exactly` or `firstAvailable` is required"))
		case exactly != nil && len(alternatives) > 0:
			return append(errs, field.Invalid(p, nil, "exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set"))
		case exactly != nil:
			return append(errs, exactDeviceRequest(r, exactly, p.Child("exactly"))...)
		}
		return append(errs, setOf(maxAlternatives, alternatives, keyed("name"), p.Child("firstAvailable"), func(sub any, p *field.Path) field.ErrorList {
			errs := dns1123Label(tree.String(sub, "name"), p.Child("name"))
			return append(errs, exactDeviceRequest(r, sub, p)...)
		})...)
	}
}

func exactDeviceRequest(r *Request, request any, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	if class := tree.String(request, "deviceClassName"); class == "" {
		errs = append(errs, field.Required(p.Child("deviceClassName"), ""))
	} else {
		errs = append(errs, dns1123Subdomain(class, p.Child("deviceClassName"))...)
	}
	errs = append(errs, atMost(maxDeviceList, tree.List(request, "selectors"), p.Child("selectors"), deviceSelector(r))...)
	errs = append(errs, allocationMode(request, p)...)
	errs = append(errs, each(tree.List(request, "tolerations"), p.Child("tolerations"), deviceToleration)...)
	if minors.RequestedCapacities.In(r.Minor) && r.Old == nil { // of an update they have not changed, since no spec does
		for _, name := range sortedKeys(tree.Map(request, "capacity", "requests")) {
			errs = append(errs, attributeName(name, p.Child("capacity", "requests"))...)
		}
	}
	return errs
}

func deviceConstraint(constraint any, p *field.Path) field.ErrorList {
	for _, key := range []string{"matchAttribute", "distinctAttribute"} {
		if tree.Has(constraint, key) {
			return qualifiedAttributeName(tree.String(constraint, key), p.Child(key))
		}
	}
	return field.ErrorList{field.Required(p, `exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set`)}
}
