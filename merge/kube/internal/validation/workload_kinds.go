package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// Rules of the kinds that run Pods and of those that scale and protect them.
var (
	ReplicationController   = Rules{inOrder(namespaced(nameIsLongName), replicationControllerSpec), inOrder(updatedMeta, replicationControllerSpec)}
	ControllerRevision      = Rules{createControllerRevision, inOrder(updatedMeta, controllerRevision, keeps("data"))}
	DaemonSet               = Rules{inOrder(namespaced(nameIsDNSSubdomain), daemonSetSpec), updateDaemonSet}
	Deployment              = Rules{inOrder(namespaced(nameIsDNSSubdomain), deploymentSpec), inOrder(updatedMeta, deploymentSpec, immutableSelector)}
	ReplicaSet              = Rules{inOrder(namespaced(nameIsDNSSubdomain), replicaSetSpec), inOrder(updatedMeta, replicaSetSpec, immutableSelector)}
	StatefulSet             = Rules{createStatefulSet, updateStatefulSet}
	HorizontalPodAutoscaler = Rules{inOrder(namespaced(nameIsDNSSubdomain), autoscalerSpec), inOrder(updatedMeta, autoscalerSpec)}
	CronJob                 = Rules{createCronJob, inOrder(updatedMeta, cronJobSpec)}
	Job                     = Rules{createJob, updateJob}
	PodDisruptionBudget     = Rules{disruptionBudget, disruptionBudget}
)

// Rules of the kinds that configure a cluster or a namespace: who may do what,
// how much, and with which data.
var (
	ConfigMap                  = Rules{createConfigMap, inOrder(updatedMeta, keepsData("data", "binaryData"), createConfigMap)}
	LimitRange                 = Rules{limitRange, limitRange}
	Namespace                  = Rules{createNamespace, inOrder(createNamespace, updatedMeta)}
	Node                       = Rules{createNode, updateNode}
	ResourceQuota              = Rules{inOrder(namespaced(nameIsDNSSubdomain), resourceQuotaSpec), inOrder(updatedMeta, resourceQuotaSpec, keepsScopes)}
	Secret                     = Rules{createSecret, updateSecret}
	ServiceAccount             = Rules{namespaced(nameIsDNSSubdomain), inOrder(updatedMeta, namespaced(nameIsDNSSubdomain))}
	CertificateSigningRequest  = Rules{signingRequest, inOrder(signingRequest, updatedMeta)}
	Lease                      = Rules{inOrder(generic(nameIsDNSSubdomain), leaseSpec), inOrder(updatedGeneric, leaseSpec)}
	FlowSchema                 = Rules{flowSchema, flowSchema}
	PriorityLevelConfiguration = Rules{priorityLevel, priorityLevel}
	RuntimeClass               = Rules{createRuntimeClass, inOrder(createRuntimeClass, updatedGeneric, keeps("handler"))}
	ClusterRole                = Rules{clusterRole, inOrder(clusterRole, updatedMeta)}
	ClusterRoleBinding         = Rules{clusterRoleBinding, inOrder(clusterRoleBinding, sameRoleRef)}
	Role                       = Rules{inOrder(namespaced(rbacName), roleRules), inOrder(namespaced(rbacName), roleRules, updatedMeta)}
	RoleBinding                = Rules{roleBinding, inOrder(roleBinding, sameRoleRef)}
	DeviceClass                = Rules{inOrder(cluster(nameIsLongName), deviceClassSpec), inOrder(cluster(nameIsLongName), updatedMeta, deviceClassSpec)}
	ResourceClaim              = Rules{createResourceClaim, inOrder(namespaced(nameIsDNSSubdomain), updatedMeta, keepsSpec("resource/v1.ResourceClaimSpec"))}
	ResourceClaimTemplate      = Rules{createResourceClaimTemplate, inOrder(createResourceClaimTemplate, updatedMeta, keepsSpec("resource/v1.ResourceClaimTemplateSpec"))}
	ResourceSlice              = Rules{inOrder(cluster(nameIsDNSSubdomain), resourceSliceSpec), inOrder(updatedMeta, resourceSliceSpec)}
	DeviceTaintRule            = Rules{inOrder(cluster(nameIsDNSSubdomain), deviceTaintRule), inOrder(updatedMeta, deviceTaintRule)}
	ClusterTrustBundle         = Rules{trustBundle, inOrder(trustBundle, updatedMeta, keepsText("spec", "signerName"))}
	PodCertificateRequest      = Rules{createPodCertificateRequest, inOrder(updatedMeta, keepsSpec("certificates/v1.PodCertificateRequestSpec"))}
	StorageVersionMigration    = Rules{storageMigration, inOrder(storageMigration, updatedMeta, keepsSpec("storagemigration/v1.StorageVersionMigrationSpec"))}
	PriorityClass              = Rules{createPriorityClass, updatePriorityClass}
)

// namespacedMeta and clusterMeta check the metadata of a new object with
// objectMeta; updatedMeta checks that of a changed one.
func namespacedMeta(r *Request, name nameFunc) field.ErrorList {
	return objectMeta(tree.Map(r.Object, "metadata"), true, name, field.NewPath("metadata"))
}

func namespaced(name nameFunc) validate {
	return func(r *Request) field.ErrorList { return namespacedMeta(r, name) }
}

func cluster(name nameFunc) validate {
	return func(r *Request) field.ErrorList { return clusterMeta(r, name) }
}

func clusterMeta(r *Request, name nameFunc) field.ErrorList {
	return objectMeta(tree.Map(r.Object, "metadata"), false, name, field.NewPath("metadata"))
}

func updatedMeta(r *Request) field.ErrorList {
	return objectMetaUpdate(tree.Map(r.Object, "metadata"), tree.Map(r.Old, "metadata"), field.NewPath("metadata"))
}

// generic and updatedGeneric are for the kinds without checks of finalizers.
func generic(name nameFunc) validate {
	return func(r *Request) field.ErrorList {
		return genericObjectMeta(tree.Map(r.Object, "metadata"), name, field.NewPath("metadata"))
	}
}

func updatedGeneric(r *Request) field.ErrorList {
	return genericObjectMetaUpdate(tree.Map(r.Object, "metadata"), tree.Map(r.Old, "metadata"), field.NewPath("metadata"))
}

// keeps checks that an update leaves a field of the object as it is, keepsSpec that it
// leaves a spec of a type.
func keeps(key string) validate {
	return func(r *Request) field.ErrorList {
		if tree.Equal(r.Object[key], r.Old[key]) { // data is raw: an empty list in it is not none
			return nil
		}
		return field.ErrorList{fixed(field.Invalid(field.NewPath(key), r.Object[key], isImmutable))}
	}
}

// keepsNamed is keeps for a field whose type has a name of its own.
func keepsNamed(key string) validate {
	return func(r *Request) field.ErrorList { return immutableAt(r.Object, r.Old, key, nil) }
}

// keepsText is keeps for a text, of which none is the same as an empty one.
func keepsText(path ...string) validate {
	return func(r *Request) field.ErrorList {
		return immutable(tree.String(r.Object, path...), tree.String(r.Old, path...), field.NewPath(path[0], path[1:]...))
	}
}

func keepsSpec(typ string) validate {
	return func(r *Request) field.ErrorList {
		return immutableOf(typ, tree.Map(r.Object, "spec"), tree.Map(r.Old, "spec"), field.NewPath("spec"))
	}
}
