package defaults

import (
	"strings"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// clusterRows follow pkg/apis/{rbac,storage,networking,admissionregistration,
// scheduling,discovery,flowcontrol,resource}/v1/defaults.go, apiextensions and
// apiregistration v1/defaults.go.
var clusterRows = []row{
	{"rbac/v1.RoleBinding", "roleRef.apiGroup", "rbac.authorization.k8s.io"},
	{"rbac/v1.ClusterRoleBinding", "roleRef.apiGroup", "rbac.authorization.k8s.io"},

	{"storage/v1.StorageClass", "reclaimPolicy", "Delete"},
	{"storage/v1.StorageClass", "volumeBindingMode", "Immediate"},
	{"storage/v1.CSIDriver", "spec.attachRequired", true},
	{"storage/v1.CSIDriver", "spec.podInfoOnMount", false},
	{"storage/v1.CSIDriver", "spec.storageCapacity", false},
	{"storage/v1.CSIDriver", "spec.fsGroupPolicy", "ReadWriteOnceWithFSType"},
	{"storage/v1.CSIDriver", "spec.volumeLifecycleModes", []any{"Persistent"}},
	{"storage/v1.CSIDriver", "spec.requiresRepublish", false},
	{"storage/v1.CSIDriver", "spec.seLinuxMount", false},
	{"storage/v1.CSIDriver", "spec.preventPodSchedulingIfMissing", of{&minors.DriverScheduling, false}},

	{"networking/v1.NetworkPolicyPort", "protocol", "TCP"},

	{"admissionregistration/v1.ValidatingWebhook", "failurePolicy", "Fail"},
	{"admissionregistration/v1.ValidatingWebhook", "matchPolicy", "Equivalent"},
	{"admissionregistration/v1.ValidatingWebhook", "namespaceSelector", tree.Object{}},
	{"admissionregistration/v1.ValidatingWebhook", "objectSelector", tree.Object{}},
	{"admissionregistration/v1.ValidatingWebhook", "timeoutSeconds", int64(10)},
	{"admissionregistration/v1.MutatingWebhook", "failurePolicy", "Fail"},
	{"admissionregistration/v1.MutatingWebhook", "matchPolicy", "Equivalent"},
	{"admissionregistration/v1.MutatingWebhook", "namespaceSelector", tree.Object{}},
	{"admissionregistration/v1.MutatingWebhook", "objectSelector", tree.Object{}},
	{"admissionregistration/v1.MutatingWebhook", "timeoutSeconds", int64(10)},
	{"admissionregistration/v1.MutatingWebhook", "reinvocationPolicy", "Never"},
	{"admissionregistration/v1.Rule", "scope", "*"},
	{"admissionregistration/v1.RuleWithOperations", "scope", "*"},
	{"admissionregistration/v1.NamedRuleWithOperations", "scope", "*"},
	{"admissionregistration/v1.ServiceReference", "port", int64(443)},
	{"admissionregistration/v1.ValidatingAdmissionPolicySpec", "failurePolicy", "Fail"},
	{"admissionregistration/v1.MutatingAdmissionPolicySpec", "failurePolicy", "Fail"},
	{"admissionregistration/v1.MatchResources", "matchPolicy", "Equivalent"},
	{"admissionregistration/v1.MatchResources", "namespaceSelector", tree.Object{}},
	{"admissionregistration/v1.MatchResources", "objectSelector", tree.Object{}},

	{"scheduling/v1.PriorityClass", "preemptionPolicy", "PreemptLowerPriority"},

	{"discovery/v1.EndpointPort", "name", ""},
	{"discovery/v1.EndpointPort", "protocol", "TCP"},

	{"flowcontrol/v1.FlowSchemaSpec", "matchingPrecedence", int64(1000)},
	{"flowcontrol/v1.ExemptPriorityLevelConfiguration", "nominalConcurrencyShares", int64(0)},
	{"flowcontrol/v1.ExemptPriorityLevelConfiguration", "lendablePercent", int64(0)},
	{"flowcontrol/v1.LimitedPriorityLevelConfiguration", "nominalConcurrencyShares", int64(30)},
	{"flowcontrol/v1.LimitedPriorityLevelConfiguration", "lendablePercent", int64(0)},
	{"flowcontrol/v1.QueuingConfiguration", "handSize", int64(8)},
	{"flowcontrol/v1.QueuingConfiguration", "queues", int64(64)},
	{"flowcontrol/v1.QueuingConfiguration", "queueLengthLimit", int64(50)},

	{"certificates/v1.PodCertificateRequest", "spec.maxExpirationSeconds", int64(86400)},
	{"resource/v1.NodeAllocatableResourceMapping", "allocationMultiplier", "1"}, // SetDefaults_Device

	{"apiextensions/v1.ServiceReference", "port", int64(443)},
	{"apiregistration/v1.ServiceReference", "port", int64(443)},
}

func clusterRules() map[string]rule {
	return map[string]rule{
		"rbac/v1.Subject":                           subject,
		"networking/v1.NetworkPolicy":               networkPolicy,
		"networking/v1.IngressClass":                ingressClass,
		"apiextensions/v1.CustomResourceDefinition": definition,
		"resource/v1.ExactDeviceRequest":            deviceRequest,
		"resource/v1.DeviceSubRequest":              deviceRequest,
	}
}

// subject follows SetDefaults_Subject.
func subject(s tree.Object, _ int) {
	if kind := tree.String(s, "kind"); tree.String(s, "apiGroup") == "" && (kind == "User" || kind == "Group") {
		s["apiGroup"] = "rbac.authorization.k8s.io"
	}
}

// networkPolicy follows SetDefaults_NetworkPolicy.
func networkPolicy(np tree.Object, _ int) {
	spec := tree.Map(np, "spec")
	if spec == nil || len(tree.List(spec, "policyTypes")) > 0 {
		return
	}
	types := []any{"Ingress"}
	if len(tree.List(spec, "egress")) > 0 {
		types = append(types, "Egress")
	}
	spec["policyTypes"] = types
}

// ingressClass follows SetDefaults_IngressClass.
func ingressClass(ic tree.Object, _ int) {
	if p := tree.Map(ic, "spec", "parameters"); p != nil {
		orSet(p, "scope", "Cluster")
	}
}

// definition follows SetDefaults_CustomResourceDefinition.
func definition(crd tree.Object, _ int) {
	spec, names := tree.Map(crd, "spec"), tree.Map(crd, "spec", "names")
	kind := tree.String(names, "kind")
	if names != nil && kind != "" {
		if tree.String(names, "singular") == "" {
			names["singular"] = strings.ToLower(kind)
		}
		if tree.String(names, "listKind") == "" {
			names["listKind"] = kind + "List"
		}
	}
	if spec != nil && spec["conversion"] == nil {
		spec["conversion"] = tree.Object{"strategy": "None"}
	}
	if len(tree.List(crd, "status", "storedVersions")) > 0 {
		return
	}
	for _, v := range tree.List(spec, "versions") {
		if tree.Bool(v, "storage") {
			tree.Set(crd, []any{tree.String(v, "name")}, "status", "storedVersions")
			return
		}
	}
}

// deviceRequest follows SetDefaults_ExactDeviceRequest and
// SetDefaults_DeviceSubRequest.
func deviceRequest(r tree.Object, _ int) {
	if tree.String(r, "allocationMode") == "" {
		r["allocationMode"] = "ExactCount"
	}
	if r["allocationMode"] == "ExactCount" && tree.Empty(r["count"]) {
		r["count"] = int64(1)
	}
}
