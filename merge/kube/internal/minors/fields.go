package minors

// Fields are those of features that are gone, off by default, or were so until
// some minor, and of which upstream's types do not name the gate (+featureGate) or
// more goes than the field. The others are in the tables of merge/kube/schema.
//
// Source: pkg/features/kube_features.go; DropDisabled* in pkg/api/pod/util.go
// and in the strategies of pkg/registry.
var Fields = []Field{
	{PodSpec, "containers|initContainers|ephemeralContainers.*.lifecycle.stopSignal", 0, "ContainerStopSignals"},
	{PodSpec, "affinity.podAffinity|podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution.*.matchLabelKeys|mismatchLabelKeys", 31, "MatchLabelKeysInPodAffinity"},
	{PodSpec, "affinity.podAffinity|podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution.*.podAffinityTerm.matchLabelKeys|mismatchLabelKeys", 31, "MatchLabelKeysInPodAffinity"},
	{PodSpec, "hostUsers", 33, "UserNamespacesSupport"},
	{PodSpec, "containers|initContainers.*.securityContext.procMount", 33, "ProcMountType"},
	{PodSpec, "volumes.*.projected.sources.*.podCertificate", 37, "PodCertificateRequest"},
	{"core/v1.Node", "spec.configSource", 0, "DynamicKubeletConfig, which is gone"},
	{"batch/v1.Job", "spec.successPolicy", 31, "JobSuccessPolicy"},
	{"batch/v1.Job", "spec.managedBy", 32, "JobManagedBy"},
	{"batch/v1.CronJob", "spec.jobTemplate.spec.successPolicy", 31, "JobSuccessPolicy"},
	{"batch/v1.CronJob", "spec.jobTemplate.spec.managedBy", 32, "JobManagedBy"},
	{"apiextensions/v1.CustomResourceDefinition", "spec.versions.*.selectableFields", 31, "CustomResourceFieldSelectors"},
	{"storage/v1.CSIDriver", "spec.serviceAccountTokenInSecrets", 35, "CSIServiceAccountTokenSecrets"},
	{"discovery/v1.EndpointSlice", "endpoints.*.hints.forNodes", 34, "PreferSameTrafficDistribution"},
	{"coordination/v1.Lease", "spec.strategy", 0, "CoordinatedLeaderElection"},
	{"coordination/v1.Lease", "spec.preferredHolder", 0, "CoordinatedLeaderElection"},
}
