package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// Source of the functions below: pkg/apis/networking/validation.
func ingressClass(r *Request) field.ErrorList {
	const maxController = 250
	errs := clusterMeta(r, nameIsDNSSubdomain)
	spec, p := tree.Map(r.Object, "spec"), field.NewPath("spec")
	controller := tree.String(spec, "controller")
	if len(controller) > maxController {
		errs = append(errs, field.TooLong(p.Child("controller"), "", maxController))
	}
	errs = append(errs, domainPrefixedPath(controller, p.Child("controller"))...)
	if tree.Has(spec, "parameters") {
		errs = append(errs, ingressClassParameters(tree.Map(spec, "parameters"), p.Child("parameters"))...)
	}
	return errs
}

func ingressClassParameters(ref tree.Object, p *field.Path) field.ErrorList {
	errs := typedReference(ref, p)
	namespace, at := tree.String(ref, "namespace"), p.Child("namespace")
	switch scope := tree.String(ref, "scope"); {
	case scope == "Namespace" && !tree.Has(ref, "namespace"):
		errs = append(errs, field.Required(at, "`parameters.scope` is set to 'Namespace'"))
	case scope == "Namespace":
		errs = append(errs, dns1123Label(namespace, at)...)
	case scope == "Cluster" && tree.Has(ref, "namespace"):
		errs = append(errs, field.Forbidden(at, "`parameters.scope` is set to 'Cluster'"))
	default:
		errs = append(errs, plain(oneOf(scope, p.Child("scope"), "Cluster", "Namespace"))...)
	}
	return errs
}
