package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// workloadKind holds the rules of the kinds that run Pods and of those that
// scale and protect them.
func workloadKind(groupKind string) (validator, bool) {
	switch groupKind {
	case "ReplicationController":
		return validator{createReplicationController, updateReplicationController}, true
	case "ControllerRevision.apps":
		return validator{createControllerRevision, updateControllerRevision}, true
	case "DaemonSet.apps":
		return validator{createDaemonSet, updateDaemonSet}, true
	case "Deployment.apps":
		return validator{createDeployment, updateDeployment}, true
	case "ReplicaSet.apps":
		return validator{createReplicaSet, updateReplicaSet}, true
	case "StatefulSet.apps":
		return validator{createStatefulSet, updateStatefulSet}, true
	case "HorizontalPodAutoscaler.autoscaling":
		return validator{createAutoscaler, updateAutoscaler}, true
	case "CronJob.batch":
		return validator{createCronJob, updateCronJob}, true
	case "Job.batch":
		return validator{createJob, updateJob}, true
	case "PodDisruptionBudget.policy":
		return validator{createDisruptionBudget, updateDisruptionBudget}, true
	}
	return validator{}, false
}

// clusterKind holds the rules of the kinds that configure a cluster or a
// namespace: who may do what, how much, and with which data.
func clusterKind(groupKind string) (validator, bool) {
	switch groupKind {
	case "ConfigMap":
		return validator{createConfigMap, updateConfigMap}, true
	case "LimitRange":
		return validator{limitRange, limitRange}, true
	case "Namespace":
		return validator{createNamespace, updateNamespace}, true
	case "Node":
		return validator{createNode, updateNode}, true
	case "ResourceQuota":
		return validator{createResourceQuota, updateResourceQuota}, true
	case "Secret":
		return validator{createSecret, updateSecret}, true
	case "ServiceAccount":
		return validator{createServiceAccount, updateServiceAccount}, true
	case "CertificateSigningRequest.certificates.k8s.io":
		return validator{createSigningRequest, updateSigningRequest}, true
	case "Lease.coordination.k8s.io":
		return validator{createLease, updateLease}, true
	case "FlowSchema.flowcontrol.apiserver.k8s.io":
		return validator{flowSchema, flowSchema}, true
	case "PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io":
		return validator{priorityLevel, priorityLevel}, true
	case "RuntimeClass.node.k8s.io":
		return validator{createRuntimeClass, updateRuntimeClass}, true
	case "ClusterRole.rbac.authorization.k8s.io":
		return validator{createClusterRole, updateClusterRole}, true
	case "ClusterRoleBinding.rbac.authorization.k8s.io":
		return validator{createClusterRoleBinding, updateClusterRoleBinding}, true
	case "Role.rbac.authorization.k8s.io":
		return validator{createRole, updateRole}, true
	case "RoleBinding.rbac.authorization.k8s.io":
		return validator{createRoleBinding, updateRoleBinding}, true
	case "DeviceClass.resource.k8s.io":
		return validator{createDeviceClass, updateDeviceClass}, true
	case "ResourceClaim.resource.k8s.io":
		return validator{createResourceClaim, updateResourceClaim}, true
	case "ResourceClaimTemplate.resource.k8s.io":
		return validator{createResourceClaimTemplate, updateResourceClaimTemplate}, true
	case "ResourceSlice.resource.k8s.io":
		return validator{createResourceSlice, updateResourceSlice}, true
	case "PriorityClass.scheduling.k8s.io":
		return validator{createPriorityClass, updatePriorityClass}, true
	}
	return validator{}, false
}

// namespacedMeta and clusterMeta check the metadata of a new object with
// objectMeta; updatedMeta checks that of a changed one.
func namespacedMeta(r *Request, name nameFunc) field.ErrorList {
	return objectMeta(tree.Map(r.Object, "metadata"), true, name, field.NewPath("metadata"))
}

func clusterMeta(r *Request, name nameFunc) field.ErrorList {
	return objectMeta(tree.Map(r.Object, "metadata"), false, name, field.NewPath("metadata"))
}

func updatedMeta(r *Request) field.ErrorList {
	return objectMetaUpdate(tree.Map(r.Object, "metadata"), tree.Map(r.Old, "metadata"), field.NewPath("metadata"))
}
