package validation

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// declared are the checks that stand as tags of beta and final stability in the
// types of stable kinds, in the order of the fields. They take the place of
// handwritten ones of the same field and type: required and forbidden values have no detail,
// immutable ones show null.
//
// Source: zz_generated.validations.go in pkg/apis/*/v* of Kubernetes 1.37.
var declared = []struct {
	kind, path string
	typ        field.ErrorType
	detail     string // of an invalid value; "*" is any
}{
	{autoscalerKind, "spec.minReplicas", field.ErrorTypeInvalid, isNegative},
	{autoscalerKind, "spec.minReplicas", field.ErrorTypeInvalid, "must be greater than or equal to 1"},
	{autoscalerKind, "spec.maxReplicas", field.ErrorTypeRequired, ""},
	{autoscalerKind, "spec.maxReplicas", field.ErrorTypeInvalid, "must be greater than or equal to 1"},
	{"ClusterRole.rbac.authorization.k8s.io", "rules[*].verbs", field.ErrorTypeRequired, ""},
	{"Role.rbac.authorization.k8s.io", "rules[*].verbs", field.ErrorTypeRequired, ""},
	{"ClusterRoleBinding.rbac.authorization.k8s.io", "subjects[*].name", field.ErrorTypeRequired, ""},
	{"ClusterRoleBinding.rbac.authorization.k8s.io", "roleRef.name", field.ErrorTypeRequired, ""},
	{"RoleBinding.rbac.authorization.k8s.io", "subjects[*].name", field.ErrorTypeRequired, ""},
	{"RoleBinding.rbac.authorization.k8s.io", "roleRef.name", field.ErrorTypeRequired, ""},
	{storageClassKind, "provisioner", field.ErrorTypeRequired, ""},
	{storageClassKind, "provisioner", field.ErrorTypeInvalid, isImmutable},
	{storageClassKind, "parameters", field.ErrorTypeInvalid, isImmutable},
	{storageClassKind, "reclaimPolicy", field.ErrorTypeInvalid, isImmutable},
	{storageClassKind, "volumeBindingMode", field.ErrorTypeInvalid, isImmutable},
	{"VolumeAttachment.storage.k8s.io", "spec", field.ErrorTypeInvalid, isImmutable},
	{"VolumeAttachment.storage.k8s.io", "spec.attacher", field.ErrorTypeRequired, ""},
	{"VolumeAttachment.storage.k8s.io", "spec.attacher", field.ErrorTypeInvalid, "*"},
	{"VolumeAttachment.storage.k8s.io", "spec.attacher", field.ErrorTypeTooLong, ""},
	{"ReplicationController", "spec.replicas", field.ErrorTypeRequired, ""},
	{"ReplicationController", "spec.replicas", field.ErrorTypeInvalid, isNegative},
	{"ReplicationController", "spec.minReadySeconds", field.ErrorTypeInvalid, isNegative},
	{"CronJob.batch", "spec.schedule", field.ErrorTypeRequired, ""},
	{"IPAddress.networking.k8s.io", "spec.parentRef", field.ErrorTypeRequired, ""},
	{"IPAddress.networking.k8s.io", "spec.parentRef", field.ErrorTypeInvalid, isImmutable},
	{"IPAddress.networking.k8s.io", "spec.parentRef.resource", field.ErrorTypeRequired, ""},
	{"IPAddress.networking.k8s.io", "spec.parentRef.name", field.ErrorTypeRequired, ""},
	{"NetworkPolicy.networking.k8s.io", "spec.ingress[*].from[*].ipBlock.cidr", field.ErrorTypeRequired, ""},
	{"NetworkPolicy.networking.k8s.io", "spec.egress[*].to[*].ipBlock.cidr", field.ErrorTypeRequired, ""},
	{"IngressClass.networking.k8s.io", "spec.parameters.kind", field.ErrorTypeRequired, ""},
	{"IngressClass.networking.k8s.io", "spec.parameters.name", field.ErrorTypeRequired, ""},
	{"EndpointSlice.discovery.k8s.io", "addressType", field.ErrorTypeRequired, ""},
	{"EndpointSlice.discovery.k8s.io", "addressType", field.ErrorTypeInvalid, isImmutable},
	{"EndpointSlice.discovery.k8s.io", "addressType", field.ErrorTypeNotSupported, ""},
	{"EndpointSlice.discovery.k8s.io", "endpoints[*].addresses", field.ErrorTypeRequired, ""},
	{"EndpointSlice.discovery.k8s.io", "endpoints[*].addresses", field.ErrorTypeTooMany, ""},
	{"ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io", "spec.policyName", field.ErrorTypeRequired, ""},
	{"ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io", "spec.validationActions", field.ErrorTypeRequired, ""},
	{levelKind, "spec.exempt", field.ErrorTypeForbidden, ""},
	{levelKind, "spec.limited", field.ErrorTypeForbidden, ""},
	{levelKind, "spec.limited", field.ErrorTypeRequired, ""},
	{levelKind, "spec.type", field.ErrorTypeRequired, ""},
	{levelKind, "spec.limited.limitResponse.queuing", field.ErrorTypeForbidden, ""},
	{levelKind, "spec.limited.limitResponse.queuing", field.ErrorTypeRequired, ""},
	{levelKind, "spec.limited.limitResponse.type", field.ErrorTypeRequired, ""},
	{"ResourceClaim.resource.k8s.io", "spec", field.ErrorTypeInvalid, isImmutable},
	{runtimeKind, "handler", field.ErrorTypeRequired, ""},
	{runtimeKind, "handler", field.ErrorTypeInvalid, isImmutable},
	{runtimeKind, "handler", field.ErrorTypeInvalid, "*"},
	{"DeviceClass.resource.k8s.io", "spec.config[*].opaque.driver", field.ErrorTypeRequired, ""},
	{"DeviceClass.resource.k8s.io", "spec.config[*].opaque.driver", field.ErrorTypeInvalid, "*"},
	{"DeviceClass.resource.k8s.io", "spec.config[*].opaque.driver", field.ErrorTypeTooLong, ""},
	{"DeviceClass.resource.k8s.io", "spec.extendedResourceName", field.ErrorTypeInvalid, "*"},
	{"ResourceClaim.resource.k8s.io", "spec.devices.config[*].opaque.driver", field.ErrorTypeRequired, ""},
	{"ResourceClaim.resource.k8s.io", "spec.devices.config[*].opaque.driver", field.ErrorTypeInvalid, "*"},
	{"ResourceClaim.resource.k8s.io", "spec.devices.config[*].opaque.driver", field.ErrorTypeTooLong, ""},
	{"ResourceClaimTemplate.resource.k8s.io", "spec.spec.devices.config[*].opaque.driver", field.ErrorTypeRequired, ""},
	{"ResourceClaimTemplate.resource.k8s.io", "spec.spec.devices.config[*].opaque.driver", field.ErrorTypeInvalid, "*"},
	{"ResourceClaimTemplate.resource.k8s.io", "spec.spec.devices.config[*].opaque.driver", field.ErrorTypeTooLong, ""},
}

var index = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[\d+\]`) })

// anywhere is a path with [*] for every index.
func anywhere(path string) string { return index().ReplaceAllString(path, "[*]") }

// inChangedRole reports whether a path is in the role of a binding that has changed,
// and must not: there the tags are not looked at, and the handwritten checks count
// (ShortCircuitMismatch in pkg/registry/rbac/rolebinding/strategy.go).
func inChangedRole(errs field.ErrorList, path string) bool {
	return strings.HasPrefix(path, "roleRef.") && slices.ContainsFunc(errs, func(e *field.Error) bool {
		return e.Field == "roleRef" && e.Detail == isImmutable
	})
}

// declaredLast puts the errors of declared checks after the others.
func declaredLast(kind string, errs field.ErrorList) field.ErrorList {
	place := make(map[*field.Error]int, len(errs))
	for _, e := range errs {
		path := anywhere(e.Field)
		if inChangedRole(errs, path) {
			continue
		}
		for i, d := range declared {
			if place[e] > 0 || d.kind != kind || d.path != path || d.typ != e.Type || d.typ == field.ErrorTypeInvalid && d.detail != "*" && d.detail != e.Detail {
				continue
			}
			place[e] = i + 1
			if e.Type == field.ErrorTypeRequired || e.Type == field.ErrorTypeForbidden {
				e.Detail = ""
			}
			if e.Detail == isImmutable {
				e.BadValue = nil
			}
		}
	}
	slices.SortStableFunc(errs, func(a, b *field.Error) int { return place[a] - place[b] })
	return errs
}
