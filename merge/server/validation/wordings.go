package validation

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/schema"
	"threeway/merge/server/minors"
	"threeway/merge/tree"
)

// wording is an error that reads differently in some minors from how this
// package makes it, or is not made there.
type wording struct {
	in     minors.Change
	kind   string          // "Kind.group"; "" is every kind
	path   string          // of the field, with [*] for any index, or its end after "…"; "" is every field
	typ    field.ErrorType // "" is every type
	detail string          // "" is every detail
	says   func(e *field.Error)
}

// wordings are applied in order, each to what the one before has left.
var wordings = []wording{
	{minors.ClassFieldsForbid, storageClassKind, "parameters", field.ErrorTypeInvalid, isImmutable, as(field.ErrorTypeForbidden, "updates to parameters are forbidden.")},
	{minors.ClassFieldsForbid, storageClassKind, "provisioner", field.ErrorTypeInvalid, isImmutable, as(field.ErrorTypeForbidden, "updates to provisioner are forbidden.")},
	{minors.ClassFieldsForbid, storageClassKind, "reclaimPolicy", field.ErrorTypeInvalid, isImmutable, as(field.ErrorTypeForbidden, "updates to reclaimPolicy are forbidden.")},
	{until(minors.AutoscalerMaxRequired), autoscalerKind, "spec.maxReplicas", field.ErrorTypeRequired, "", invalid(int64(0), "must be greater than 0")},
	{until(minors.AutoscalerMaxRequired), autoscalerKind, "spec.maxReplicas", field.ErrorTypeInvalid, "must be greater than or equal to 1", detail("must be greater than 0")},
	{until(minors.OwnerIndex), "", "…metadata.ownerReferences[*]", "", "", unindexed},
	{until(minors.OwnerIndex), "", "…metadata.ownerReferences[*].apiVersion", "", "", func(e *field.Error) {
		unindexed(e)
		e.Type, e.Detail = field.ErrorTypeInvalid, "version must not be empty"
	}},
	{until(minors.OwnerIndex), "", "…metadata.ownerReferences[*].kind", "", "", emptyOwner},
	{until(minors.OwnerIndex), "", "…metadata.ownerReferences[*].name", "", "", emptyOwner},
	{until(minors.OwnerIndex), "", "…metadata.ownerReferences[*].uid", "", "", emptyOwner},
	{minors.MessageEmptyKind, "", "…metadata.ownerReferences.kind", "", "", detail("kind must not be empty")},
	{minors.MessageEmptyKind, "", "…metadata.ownerReferences.name", "", "", detail("name must not be empty")},
	{minors.MessageEmptyKind, "", "…metadata.ownerReferences.uid", "", "", detail("uid must not be empty")},
	{minors.MessageOfOne, "", "", field.ErrorTypeTooLong, "", plural},
	{minors.MessageOfOne, "", "", field.ErrorTypeTooMany, "", plural},
	{minors.MessageAtMost, "", "", field.ErrorTypeTooLong, "", func(e *field.Error) {
		e.Detail = strings.Replace(e.Detail, "may not be more than", "must have at most", 1)
	}},
	{minors.MessageCharacters, "", "", field.ErrorTypeInvalid, "", func(e *field.Error) {
		if strings.Contains(e.Detail, "must be no more than ") {
			e.Detail = strings.Replace(e.Detail, " bytes", " characters", 1)
		}
	}},
	{minors.MessageNoZeroSleep, "", "", field.ErrorTypeInvalid, "", func(e *field.Error) {
		e.Detail, _, _ = strings.Cut(e.Detail, ". Enable AllowPodLifecycleSleepActionZeroValue ")
	}},
	{minors.MessageStoredVersions, definitionKind, "status.storedVersions[*]", field.ErrorTypeInvalid, "", detail("must appear in spec.versions")},
	{minors.MessageMatchTypo, "ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io", "", "", "", func(e *field.Error) {
		e.Field = strings.Replace(e.Field, "spec.matchResources", "spec.matchResouces", 1)
	}},
	{minors.MessageNamesField, definitionKind, "spec.versions[*].schema.openAPIV3Schema", field.ErrorTypeRequired, "", detail("schemas are required")},
	{minors.MessageNamesField, definitionKind, "", field.ErrorTypeInvalid, "may only be set when `version.schema.openAPIV3Schema` is not included", detail("selectableFields may only be set when version.schema.openAPIV3Schema is not included")},
	{minors.MessageNamesField, definitionKind, "", field.ErrorTypeInvalid, "may only be set when validations.schema is included", detail("selectableFields may only be set when validations.schema is included")},
	{minors.MessageNamesField, definitionKind, "…x-kubernetes-validations[*].message", field.ErrorTypeInvalid, "", prefixed("message")},
	{minors.MessageNamesField, definitionKind, "…x-kubernetes-validations[*].fieldPath", field.ErrorTypeInvalid, "", prefixed("fieldPath")},
	{minors.MessageNamesField, "ValidatingAdmissionPolicy.admissionregistration.k8s.io", "spec.validations[*].message", field.ErrorTypeInvalid, "", prefixed("message")},
	{minors.MessageNamesField, "", "…lientConfig.service.name", field.ErrorTypeRequired, "", detail("service name is required")},
	{minors.MessageNamesField, "", "…lientConfig.service.namespace", field.ErrorTypeRequired, "", detail("service namespace is required")},
	{minors.MessageNamesField, "IngressClass.networking.k8s.io", "spec.parameters.kind", field.ErrorTypeRequired, "", detail("kind is required")},
	{minors.MessageNamesField, "IngressClass.networking.k8s.io", "spec.parameters.name", field.ErrorTypeRequired, "", detail("name is required")},
	{minors.MessageNamesField, levelKind, "spec.type", field.ErrorTypeInvalid, "must be 'Exempt' if and only if `name` is 'exempt'", detail("type must be 'Exempt' if and only if name is 'exempt'")},
	{minors.MessageNamesField, "", "…spec.os.name", field.ErrorTypeRequired, "", detail("cannot be empty")},
	{minors.MessageNamesField, "", "…spec.resources.claims", field.ErrorTypeForbidden, "claims may not be set for Resources at pod-level", detail("claims cannot be set for Resources at pod-level")},
	{minors.MessageNamesField, "", "", field.ErrorTypeForbidden, "when `hostUsers` is false", detail("when `pod.Spec.HostUsers` is false")},
	{minors.HostFieldsInSpec, "", "…securityContext.shareProcessNamespace", field.ErrorTypeInvalid, "", func(e *field.Error) {
		e.Field = strings.TrimSuffix(e.Field, "securityContext.shareProcessNamespace") + "shareProcessNamespace"
	}},
	{minors.RangeNamesDefault, "ResourceSlice.resource.k8s.io", "…requestPolicy.validRange.min", field.ErrorTypeInvalid, "", func(e *field.Error) {
		if strings.HasPrefix(e.Detail, "default is less than min: ") {
			e.Field = strings.TrimSuffix(e.Field, "min") + "default"
		}
	}},
	{minors.RoleRefImmutable, "RoleBinding.rbac.authorization.k8s.io", "roleRef", field.ErrorTypeInvalid, "", detail(isImmutable)},
	{minors.RoleRefImmutable, "ClusterRoleBinding.rbac.authorization.k8s.io", "roleRef", field.ErrorTypeInvalid, "", detail(isImmutable)},
}

func (w *wording) at(path string) bool {
	end, anyDepth := strings.CutPrefix(w.path, "…")
	return w.path == "" || w.path == path || anyDepth && strings.HasSuffix(path, end)
}

const (
	definitionKind   = "CustomResourceDefinition.apiextensions.k8s.io"
	storageClassKind = "StorageClass.storage.k8s.io"
	levelKind        = "PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io"
	autoscalerKind   = "HorizontalPodAutoscaler.autoscaling"
)

// until are the minors before a change.
func until(c minors.Change) minors.Change { return minors.Change{Until: c.Since - 1} }

func detail(text string) func(*field.Error) { return func(e *field.Error) { e.Detail = text } }

// prefixed puts the field's name before the detail.
func prefixed(name string) func(*field.Error) {
	return func(e *field.Error) { e.Detail = name + " " + e.Detail }
}

// plural is of one thing too.
func plural(e *field.Error) {
	if strings.HasSuffix(e.Detail, " 1 byte") || strings.HasSuffix(e.Detail, " 1 item") {
		e.Detail += "s"
	}
}

func as(typ field.ErrorType, text string) func(*field.Error) {
	return func(e *field.Error) { e.Type, e.Detail = typ, text }
}

func invalid(value any, text string) func(*field.Error) {
	return func(e *field.Error) { e.Type, e.BadValue, e.Detail = field.ErrorTypeInvalid, value, text }
}

// unindexed names the list of owners, not the owner.
func unindexed(e *field.Error) {
	const list = "ownerReferences"
	before, after, _ := strings.Cut(e.Field, list+"[")
	_, after, _ = strings.Cut(after, "]")
	e.Field = before + list + after
}

func emptyOwner(e *field.Error) {
	unindexed(e)
	e.Type, e.BadValue = field.ErrorTypeInvalid, ""
}

// strictDetails are those of the checks for addresses without ambiguities.
var strictDetails = []string{
	"must not have leading 0s", "must not be an IPv4-mapped IPv6 address",
	"must not have leading 0s in IP or prefix length", "must not have an IPv4-mapped IPv6 address", "must not have bits set beyond the prefix length",
}

// strictKinds have had those checks as long as they are served.
var strictKinds = []string{"IPAddress.networking.k8s.io", "ServiceCIDR.networking.k8s.io"}

// Worded gives errors about no object the words of 1.minor.
func Worded(errs field.ErrorList, minor int) field.ErrorList {
	return worded(&Request{Minor: minor}, errs)
}

// worded gives errors the words of the server's minor, and leaves out those
// that it does not make.
func worded(r *Request, errs field.ErrorList) field.ErrorList {
	if len(errs) == 0 {
		return nil
	}
	kind := r.Kind.GroupKind()
	if !minors.StrictAddresses.In(r.Minor) && !slices.Contains(strictKinds, kind) {
		errs = slices.DeleteFunc(errs, func(e *field.Error) bool { return slices.Contains(strictDetails, e.Detail) })
	}
	for _, e := range errs {
		for i := range wordings {
			w := &wordings[i]
			if w.in.In(r.Minor) && (w.kind == "" || w.kind == kind) && w.at(anywhere(e.Field)) &&
				(w.typ == "" || w.typ == e.Type) && (w.detail == "" || w.detail == e.Detail) {
				w.says(e)
			}
		}
	}
	for _, e := range errs {
		e.BadValue = schema.OfMinor(e.BadValue, r.Minor)
		if !minors.ValuesAsJSON.In(r.Minor) {
			e.BadValue = inGoSyntax(e.BadValue)
		}
	}
	if minors.DeclarativeValidation.In(r.Minor) {
		return declaredLast(kind, errs)
	}
	return errs
}

// encoded is the text of bytes in base64.
type encoded string

// encodedIn is the value with that type, if it is there.
func encodedIn(value any) any {
	if s, ok := value.(string); ok {
		return encoded(s)
	}
	return value
}

// goValue prints as text: field.Error takes the String of what is no JSON.
type goValue struct{ text string }

func (v goValue) String() string               { return v.text }
func (v goValue) MarshalJSON() ([]byte, error) { return nil, errors.New("a value in the syntax of Go") }

// inGoSyntax makes the text of a value that is no scalar.
func inGoSyntax(value any) any {
	switch v := value.(type) {
	case nil:
		return "null"
	case encoded:
		return goValue{fmt.Sprintf("%#v", bytesOf(string(v)))}
	case string, bool, int64, float64, named, field.OmitValueType:
		return value
	}
	return goValue{schema.GoSyntax(value)}
}

// staticName rejects new objects with names that manifests of the server itself
// have (ValidateStaticSuffix of pkg/apis/admissionregistration/validation).
func staticName(r *Request) field.ErrorList {
	const suffix = ".static.k8s.io"
	name := tree.String(r.Object, "metadata", "name")
	if !minors.StaticNamesRejected.In(r.Minor) || r.Kind.Group != "admissionregistration.k8s.io" || !strings.HasSuffix(name, suffix) {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath("metadata", "name"), name, fmt.Sprintf(
		"names ending with %q are reserved for static manifest-based configurations and cannot be managed via the API", suffix))}
}

// declared are the checks that stand as tags of beta and final stability in the
// types of stable kinds, in the order of the fields. They take the place of
// handwritten ones of the same field and type: required values have no detail,
// immutable ones show null.
//
// Source: zz_generated.validations.go in pkg/apis/*/v* of Kubernetes 1.37.
var declared = []struct {
	kind, path string
	typ        field.ErrorType
	detail     string // of an invalid value; "*" is any
	says       func(*field.Error)
}{
	{autoscalerKind, "spec.minReplicas", field.ErrorTypeInvalid, isNegative, nil},
	{autoscalerKind, "spec.minReplicas", field.ErrorTypeInvalid, "must be greater than or equal to 1", nil},
	{autoscalerKind, "spec.maxReplicas", field.ErrorTypeRequired, "", nil},
	{autoscalerKind, "spec.maxReplicas", field.ErrorTypeInvalid, "must be greater than or equal to 1", nil},
	{"ClusterRole.rbac.authorization.k8s.io", "rules[*].verbs", field.ErrorTypeRequired, "", nil},
	{"Role.rbac.authorization.k8s.io", "rules[*].verbs", field.ErrorTypeRequired, "", nil},
	{"ClusterRoleBinding.rbac.authorization.k8s.io", "subjects[*].name", field.ErrorTypeRequired, "", nil},
	{"ClusterRoleBinding.rbac.authorization.k8s.io", "roleRef.name", field.ErrorTypeRequired, "", nil},
	{"RoleBinding.rbac.authorization.k8s.io", "subjects[*].name", field.ErrorTypeRequired, "", nil},
	{"RoleBinding.rbac.authorization.k8s.io", "roleRef.name", field.ErrorTypeRequired, "", nil},
	{storageClassKind, "provisioner", field.ErrorTypeRequired, "", nil},
	{storageClassKind, "provisioner", field.ErrorTypeInvalid, isImmutable, nil},
	{storageClassKind, "parameters", field.ErrorTypeInvalid, isImmutable, nil},
	{storageClassKind, "reclaimPolicy", field.ErrorTypeInvalid, isImmutable, nil},
	{storageClassKind, "volumeBindingMode", field.ErrorTypeInvalid, isImmutable, nil},
	{"VolumeAttachment.storage.k8s.io", "spec", field.ErrorTypeInvalid, isImmutable, nil},
	{"VolumeAttachment.storage.k8s.io", "spec.attacher", field.ErrorTypeRequired, "", nil},
	{"VolumeAttachment.storage.k8s.io", "spec.attacher", field.ErrorTypeInvalid, "*", inAnyCase},
	{"VolumeAttachment.storage.k8s.io", "spec.attacher", field.ErrorTypeTooLong, "", inCharacters},
	{"ReplicationController", "spec.replicas", field.ErrorTypeRequired, "", nil},
	{"ReplicationController", "spec.replicas", field.ErrorTypeInvalid, isNegative, nil},
	{"ReplicationController", "spec.minReadySeconds", field.ErrorTypeInvalid, isNegative, nil},
	{"CronJob.batch", "spec.schedule", field.ErrorTypeRequired, "", nil},
	{"IPAddress.networking.k8s.io", "spec.parentRef", field.ErrorTypeRequired, "", nil},
	{"IPAddress.networking.k8s.io", "spec.parentRef", field.ErrorTypeInvalid, isImmutable, nil},
	{"IPAddress.networking.k8s.io", "spec.parentRef.resource", field.ErrorTypeRequired, "", nil},
	{"IPAddress.networking.k8s.io", "spec.parentRef.name", field.ErrorTypeRequired, "", nil},
	{"NetworkPolicy.networking.k8s.io", "spec.ingress[*].from[*].ipBlock.cidr", field.ErrorTypeRequired, "", nil},
	{"NetworkPolicy.networking.k8s.io", "spec.egress[*].to[*].ipBlock.cidr", field.ErrorTypeRequired, "", nil},
	{"IngressClass.networking.k8s.io", "spec.parameters.kind", field.ErrorTypeRequired, "", nil},
	{"IngressClass.networking.k8s.io", "spec.parameters.name", field.ErrorTypeRequired, "", nil},
	{"EndpointSlice.discovery.k8s.io", "addressType", field.ErrorTypeRequired, "", nil},
	{"EndpointSlice.discovery.k8s.io", "addressType", field.ErrorTypeInvalid, isImmutable, nil},
	{"EndpointSlice.discovery.k8s.io", "addressType", field.ErrorTypeNotSupported, "", nil},
	{"EndpointSlice.discovery.k8s.io", "endpoints[*].addresses", field.ErrorTypeRequired, "", nil},
	{"EndpointSlice.discovery.k8s.io", "endpoints[*].addresses", field.ErrorTypeTooMany, "", nil},
	{"ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io", "spec.policyName", field.ErrorTypeRequired, "", nil},
	{"ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io", "spec.validationActions", field.ErrorTypeRequired, "", nil},
	{levelKind, "spec.exempt", field.ErrorTypeForbidden, "", nil},
	{levelKind, "spec.limited", field.ErrorTypeForbidden, "", nil},
	{levelKind, "spec.limited", field.ErrorTypeRequired, "", nil},
	{levelKind, "spec.type", field.ErrorTypeRequired, "", nil},
	{levelKind, "spec.limited.limitResponse.queuing", field.ErrorTypeForbidden, "", nil},
	{levelKind, "spec.limited.limitResponse.queuing", field.ErrorTypeRequired, "", nil},
	{levelKind, "spec.limited.limitResponse.type", field.ErrorTypeRequired, "", nil},
	{"ResourceClaim.resource.k8s.io", "spec", field.ErrorTypeInvalid, isImmutable, nil},
	{"RuntimeClass.node.k8s.io", "handler", field.ErrorTypeRequired, "", nil},
	{"RuntimeClass.node.k8s.io", "handler", field.ErrorTypeInvalid, isImmutable, nil},
	{"RuntimeClass.node.k8s.io", "handler", field.ErrorTypeInvalid, "*", inBytes},
	{"DeviceClass.resource.k8s.io", "spec.config[*].opaque.driver", field.ErrorTypeRequired, "", nil},
	{"DeviceClass.resource.k8s.io", "spec.config[*].opaque.driver", field.ErrorTypeInvalid, "*", inAnyCase},
	{"DeviceClass.resource.k8s.io", "spec.config[*].opaque.driver", field.ErrorTypeTooLong, "", inCharacters},
	{"DeviceClass.resource.k8s.io", "spec.extendedResourceName", field.ErrorTypeInvalid, "*", nil},
	{"ResourceClaim.resource.k8s.io", "spec.devices.config[*].opaque.driver", field.ErrorTypeRequired, "", nil},
	{"ResourceClaim.resource.k8s.io", "spec.devices.config[*].opaque.driver", field.ErrorTypeInvalid, "*", inAnyCase},
	{"ResourceClaim.resource.k8s.io", "spec.devices.config[*].opaque.driver", field.ErrorTypeTooLong, "", inCharacters},
	{"ResourceClaimTemplate.resource.k8s.io", "spec.spec.devices.config[*].opaque.driver", field.ErrorTypeRequired, "", nil},
	{"ResourceClaimTemplate.resource.k8s.io", "spec.spec.devices.config[*].opaque.driver", field.ErrorTypeInvalid, "*", inAnyCase},
	{"ResourceClaimTemplate.resource.k8s.io", "spec.spec.devices.config[*].opaque.driver", field.ErrorTypeTooLong, "", inCharacters},
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

// inAnyCase is of a subdomain that may have capital letters.
func inAnyCase(e *field.Error) {
	inBytes(e)
	if strings.HasPrefix(e.Detail, "a lowercase RFC 1123 subdomain") {
		e.Detail = content.IsDNS1123SubdomainCaseless(".")[0]
	}
}

func inBytes(e *field.Error) {
	if strings.HasPrefix(e.Detail, "must be no more than ") {
		e.Detail = strings.TrimSuffix(e.Detail, "characters") + "bytes"
	}
}

func inCharacters(e *field.Error) { e.Detail = strings.TrimSuffix(e.Detail, "bytes") + "characters" }

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
			if d.says != nil {
				d.says(e)
			}
			if e.Detail == isImmutable {
				e.BadValue = nil
			}
		}
	}
	slices.SortStableFunc(errs, func(a, b *field.Error) int { return place[a] - place[b] })
	return errs
}
