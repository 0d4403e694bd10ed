package validation

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/format"
	"threeway/merge/kube/internal/minors"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// resourceRequirements checks limits, requests and claims of a container;
// claims are the names of the pod's resource claims.
//
// Source: ValidateContainerResourceRequirements of pkg/apis/core/validation.
func resourceRequirements(req tree.Object, claims []string, p *field.Path, opts podOptions) field.ErrorList {
	errs := limitsAndRequests(req, containerResourceName, p, opts)
	return append(errs, claimNames(tree.List(req, "claims"), claims, p.Child("claims"))...)
}

// limitsAndRequests is the part of resourceRequirements that also holds for
// the pod as a whole; name checks the name of a resource.
func limitsAndRequests(req tree.Object, name nameCheck, p *field.Path, opts podOptions) field.ErrorList {
	limits, requests := tree.Map(req, "limits"), tree.Map(req, "requests")
	errs := resourceList(limits, name, p.Child("limits"), opts)
	for _, r := range sortedKeys(requests) {
		at := p.Child("requests").Key(r)
		errs = append(errs, name(r, at)...)
		errs = append(errs, resourceQuantity(r, requests[r], at, opts.minor)...)
		limit, limited := limits[r]
		q, l := quantity(requests[r]), quantity(limit)
		switch {
		case limited && q.Cmp(l) != 0 && !mayOvercommit(r):
			errs = append(errs, field.Invalid(p.Child("requests"), q.String(), fmt.Sprintf("must be equal to %s limit of %s", r, l.String())))
		case limited && q.Cmp(l) > 0:
			errs = append(errs, field.Invalid(p.Child("requests"), q.String(), fmt.Sprintf("must be less than or equal to %s limit of %s", r, l.String())))
		case !limited && !mayOvercommit(r):
			errs = append(errs, field.Required(p.Child("limits"), "Limit must be set for non overcommitable resources"))
		}
		errs = append(errs, hugePages(r, q, at, opts)...)
	}
	if both := append(sortedKeys(limits), sortedKeys(requests)...); slices.ContainsFunc(both, isHugePages) &&
		!slices.Contains(both, "cpu") && !slices.Contains(both, "memory") {
		errs = append(errs, field.Forbidden(p, "HugePages require cpu or memory"))
	}
	return errs
}

// nameCheck checks the name of a resource, e.g. containerResourceName.
type nameCheck func(name string, p *field.Path) field.ErrorList

// resourceList checks names and quantities of a resource list.
func resourceList(list tree.Object, name nameCheck, p *field.Path, opts podOptions) field.ErrorList {
	var errs field.ErrorList
	for _, r := range sortedKeys(list) {
		at := p.Key(r)
		errs = append(errs, name(r, at)...)
		errs = append(errs, resourceQuantity(r, list[r], at, opts.minor)...)
		errs = append(errs, hugePages(r, quantity(list[r]), at, opts)...)
	}
	return errs
}

func hugePages(name string, q resource.Quantity, p *field.Path, opts podOptions) field.ErrorList {
	if !isHugePages(name) || opts.allowIndivisibleHugePages || isMultipleOfPage(name, q) {
		return nil
	}
	return field.ErrorList{field.Invalid(p, q.String(), fmt.Sprintf("%s is not positive integer multiple of %s", q.String(), name))}
}

// resourceQuantity checks that a quantity (a string of the tree) is not
// negative, and whole for resources that are counted.
//
// Source: ValidateResourceQuantityValue of pkg/apis/core/validation.
func resourceQuantity(name string, v any, p *field.Path, minor int) field.ErrorList {
	errs := quantityNonNegative(v, p)
	if q := quantity(v); isCounted(name) && !isWhole(q, minor) {
		errs = append(errs, field.Invalid(p, q.String(), isNotInteger))
	}
	return errs
}

// isWhole: before 1.38 an amount of which 64 bits do not hold the thousandths is what they hold.
func isWhole(q resource.Quantity, minor int) bool {
	if minors.WholeAmounts.In(minor) {
		if _, whole := q.AsScale(0); whole || q.CmpInt64(resource.MaxMilliValue) > 0 {
			return whole
		}
	}
	return q.MilliValue()%1000 == 0
}

func isMultipleOfPage(name string, q resource.Quantity) bool {
	page, err := format.Quantity(strings.TrimPrefix(name, "hugepages-"))
	return err == nil && page.Sign() > 0 && page.MilliValue()%1000 == 0 && q.Value()%page.Value() == 0
}

// claimNames checks that a container's claims are among those of the pod.
//
// Source: validateResourceClaimNames of pkg/apis/core/validation.
func claimNames(list []any, ofPod []string, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	var used []string
	for i, claim := range list {
		at := p.Index(i)
		name, request := tree.String(claim, "name"), tree.String(claim, "request")
		if name == "" {
			errs = append(errs, field.Required(at, ""))
			continue
		}
		key := name
		switch {
		case slices.Contains(used, name):
			errs = append(errs, field.Duplicate(at, name))
		case request != "":
			errs = append(errs, dns1123Label(request, at.Child("request"))...)
			key += "/" + request
			if slices.Contains(used, key) {
				errs = append(errs, field.Duplicate(at, key))
			}
		default:
			for _, u := range used {
				if strings.HasPrefix(u, name+"/") {
					errs = append(errs, field.Duplicate(at, name))
				}
			}
		}
		used = append(used, key)
		if !slices.Contains(ofPod, name) {
			err := field.NotFound(at, name)
			err.Detail = "must be one of the names in pod.spec.resourceClaims"
			if len(ofPod) == 0 {
				err.Detail += " which is empty"
			} else {
				sorted := slices.Clone(ofPod)
				slices.Sort(sorted)
				err.Detail += ": " + strings.Join(slices.Compact(sorted), ", ")
			}
			errs = append(errs, err)
		}
	}
	return errs
}

// podResourceClaims checks the claims that a pod makes available.
//
// Source: validatePodResourceClaim of pkg/apis/core/validation.
func podResourceClaims(claims []any, meta tree.Object, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	var names []string
	for i, claim := range claims {
		if tree.Has(meta, "annotations", mirrorAnnotation) {
			errs = append(errs, field.Forbidden(field.NewPath(""), "static pods do not support resource claims"))
			continue
		}
		at := p.Index(i)
		if name := tree.String(claim, "name"); name == "" {
			errs = append(errs, field.Required(at.Child("name"), ""))
		} else if slices.Contains(names, name) {
			errs = append(errs, field.Duplicate(at.Child("name"), name))
		} else {
			errs = append(errs, dns1123Label(name, at.Child("name"))...)
			names = append(names, name)
		}
		hasClaim, hasTemplate := tree.Has(claim, "resourceClaimName"), tree.Has(claim, "resourceClaimTemplateName")
		if hasClaim && hasTemplate {
			errs = append(errs, field.Invalid(at, schema.Internal("core/v1.PodResourceClaim", claim), "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified"))
		}
		if !hasClaim && !hasTemplate {
			errs = append(errs, field.Invalid(at, schema.Internal("core/v1.PodResourceClaim", claim), "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"))
		}
		if hasClaim {
			errs = append(errs, dns1123Subdomain(tree.String(claim, "resourceClaimName"), at.Child("resourceClaimName"))...)
		}
		if hasTemplate {
			errs = append(errs, dns1123Subdomain(tree.String(claim, "resourceClaimTemplateName"), at.Child("resourceClaimTemplateName"))...)
		}
	}
	return errs
}
