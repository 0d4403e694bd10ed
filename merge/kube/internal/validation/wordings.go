package validation

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/format"
	"threeway/merge/kube/internal/minors"
	"threeway/merge/kube/schema"
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
	{until(minors.AttachRequiredNamed), "CSIDriver.storage.k8s.io", "spec.attachRequired", field.ErrorTypeInvalid, isImmutable, func(e *field.Error) { e.Field = "spec.attachedRequired" }},
	{until(minors.VersionDigits), "ResourceSlice.resource.k8s.io", "", field.ErrorTypeInvalid, "must be a string compatible with semver.org spec 2.0.0, with at most 18 digits in numbers", detail("must be a string compatible with semver.org spec 2.0.0")},
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
	{minors.MessageSearchPaths, "", "…dnsConfig.searches[*]", field.ErrorTypeInvalid, "", func(e *field.Error) {
		e.Detail = strings.NewReplacer("'_?[", "'[", "_?[", "[", "[-_a", "[-a").Replace(e.Detail)
	}},
	{minors.MessageQualifiedName, "", "", field.ErrorTypeInvalid, "", func(e *field.Error) {
		if rest, is := strings.CutPrefix(e.Detail, "a valid label key "); is {
			e.Detail = "a qualified name " + rest
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
	{minors.MessageNamesField, "ValidatingAdmissionPolicy.admissionregistration.k8s.io", "spec.variables[*].name", field.ErrorTypeInvalid, "must be a valid CEL identifier", detail("name is not a valid CEL identifier")},
	{until(minors.EnvFiles), "", "", field.ErrorTypeInvalid, "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`", detail("must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`")},
	{minors.MessageTypeUnsupported, levelKind, "spec.type", field.ErrorTypeRequired, "", unsupported("Exempt", "Limited")},
	{minors.MessageTypeUnsupported, levelKind, "spec.limited.limitResponse.type", field.ErrorTypeRequired, "", unsupported("Queue", "Reject")},
	{minors.MessageTypeUnsupported, runtimeKind, "handler", field.ErrorTypeRequired, "", func(e *field.Error) {
		e.Type, e.BadValue, e.Detail = field.ErrorTypeInvalid, "", isDNS1123Label("")[0]
	}},
	{minors.MessageTolerations, runtimeKind, "", "", "", func(e *field.Error) {
		if after, is := strings.CutPrefix(e.Field, "scheduling.tolerations["); is && e.Type != field.ErrorTypeDuplicate {
			e.Field = "scheduling.tolerations.tolerations[" + after
		}
	}},
	{minors.MessageNamesField, "", "…lientConfig.service.name", field.ErrorTypeRequired, "", detail("service name is required")},
	{minors.MessageNamesField, "", "…lientConfig.service.namespace", field.ErrorTypeRequired, "", detail("service namespace is required")},
	{minors.MessageNamesField, "IngressClass.networking.k8s.io", "spec.parameters.kind", field.ErrorTypeRequired, "", detail("kind is required")},
	{minors.MessageNamesField, "IngressClass.networking.k8s.io", "spec.parameters.name", field.ErrorTypeRequired, "", detail("name is required")},
	{minors.MessageNamesField, "Ingress.networking.k8s.io", "…resource.kind", field.ErrorTypeRequired, "", detail("kind is required")},
	{minors.MessageNamesField, "Ingress.networking.k8s.io", "…resource.name", field.ErrorTypeRequired, "", detail("name is required")},
	{minors.MessageNamesField, levelKind, "spec.type", field.ErrorTypeInvalid, "must be 'Exempt' if and only if `name` is 'exempt'", detail("type must be 'Exempt' if and only if name is 'exempt'")},
	{minors.MessageNamesField, "", "…spec.os.name", field.ErrorTypeRequired, "", detail("cannot be empty")},
	{minors.MessageNamesField, "", "…spec.resources.claims", field.ErrorTypeForbidden, "claims may not be set for Resources at pod-level", detail("claims cannot be set for Resources at pod-level")},
	{minors.MessageNamesField, "", "", field.ErrorTypeForbidden, "when `hostUsers` is false", detail("when `pod.Spec.HostUsers` is false")},
	{until(minors.ValuesAsJSON), "", "", field.ErrorTypeInvalid, "must be a standard resource type or fully qualified", bare},
	{until(minors.ValuesAsJSON), "", "", field.ErrorTypeInvalid, "must be a standard resource for containers", bare},
	{until(minors.ValuesAsJSON), "", "…resizePolicy", field.ErrorTypeNotSupported, `supported values: "cpu", "memory"`, bare},
	{until(minors.ValuesAsJSON), "", "", field.ErrorTypeInvalid, "must be an integer", asQuantity},
	{until(minors.ValuesAsJSON), "", "…onExitCodes.values", field.ErrorTypeInvalid, "at least one value is required", listOf("int32")},
	{minors.MessageOfPod, "", "", field.ErrorTypeInvalid, "must be 'NotRequired' when pod `restartPolicy` is 'Never'", detail("must be 'NotRequired' when `restartPolicy` is 'Never'")},
	{until(minors.ValuesAsJSON), "", "…resizePolicy[*]", field.ErrorTypeDuplicate, "", bare},
	{until(minors.ValuesAsJSON), "", "", field.ErrorTypeInvalid, "may not be set when maxUnavailable is non-zero", asIntOrString},
	{until(minors.ValuesAsJSON), "", "", field.ErrorTypeInvalid, "may not be 0 when `maxSurge` is 0", asIntOrString},
	{until(minors.ValuesAsJSON), "ResourceQuota", "spec.scopes", field.ErrorTypeInvalid, "", listOf("core.ResourceQuotaScope")},
	{until(minors.ValuesAsJSON), "ResourceQuota", "spec.scopeSelector.matchExpressions", field.ErrorTypeInvalid, "conflicting scopes", listOf("core.ResourceQuotaScope")},
	{until(minors.ValuesAsJSON), autoscalerKind, "", field.ErrorTypeInvalid, "must be positive", asQuantity},
	{until(minors.ValuesAsJSON), "", "", field.ErrorTypeInvalid, "must match dataSourceRef", sourcePath},
	{until(minors.ValuesAsJSON), "", "", field.ErrorTypeInvalid, "may not be specified when dataSourceRef.namespace is specified", sourcePath},
	{until(minors.ValuesAsJSON), "", "eventTime", field.ErrorTypeInvalid, isImmutable, func(e *field.Error) {
		if e.BadValue == nil {
			e.BadValue = goValue{"0001-01-01 00:00:00 +0000 UTC"}
		}
	}},
	{until(minors.ValuesAsJSON), "ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io", "spec.validationActions", field.ErrorTypeInvalid, "", listOf("admissionregistration.ValidationAction")},
	{until(minors.ValuesAsJSON), "PersistentVolume", "spec.capacity", field.ErrorTypeNotSupported, "", func(e *field.Error) {
		list := tree.Map(e.BadValue)
		if list == nil {
			e.BadValue = goValue{"core.ResourceList(nil)"}
			return
		}
		var parts []string
		for _, name := range tree.Keys(list) {
			parts = append(parts, fmt.Sprintf("%q:%#v", name, quantity(list[name])))
		}
		e.BadValue = goValue{"core.ResourceList{" + strings.Join(parts, ", ") + "}"}
	}},
	{until(minors.ValuesAsJSON), "Ingress.networking.k8s.io", "spec", field.ErrorTypeInvalid, "either `defaultBackend` or `rules` must be specified", listOf("networking.IngressRule")},
	{until(minors.ValuesAsJSON), "NetworkPolicy.networking.k8s.io", "spec.policyTypes", field.ErrorTypeInvalid, "", listOf("networking.PolicyType")},
	{until(minors.ValuesAsJSON), "ResourceQuota", "", field.ErrorTypeInvalid, "", bareKey},
	{until(minors.ValuesAsJSON), "LimitRange", "", field.ErrorTypeInvalid, "", bareKey},
	{until(minors.ValuesAsJSON), runtimeKind, "", field.ErrorTypeInvalid, "", bareKey},
	{until(minors.ValuesAsJSON), "", "", field.ErrorTypeInvalid, "", func(e *field.Error) {
		if strings.HasPrefix(e.Detail, "name part must ") && (strings.Contains(e.Field, ".limits[") || strings.Contains(e.Field, ".requests[")) {
			bareKey(e)
		}
	}},
	{until(minors.ValuesAsJSON), "", "", field.ErrorTypeInvalid, "must not be greater than 100%", asIntOrString},
	{until(minors.ValuesAsJSON), "", "", field.ErrorTypeInvalid, "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')", asIntOrString},
	{until(minors.ValuesAsJSON), "", "spec.volumeLifecycleModes", field.ErrorTypeInvalid, isImmutable, listOf("storage.VolumeLifecycleMode")},
	{until(minors.ValuesAsJSON), definitionKind, "spec.versions", field.ErrorTypeInvalid, "", listOf("apiextensions.CustomResourceDefinitionVersion")},
	{until(minors.ValuesAsJSON), "CertificateSigningRequest.certificates.k8s.io", "spec.request", field.ErrorTypeInvalid, "", func(e *field.Error) {
		if e.BadValue == nil {
			e.BadValue = goValue{"[]byte(nil)"}
		}
	}},
	{until(minors.ValuesAsJSON), "ControllerRevision.apps", "data", field.ErrorTypeInvalid, "", func(e *field.Error) {
		if e.BadValue == nil {
			e.BadValue = goValue{"runtime.RawExtension{Raw:[]uint8(nil), Object:runtime.Object(nil)}"}
		} else if raw, err := json.Marshal(e.BadValue); err == nil {
			e.BadValue = goValue{fmt.Sprintf("runtime.RawExtension{Raw:%s, Object:runtime.Object(nil)}", strings.Replace(fmt.Sprintf("%#v", raw), "byte", "uint8", 1))}
		}
	}},
	{until(minors.ValuesAsJSON), "Event.events.k8s.io", "", field.ErrorTypeInvalid, isImmutable, func(e *field.Error) {
		if text, is := e.BadValue.(string); is && strings.HasSuffix(e.Field, "Timestamp") {
			at, err := time.Parse(time.RFC3339, text)
			if err == nil {
				e.BadValue = goValue{at.String()}
			}
		}
	}},
	{until(minors.ValuesAsJSON), "", "…operations", field.ErrorTypeInvalid, "if '*' is present, must not specify other operations", listOf("admissionregistration.OperationType")},
	{minors.HostFieldsInSpec, "", "…securityContext.shareProcessNamespace", field.ErrorTypeInvalid, "", func(e *field.Error) {
		e.Field = strings.TrimSuffix(e.Field, "securityContext.shareProcessNamespace") + "shareProcessNamespace"
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
	sliceKind        = "EndpointSlice.discovery.k8s.io"
	runtimeKind      = "RuntimeClass.node.k8s.io"
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

func unsupported(supported ...string) func(*field.Error) {
	no := field.NotSupported(nil, "", supported)
	return func(e *field.Error) { e.Type, e.BadValue, e.Detail = no.Type, no.BadValue, no.Detail }
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
		strict := kind == sliceKind && r.Object["addressType"] == ipv6
		canonical := strict && !minors.StrictSliceAddresses.In(r.Minor)
		errs = slices.DeleteFunc(errs, func(e *field.Error) bool {
			return (!strict || canonical) && slices.Contains(strictDetails, e.Detail) || canonical && strings.HasPrefix(e.Detail, "must be in canonical form")
		})
	}
	if !minors.NamesWithSlashes.In(r.Minor) {
		errs = slices.DeleteFunc(errs, func(e *field.Error) bool { return e.Detail == severalSlashes })
	}
	if !minors.DriverNameOnce.In(r.Minor) {
		for i := len(errs) - 1; i >= 0; i-- {
			if e := errs[i]; e.Type == field.ErrorTypeRequired && (strings.HasSuffix(e.Field, "csi.driver") || anywhere(e.Field) == "spec.drivers[*].name") {
				errs = slices.Insert(errs, i+1, invalidEach(field.NewPath(e.Field), "", isDNS1123Subdomain(""))...)
			}
		}
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
	return errs
}

var index = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[\d+\]`) })

// anywhere is a path with [*] for every index.
func anywhere(path string) string { return index().ReplaceAllString(path, "[*]") }

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
	case named:
		return string(v)
	case *resource.Quantity:
		return goValue{fmt.Sprintf("%#v", *v)}
	case string, bool, int64, float64, field.OmitValueType, goValue:
		return value
	}
	return goValue{schema.GoSyntax(value)}
}

// bare is of a type that has a String method: the name of a resource.
func bare(e *field.Error) { e.BadValue = goValue{fmt.Sprint(e.BadValue)} }

// sourcePath is of a claim's dataSource: the server shows where it is, without what is above.
func sourcePath(e *field.Error) {
	e.BadValue = goValue{`field.Path{name:"dataSource", index:"", parent:(*field.Path)(0x0)}`}
}

// bareKey is bare for the name of a resource that is a key.
func bareKey(e *field.Error) {
	if strings.HasSuffix(e.Field, fmt.Sprintf("[%v]", e.BadValue)) {
		bare(e)
	}
}

// asIntOrString is of what is a number or a text.
func asIntOrString(e *field.Error) {
	switch v := e.BadValue.(type) {
	case string:
		e.BadValue = goValue{fmt.Sprintf("intstr.IntOrString{Type:1, IntVal:0, StrVal:%q}", v)}
	case int64:
		e.BadValue = goValue{fmt.Sprintf("intstr.IntOrString{Type:0, IntVal:%d, StrVal:\"\"}", v)}
	}
}

// asQuantity is of the quantity as it is written in its shortest form.
func asQuantity(e *field.Error) {
	if q, err := format.Quantity(fmt.Sprint(e.BadValue)); err == nil {
		e.BadValue = goValue{fmt.Sprintf("%#v", q)}
	}
}

// listOf is a list of texts or numbers as one of another type.
func listOf(name string) func(*field.Error) {
	return func(e *field.Error) {
		text := schema.GoSyntax(e.BadValue)
		if i := strings.IndexAny(text, "{("); i >= 0 {
			e.BadValue = goValue{"[]" + name + text[i:]}
		} else {
			e.BadValue = goValue{"[]" + name + "(nil)"}
		}
	}
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
