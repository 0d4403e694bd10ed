package warnings

import (
	"fmt"

	"threeway/merge/kube/schema"
)

// lifecycle says when the server began to warn of a version of a kind, when
// it is to go, and what to use instead.
type lifecycle struct {
	deprecated, removed int // minors; removed is 0 if no end is set
	use                 string
}

// lifecycles are those of the versions that 1.30 or later serves and that
// objects can be written in.
//
// Source: APILifecycleDeprecated, APILifecycleRemoved and
// APILifecycleReplacement of k8s.io/api v0.36.3.
var lifecycles = map[schema.Kind]lifecycle{
	{Version: "v1", Kind: "ComponentStatus"}: {19, 0, ""},
	{Version: "v1", Kind: "Endpoints"}:       {33, 0, "discovery.k8s.io/v1 EndpointSlice"},

	{Group: "admissionregistration.k8s.io", Version: "v1alpha1", Kind: "MutatingAdmissionPolicy"}:          {35, 38, ""},
	{Group: "admissionregistration.k8s.io", Version: "v1alpha1", Kind: "MutatingAdmissionPolicyBinding"}:   {35, 38, ""},
	{Group: "admissionregistration.k8s.io", Version: "v1alpha1", Kind: "ValidatingAdmissionPolicy"}:        {29, 32, ""},
	{Group: "admissionregistration.k8s.io", Version: "v1alpha1", Kind: "ValidatingAdmissionPolicyBinding"}: {29, 32, ""},
	{Group: "admissionregistration.k8s.io", Version: "v1beta1", Kind: "MutatingAdmissionPolicy"}:           {37, 40, "admissionregistration.k8s.io/v1 MutatingAdmissionPolicy"},
	{Group: "admissionregistration.k8s.io", Version: "v1beta1", Kind: "MutatingAdmissionPolicyBinding"}:    {37, 40, "admissionregistration.k8s.io/v1 MutatingAdmissionPolicyBinding"},
	{Group: "admissionregistration.k8s.io", Version: "v1beta1", Kind: "ValidatingAdmissionPolicy"}:         {31, 34, ""},
	{Group: "admissionregistration.k8s.io", Version: "v1beta1", Kind: "ValidatingAdmissionPolicyBinding"}:  {31, 34, ""},

	{Group: "certificates.k8s.io", Version: "v1alpha1", Kind: "ClusterTrustBundle"}:   {34, 37, ""},
	{Group: "certificates.k8s.io", Version: "v1beta1", Kind: "ClusterTrustBundle"}:    {37, 40, ""},
	{Group: "certificates.k8s.io", Version: "v1beta1", Kind: "PodCertificateRequest"}: {38, 41, ""},
	{Group: "coordination.k8s.io", Version: "v1alpha2", Kind: "LeaseCandidate"}:       {35, 38, ""},
	{Group: "coordination.k8s.io", Version: "v1beta1", Kind: "LeaseCandidate"}:        {36, 39, ""},

	{Group: "flowcontrol.apiserver.k8s.io", Version: "v1beta3", Kind: "FlowSchema"}:                 {29, 32, "flowcontrol.apiserver.k8s.io/v1 FlowSchema"},
	{Group: "flowcontrol.apiserver.k8s.io", Version: "v1beta3", Kind: "PriorityLevelConfiguration"}: {29, 32, "flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfiguration"},

	{Group: "networking.k8s.io", Version: "v1beta1", Kind: "IPAddress"}:   {34, 37, ""},
	{Group: "networking.k8s.io", Version: "v1beta1", Kind: "ServiceCIDR"}: {34, 37, ""},

	{Group: "resource.k8s.io", Version: "v1alpha3", Kind: "DeviceTaintRule"}:           {36, 39, ""},
	{Group: "resource.k8s.io", Version: "v1alpha3", Kind: "ResourcePoolStatusRequest"}: {39, 42, ""},
	{Group: "resource.k8s.io", Version: "v1beta1", Kind: "DeviceClass"}:                {35, 38, ""},
	{Group: "resource.k8s.io", Version: "v1beta1", Kind: "ResourceClaim"}:              {35, 38, ""},
	{Group: "resource.k8s.io", Version: "v1beta1", Kind: "ResourceClaimTemplate"}:      {35, 38, ""},
	{Group: "resource.k8s.io", Version: "v1beta1", Kind: "ResourceSlice"}:              {35, 38, ""},
	{Group: "resource.k8s.io", Version: "v1beta2", Kind: "DeviceClass"}:                {36, 39, ""},
	{Group: "resource.k8s.io", Version: "v1beta2", Kind: "DeviceTaintRule"}:            {39, 42, ""},
	{Group: "resource.k8s.io", Version: "v1beta2", Kind: "ResourceClaim"}:              {36, 39, ""},
	{Group: "resource.k8s.io", Version: "v1beta2", Kind: "ResourceClaimTemplate"}:      {36, 39, ""},
	{Group: "resource.k8s.io", Version: "v1beta2", Kind: "ResourceSlice"}:              {36, 39, ""},

	{Group: "storage.k8s.io", Version: "v1alpha1", Kind: "VolumeAttributesClass"}:           {32, 35, "storage.k8s.io/v1 VolumeAttributesClass"},
	{Group: "storage.k8s.io", Version: "v1beta1", Kind: "VolumeAttributesClass"}:            {34, 37, "storage.k8s.io/v1 VolumeAttributesClass"},
	{Group: "storagemigration.k8s.io", Version: "v1beta1", Kind: "StorageVersionMigration"}: {38, 41, ""},
}

// Deprecated returns the warning of a server of 1.minor for every request, reads too, in a
// deprecated version of a kind; "" for other versions.
//
// Source: IsDeprecated and WarningMessage of
// k8s.io/apiserver/pkg/endpoints/deprecation.
func Deprecated(k schema.Kind, minor int) string {
	life, ok := lifecycles[k]
	if !ok || life.deprecated > minor {
		return ""
	}
	text := fmt.Sprintf("%s %s is deprecated in v1.%d+", k.APIVersion(), k.Kind, life.deprecated)
	if life.removed != 0 {
		text += fmt.Sprintf(", unavailable in v1.%d+", life.removed)
	}
	if life.use != "" {
		text += "; use " + life.use
	}
	return text
}
