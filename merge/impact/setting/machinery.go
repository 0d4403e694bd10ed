package setting

// machinerySettings are the fields of nodes, storage, and what extends the API.
var machinerySettings = []Setting{
	{"Node", "spec.unschedulable", "true", "none", stops, "pods are scheduled on the node again", docs + "concepts/architecture/nodes/#manual-node-administration", ""},
	{"Node", "spec.taints", "", "none", stops, "pods that do not tolerate the taints are scheduled on the node", scheduling + "taint-and-toleration/", ""},

	{"PersistentVolume", "spec.claimRef", "", "none", stops, "another claim may bind the volume and read its data", storage + "persistent-volumes/#reserving-a-persistentvolume", ""},
	{"PersistentVolume", "spec.persistentVolumeReclaimPolicy", "Delete|Recycle", "Retain", alters, "the volume stays when its claim is deleted", storage + "persistent-volumes/#reclaiming", ""},
	{"PersistentVolume", "spec.storageClassName", "", "none", alters, "claims of this class no longer bind to the volume", storage + "persistent-volumes/#class", ""},
	{"PersistentVolume", "spec.mountOptions", "", "none", alters, "the volume is mounted without these options", storage + "persistent-volumes/#mount-options", ""},
	{"StorageClass.storage.k8s.io", "allowVolumeExpansion", "true", "none", alters, "claims cannot grow", storage + "storage-classes/#allow-volume-expansion", ""},
	{"StorageClass.storage.k8s.io", "mountOptions", "", "none", alters, "new volumes are mounted without these options", storage + "storage-classes/#mount-options", ""},
	{"StorageClass.storage.k8s.io", "allowedTopologies", "", "none", alters, "new volumes may be created in other zones", storage + "storage-classes/#allowed-topologies", ""},
	{"StorageClass.storage.k8s.io", "metadata.annotations[storageclass.kubernetes.io/is-default-class]", "true", "none", alters, "claims without a class no longer use this one", storage + "storage-classes/#default-storageclass", ""},
	{"CSIDriver.storage.k8s.io", "spec.podInfoOnMount", "true", "false", alters, "the driver does not learn which pod mounts a volume", driverPage + "#pod-info-on-mount", ""},
	{"CSIDriver.storage.k8s.io", "spec.requiresRepublish", "true", "false", alters, "the driver is not called again for a mounted volume", driverPage, ""},
	{"CSIDriver.storage.k8s.io", "spec.storageCapacity", "true", "false", alters, "the scheduler does not look at the free capacity", storage + "storage-capacity/", ""},
	{"CSIDriver.storage.k8s.io", "spec.seLinuxMount", "true", "false", alters, "volumes are relabeled file by file", driverPage, ""},
	{"CSIDriver.storage.k8s.io", "spec.tokenRequests", "", "none", alters, "the driver gets no tokens of the pods", driverPage, ""},
	{"CSIDriver.storage.k8s.io", "spec.nodeAllocatableUpdatePeriodSeconds", "", "none", alters, "the number of volumes a node can take is read only once", driverPage, ""},
	{"CSIDriver.storage.k8s.io", "spec.fsGroupPolicy", "", "some", alters, "the way the owner of files in volumes is set changes", driverPage, ""},

	{"RuntimeClass.node.k8s.io", "overhead", "", "none", alters, "new pods reserve nothing for their sandbox", scheduling + "pod-overhead/", ""},
	{"RuntimeClass.node.k8s.io", "scheduling", "", "none", alters, "new pods are scheduled on nodes that may lack the runtime", docs + "concepts/containers/runtime-class/#scheduling", ""},
	{"PriorityClass.scheduling.k8s.io", "globalDefault", "true", "none", alters, "new pods without a class have priority 0", scheduling + "pod-priority-preemption/#priorityclass", ""},
	{"DeviceClass.resource.k8s.io", "spec.selectors", "", "none", alters, "every device of every driver belongs to the class", devicePage, ""},
	{"DeviceClass.resource.k8s.io", "spec.config", "", "none", alters, "devices are prepared without this configuration", devicePage, ""},
	{"DeviceClass.resource.k8s.io", "spec.extendedResourceName", "", "none", alters, "pods that request the extended resource get no device", devicePage, ""},

	{"FlowSchema.flowcontrol.apiserver.k8s.io", "spec.matchingPrecedence", "", "1000", alters, "requests are matched in another order", flowPage, ""},
	{"FlowSchema.flowcontrol.apiserver.k8s.io", "spec.distinguisherMethod", "", "none", alters, "one flow may starve the others", flowPage, ""},
	{"FlowSchema.flowcontrol.apiserver.k8s.io", "spec.rules", "", "none", alters, "the schema matches no request", flowPage, ""},
	{"PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io", "spec.limited.nominalConcurrencyShares", "", "30", alters, "the number of requests that the priority level serves changes", flowPage, ""},
	{"PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io", "spec.limited.lendablePercent", "", "0", alters, "the priority level lends no capacity", flowPage, ""},
	{"PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io", "spec.limited.borrowingLimitPercent", "", "none", alters, "the priority level borrows without a limit", flowPage, ""},
	{"PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io", "spec.limited.limitResponse.queuing/queues", "", "64", alters, "requests are queued in 64 queues", flowPage, ""},
	{"PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io", "spec.limited.limitResponse.queuing/handSize", "", "8", alters, "the way requests are assigned to queues changes", flowPage, ""},
	{"PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io", "spec.limited.limitResponse.queuing/queueLengthLimit", "", "50", alters, "the queue length at which requests are rejected changes", flowPage, ""},

	{"APIService.apiregistration.k8s.io", "spec.caBundle", "", "none", alters, "the API server does not trust the certificate of the extension", apiPage, ""},
	{"APIService.apiregistration.k8s.io", "spec.insecureSkipTLSVerify", "true", "none", alters, "the API server checks the certificate of the extension", apiPage, ""},
	{"APIService.apiregistration.k8s.io", "spec.service/port", "", "443", alters, "the extension is called at port 443", apiPage, ""},
	{"CustomResourceDefinition.apiextensions.k8s.io", "spec.conversion", "", "", stops, "objects of other versions are no longer converted and may lose fields", docs + "tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/", ""},
	{"CustomResourceDefinition.apiextensions.k8s.io", "spec.versions[].subresources.status", "", "none", alters, "an update of an object also overwrites its status", crdPage + "#status-subresource", ""},
	{"CustomResourceDefinition.apiextensions.k8s.io", "spec.versions[].subresources.scale", "", "none", alters, "kubectl scale and autoscalers cannot scale the objects", crdPage + "#scale-subresource", ""},
	{"CustomResourceDefinition.apiextensions.k8s.io", "spec.versions[].selectableFields", "", "none", alters, "field selectors no longer work with these fields", crdPage + "#field-selectors", ""},
	{"CustomResourceDefinition.apiextensions.k8s.io", "spec.names.shortNames", "", "none", alters, "kubectl no longer accepts these names", crdPage, ""},
	{"CustomResourceDefinition.apiextensions.k8s.io", "spec.names.categories", "", "none", alters, "kubectl get CATEGORY no longer lists the objects", crdPage + "#categories", ""},
}

// metadataSettings are labels and annotations with a meaning for every kind.
var metadataSettings = []Setting{
	{Any, "metadata.finalizers", "", "", alters, "the object is deleted without this cleanup", docs + "concepts/overview/working-with-objects/finalizers/", ""},
	{Any, "metadata.ownerReferences", "", "", alters, "the object stays when its owner is deleted", docs + "concepts/overview/working-with-objects/owners-dependents/", ""},
	{PodTemplate, "metadata.annotations[cluster-autoscaler.kubernetes.io/safe-to-evict]", "false", "none", stops, "the cluster autoscaler may evict the pods", docs + "reference/labels-annotations-taints/#cluster-autoscaler-kubernetes-io-safe-to-evict", ""},
	{PodTemplate, "metadata.annotations[sidecar.istio.io/inject]", "", "none", alters, "the setting of the namespace decides whether the mesh adds its sidecar", "https://istio.io/latest/docs/reference/config/annotations/", ""},
}

const (
	driverPage = docs + "reference/kubernetes-api/config-and-storage-resources/csi-driver-v1/"
	devicePage = scheduling + "dynamic-resource-allocation/"
	flowPage   = docs + "concepts/cluster-administration/flow-control/"
	apiPage    = docs + "tasks/extend-kubernetes/configure-aggregation-layer/"
	crdPage    = docs + "tasks/extend-kubernetes/custom-resources/custom-resource-definitions/"
)
