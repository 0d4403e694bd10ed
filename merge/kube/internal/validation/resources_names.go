package validation

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// resourceName checks the name of a compute resource.
//
// Source: validateResourceName of pkg/apis/core/validation.
func resourceName(name string, p *field.Path) field.ErrorList {
	errs := invalidEach(p, named(name), isLabelKey(name))
	if len(errs) == 0 && !strings.Contains(name, "/") && !isStandardResource(name) {
		errs = append(errs, field.Invalid(p, named(name), "must be a standard resource type or fully qualified"))
	}
	return errs
}

// containerResourceName is resourceName for resources of containers.
//
// Source: validateContainerResourceName of pkg/apis/core/validation.
func containerResourceName(name string, p *field.Path) field.ErrorList {
	errs := resourceName(name, p)
	if !strings.Contains(name, "/") {
		if !slices.Contains([]string{"cpu", "memory", "ephemeral-storage"}, name) && !isHugePages(name) {
			errs = append(errs, field.Invalid(p, named(name), "must be a standard resource for containers"))
		}
	} else if !isNative(name) && !isExtended(name) {
		errs = append(errs, field.Invalid(p, named(name), "doesn't follow extended resource name standard"))
	}
	return errs
}

// podResourceName is resourceName for resources of the pod as a whole.
//
// Source: validatePodResourceName of pkg/apis/core/validation.
func podResourceName(name string, p *field.Path) field.ErrorList {
	if errs := resourceName(name, p); len(errs) > 0 {
		return errs
	}
	if isHugePages(name) {
		return nil
	}
	return oneOf(name, p, "cpu", "hugepages-", "memory")
}

// isHugePages reports whether a resource is huge pages of some size.
func isHugePages(name string) bool { return strings.HasPrefix(name, "hugepages-") }

// isNative reports whether a resource is Kubernetes' own.
//
// Source: IsNativeResource of pkg/apis/core/helper.
func isNative(name string) bool {
	return !strings.Contains(name, "/") || strings.Contains(name, "kubernetes.io/")
}

// isExtended reports whether a resource is one that a device plugin or an
// operator may have added.
//
// Source: IsExtendedResourceName of pkg/apis/core/helper.
func isExtended(name string) bool {
	return !isNative(name) && !strings.HasPrefix(name, "requests.") && len(isLabelKey("requests."+name)) == 0
}

// mayOvercommit reports whether the request may be below the limit.
func mayOvercommit(name string) bool { return isNative(name) && !isHugePages(name) }

// isCounted reports whether quantities of a resource are whole numbers.
//
// Source: IsIntegerResourceName of pkg/apis/core/helper.
func isCounted(name string) bool {
	switch name {
	case "pods", "resourcequotas", "services", "replicationcontrollers", "secrets", "configmaps",
		"persistentvolumeclaims", "services.nodeports", "services.loadbalancers":
		return true
	}
	return isExtended(name)
}

// isStandardResource reports whether the system knows a resource by its
// unqualified name.
//
// Source: IsStandardResourceName of pkg/apis/core/helper.
func isStandardResource(name string) bool {
	switch name {
	case "cpu", "memory", "ephemeral-storage", "storage",
		"requests.cpu", "requests.memory", "requests.ephemeral-storage", "requests.storage",
		"limits.cpu", "limits.memory", "limits.ephemeral-storage",
		"pods", "resourcequotas", "services", "replicationcontrollers", "secrets", "configmaps",
		"persistentvolumeclaims", "services.nodeports", "services.loadbalancers":
		return true
	}
	return isHugePages(name) || strings.HasPrefix(name, "requests.hugepages-")
}
