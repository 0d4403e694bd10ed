package setting

import "threeway/merge/schema"

// The reasons why no finding is made of a field that leaves the manifest.
const (
	content  = "it is what runs or is stored: its removal is deliberate, and the diff shows it"
	required = "the API server rejects the object without it, or the change"
	cosmetic = "it changes nothing that runs"
	written  = "the API server or a controller writes it"
	gated    = "it is behind a feature gate that is off"
)

// quiet is a field, with all in it that the table does not name, that needs no
// finding.
type quiet struct{ Kinds, Field, Why string }

// silent lists the fields that the table leaves out.
var silent = []quiet{
	{Any, "apiVersion", required},
	{Any, "kind", required},
	{Any, "metadata", content},
	{Any, "status", written},

	{PodSpec, "containers", content},
	{PodSpec, "initContainers", content},
	{PodSpec, "ephemeralContainers", written},
	{PodSpec, "volumes", content},
	{PodSpec, "restartPolicy", required},
	{PodSpec, "serviceAccount", "it is the old name of serviceAccountName"},
	{PodSpec, "securityContext", content},
	{PodSpec, "affinity", content},
	{PodSpec, "topologySpreadConstraints", content},
	{PodSpec, "tolerations", content},
	{PodSpec, "hostAliases", content},
	{PodSpec, "dnsConfig", content},
	{PodSpec, "readinessGates", content},
	{PodSpec, "imagePullSecrets", content},
	{PodSpec, "schedulingGates", content},
	{PodSpec, "priority", written},
	{PodSpec, "overhead", written},
	{PodSpec, "os", required},
	{PodSpec, "resourceClaims", content},
	{PodSpec, "resources", content},
	{PodSpec, "hostnameOverride", gated},
	{PodSpec, "schedulingGroup", gated},
	{PodTemplate, "metadata", content},

	{"Deployment.apps ReplicaSet.apps StatefulSet.apps DaemonSet.apps ReplicationController", "spec.replicas", "replicas-drop-to-one says it"},
	{"Deployment.apps ReplicaSet.apps StatefulSet.apps DaemonSet.apps ReplicationController Job.batch", "spec.selector", required},
	{"Deployment.apps StatefulSet.apps DaemonSet.apps", "spec.revisionHistoryLimit", cosmetic},
	{"Deployment.apps", "spec.progressDeadlineSeconds", cosmetic},
	{"StatefulSet.apps", "spec.serviceName", required},
	{"StatefulSet.apps", "spec.podManagementPolicy", required},
	{"StatefulSet.apps", "spec.volumeClaimTemplates", required},
	{"StatefulSet.apps", "spec.updateStrategy.rollingUpdate.maxUnavailable", gated},
	{"ControllerRevision.apps", "data", required},
	{"Job.batch", "spec.completions", required},
	{"Job.batch", "spec.completionMode", required},
	{"Job.batch", "spec.podFailurePolicy", required},
	{"Job.batch", "spec.successPolicy", required},
	{"Job.batch", "spec.backoffLimitPerIndex", required},
	{"Job.batch", "spec.maxFailedIndexes", required},
	{"Job.batch", "spec.manualSelector", required},
	{"Job.batch", "spec.podReplacementPolicy", required},
	{"Job.batch", "spec.managedBy", required},
	{"Job.batch", "spec.scheduling", gated},
	{"CronJob.batch", "spec.jobTemplate.metadata", content},
	{"CronJob.batch", "spec.jobTemplate.spec.selector", required},
	{"CronJob.batch", "spec.jobTemplate.spec.manualSelector", required},
	{"CronJob.batch", "spec.jobTemplate.spec.managedBy", content},
	{"CronJob.batch", "spec.jobTemplate.spec.scheduling", gated},
	{"CronJob.batch", "spec.jobTemplate.spec.podFailurePolicy", content},
	{"CronJob.batch", "spec.jobTemplate.spec.successPolicy", content},
	{"CronJob.batch", "spec.successfulJobsHistoryLimit", cosmetic},
	{"CronJob.batch", "spec.failedJobsHistoryLimit", cosmetic},
	{"HorizontalPodAutoscaler.autoscaling", "spec.scaleTargetRef", required},
	{"HorizontalPodAutoscaler.autoscaling", "spec.metrics", content},
	{"HorizontalPodAutoscaler.autoscaling", "spec.behavior", content},
	{"HorizontalPodAutoscaler.autoscaling", "spec.targetCPUUtilizationPercentage", content},

	{"Service", "spec.clusterIP", written},
	{"Service", "spec.clusterIPs", written},
	{"Service", "spec.ipFamilies", written},
	{"Service", "spec.ipFamilyPolicy", written},
	{"Service", "spec.healthCheckNodePort", written},
	{"Service", "spec.ports", content},
	{"Service", "spec.externalName", required},
	{"Ingress.networking.k8s.io", "spec", content},
	{"IngressClass.networking.k8s.io", "spec.controller", required},
	{"IngressClass.networking.k8s.io", "spec.parameters", content},
	{"NetworkPolicy.networking.k8s.io", "spec", content},
	{"IPAddress.networking.k8s.io", "spec", required},
	{"ServiceCIDR.networking.k8s.io", "spec", required},
	{"EndpointSlice.discovery.k8s.io", "endpoints", content},
	{"EndpointSlice.discovery.k8s.io", "ports", content},
	{"Endpoints", "subsets", content},

	{"ConfigMap Secret", "data", content},
	{"ConfigMap", "binaryData", content},
	{"Secret", "stringData", content},
	{"ConfigMap Secret", "immutable", required},
	{"Secret", "type", required},
	{"ServiceAccount", "secrets", cosmetic},
	{"ServiceAccount", "imagePullSecrets", content},
	{"Namespace", "spec.finalizers", written},
	{"LimitRange", "spec.limits", content},
	{"ResourceQuota", "spec.scopes", required},
	{"ResourceQuota", "spec.scopeSelector", required},
	{"Role.rbac.authorization.k8s.io ClusterRole.rbac.authorization.k8s.io", "rules", content},
	{"ClusterRole.rbac.authorization.k8s.io", "aggregationRule", content},
	{"RoleBinding.rbac.authorization.k8s.io ClusterRoleBinding.rbac.authorization.k8s.io", "subjects", content},
	{"RoleBinding.rbac.authorization.k8s.io ClusterRoleBinding.rbac.authorization.k8s.io", "roleRef", required},
	{webhooks, "webhooks", content},
	{admissionPolicies, "spec", content},
	{admissionBindings, "spec", content},
	{"CertificateSigningRequest.certificates.k8s.io", "spec", required},

	{"Node", "spec", written},
	{"PersistentVolume", "spec", content},
	{"PersistentVolumeClaim", "spec", required},
	{"StorageClass.storage.k8s.io", "parameters", required},
	{"StorageClass.storage.k8s.io", "reclaimPolicy", required},
	{"StorageClass.storage.k8s.io", "volumeBindingMode", required},
	{"StorageClass.storage.k8s.io", "allowedTopologies", content},
	{"VolumeAttributesClass.storage.k8s.io", "parameters", required},
	{"CSIDriver.storage.k8s.io", "spec", content},
	{"CSINode.storage.k8s.io", "spec", written},
	{"CSIStorageCapacity.storage.k8s.io", "nodeTopology", written},
	{"CSIStorageCapacity.storage.k8s.io", "capacity", written},
	{"CSIStorageCapacity.storage.k8s.io", "maximumVolumeSize", written},
	{"VolumeAttachment.storage.k8s.io", "spec", written},
	{"RuntimeClass.node.k8s.io", "overhead", content},
	{"RuntimeClass.node.k8s.io", "scheduling", content},
	{"PriorityClass.scheduling.k8s.io", "description", cosmetic},
	{"PriorityClass.scheduling.k8s.io", "preemptionPolicy", required},
	{"DeviceClass.resource.k8s.io", "spec", content},
	{"ResourceClaim.resource.k8s.io", "spec", required},
	{"ResourceClaimTemplate.resource.k8s.io", "spec", required},
	{"ResourceSlice.resource.k8s.io", "spec", written},
	{"Lease.coordination.k8s.io", "spec", written},
	{"Event Event.events.k8s.io", "", written},

	{"FlowSchema.flowcontrol.apiserver.k8s.io", "spec", content},
	{"PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io", "spec", content},
	{"APIService.apiregistration.k8s.io", "spec", content},
	{"CustomResourceDefinition.apiextensions.k8s.io", "spec", content},
}

// known reports whether the table names a field of a kind, or leaves it out on
// purpose. The steps of the field are written as in [Setting.Field].
func known(k schema.Kind, field []string) bool {
	for _, s := range Of(k) {
		if len(s.Pattern.steps) == len(field) && s.Pattern.covers(field) {
			return true
		}
	}
	for _, q := range silent {
		for _, at := range Places(q.Kinds, k) {
			if at+q.Field == "" || ParsePattern(at+q.Field).covers(field) {
				return true
			}
		}
	}
	return false
}

// covers reports whether the pattern is about the path of a field in a schema,
// written with [] and * as Fields are, or about what it is in.
func (p Pattern) covers(field []string) bool {
	if len(field) < len(p.steps) {
		return false
	}
	for i, step := range p.steps {
		if step != field[i] && !(step == "*" && field[i] != "[]") {
			return false
		}
	}
	return true
}
