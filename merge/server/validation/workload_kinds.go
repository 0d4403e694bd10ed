package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// Rules of the kinds that run Pods and of those that scale and protect them.
var (
	ReplicationController   = Rules{createReplicationController, updateReplicationController}
	ControllerRevision      = Rules{createControllerRevision, updateControllerRevision}
	DaemonSet               = Rules{createDaemonSet, updateDaemonSet}
	Deployment              = Rules{createDeployment, updateDeployment}
	ReplicaSet              = Rules{createReplicaSet, updateReplicaSet}
	StatefulSet             = Rules{createStatefulSet, updateStatefulSet}
	HorizontalPodAutoscaler = Rules{createAutoscaler, updateAutoscaler}
	CronJob                 = Rules{createCronJob, updateCronJob}
	Job                     = Rules{createJob, updateJob}
	PodDisruptionBudget     = Rules{createDisruptionBudget, updateDisruptionBudget}
)

// Rules of the kinds that configure a cluster or a namespace: who may do what,
// how much, and with which data.
var (
	ConfigMap                  = Rules{createConfigMap, updateConfigMap}
	LimitRange                 = Rules{limitRange, limitRange}
	Namespace                  = Rules{createNamespace, updateNamespace}
	Node                       = Rules{createNode, updateNode}
	ResourceQuota              = Rules{createResourceQuota, updateResourceQuota}
	Secret                     = Rules{createSecret, updateSecret}
	ServiceAccount             = Rules{createServiceAccount, updateServiceAccount}
	CertificateSigningRequest  = Rules{createSigningRequest, updateSigningRequest}
	Lease                      = Rules{createLease, updateLease}
	FlowSchema                 = Rules{flowSchema, flowSchema}
	PriorityLevelConfiguration = Rules{priorityLevel, priorityLevel}
	RuntimeClass               = Rules{createRuntimeClass, updateRuntimeClass}
	ClusterRole                = Rules{createClusterRole, updateClusterRole}
	ClusterRoleBinding         = Rules{createClusterRoleBinding, updateClusterRoleBinding}
	Role                       = Rules{createRole, updateRole}
	RoleBinding                = Rules{createRoleBinding, updateRoleBinding}
	DeviceClass                = Rules{createDeviceClass, updateDeviceClass}
	ResourceClaim              = Rules{createResourceClaim, updateResourceClaim}
	ResourceClaimTemplate      = Rules{createResourceClaimTemplate, updateResourceClaimTemplate}
	ResourceSlice              = Rules{createResourceSlice, updateResourceSlice}
	DeviceTaintRule            = Rules{createDeviceTaintRule, updateDeviceTaintRule}
	ClusterTrustBundle         = Rules{trustBundle, updateTrustBundle}
	PodCertificateRequest      = Rules{createPodCertificateRequest, updatePodCertificateRequest}
	StorageVersionMigration    = Rules{storageMigration, updateStorageMigration}
	PriorityClass              = Rules{createPriorityClass, updatePriorityClass}
)

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
