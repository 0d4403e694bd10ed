package validation

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// wording is an error that names another field in some minors than this package makes it
// name, or that 1.36 words differently than 1.37. What older minors only word differently is
// worded as in 1.36.
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
	{until(minors.AttachRequiredNamed), "CSIDriver.storage.k8s.io", "spec.attachRequired", field.ErrorTypeInvalid, isImmutable, func(e *field.Error) { e.Field = "spec.attachedRequired" }},
	{until(minors.DriversNamed), "CSINode.storage.k8s.io", "spec.drivers", field.ErrorTypeInvalid, isImmutable, func(e *field.Error) { e.Field = "CSINodeDriver" }},
	{until(minors.VersionDigits), "ResourceSlice.resource.k8s.io", "", field.ErrorTypeInvalid, "must be a string compatible with semver.org spec 2.0.0, with at most 18 digits in numbers", detail("must be a string compatible with semver.org spec 2.0.0")},
	{until(minors.OwnerIndex), "", "…metadata.ownerReferences[*]", "", "", unindexed},
	{until(minors.OwnerIndex), "", "…metadata.ownerReferences[*].apiVersion", "", "", func(e *field.Error) {
		unindexed(e)
		e.Type, e.Detail = field.ErrorTypeInvalid, "version must not be empty"
	}},
	{until(minors.OwnerIndex), "", "…metadata.ownerReferences[*].kind", "", "", emptyOwner},
	{until(minors.OwnerIndex), "", "…metadata.ownerReferences[*].name", "", "", emptyOwner},
	{until(minors.OwnerIndex), "", "…metadata.ownerReferences[*].uid", "", "", emptyOwner},
	{minors.MessageMatchTypo, "ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io", "", "", "", func(e *field.Error) {
		e.Field = strings.Replace(e.Field, "spec.matchResources", "spec.matchResouces", 1)
	}},
	{minors.MessageTolerations, runtimeKind, "", "", "", func(e *field.Error) {
		if after, is := strings.CutPrefix(e.Field, "scheduling.tolerations["); is && e.Type != field.ErrorTypeDuplicate {
			e.Field = "scheduling.tolerations.tolerations[" + after
		}
	}},
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
	}
	return errs
}

var index = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[\d+\]`) })

// anywhere is a path with [*] for every index.
func anywhere(path string) string { return index().ReplaceAllString(path, "[*]") }

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
