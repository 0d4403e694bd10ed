package server

import (
	"sync"

	"threeway/merge/fault"
	"threeway/merge/kube/internal/minors"
	"threeway/merge/kube/internal/validation"
	"threeway/merge/kube/internal/warnings"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// kind is what the server does with the objects of one built-in kind beyond
// storing them. Every field may be empty. What is the same upstream for every
// kind stands elsewhere: names, scope and versions in the tables of
// merge/kube/schema, defaults in merge/kube/internal/defaults by Go type.
type kind struct {
	name string // "Kind.group"

	// core says that the internal type is of the core group, which messages name.
	core bool

	// serves says what may be done with objects of the kind.
	serves service

	// The fields that the registry of the kind owns
	// (pkg/registry/GROUP/KIND/strategy.go).
	status status
	// counted is the top-level field whose change raises metadata.generation;
	// empty for kinds without generation.
	counted string
	// first is the generation of a new object, in the minors of counting.
	first    int64
	counting minors.Change
	// exact compares with reflect.DeepEqual, for which an empty list and
	// none differ; annotations says that a change of those counts as well, and
	// countsFirst that fields are dropped after a change of them has counted.
	exact, annotations, countsFirst bool
	// kept are further top-level fields that no update changes.
	kept []string
	// versioned says that an update must name the resourceVersion (AllowUnconditionalUpdate).
	versioned bool

	// podSpec is the path to the pod spec.
	podSpec []string

	// convertible returns why an object has no internal version; convert does
	// what conversion to it and back does; between converts an object from one
	// version to another, of which fullest has a field for everything.
	convertible func(obj tree.Object) error
	convert     func(obj tree.Object, version string)
	between     func(obj tree.Object, from, to string)
	fullest     string

	// admitNew and admitChange are mutating admission; the validating plugins
	// stand in plugins.go.
	admitNew    func(s *Server, k schema.Kind, obj tree.Object) *fault.Rejection
	admitChange func(obj, old tree.Object)
	// check is what the registry of a kind that is not stored looks at last.
	check func(s *Server, r *validation.Request) *fault.Rejection

	// allocate gives out what is unique in the cluster.
	allocate func(s *Server, k schema.Kind, obj, old tree.Object) *fault.Rejection
	// create and update are PrepareForCreate and PrepareForUpdate of the
	// strategy; changed compares a field of obj and old semantically.
	create func(obj tree.Object, minor int)
	update func(obj, old tree.Object, changed func(field string) bool)
	// drop drops or keeps what is more than a row of minors.Fields; old is nil on create.
	drop func(obj, old tree.Object, minor int)
	// read is what becomes of an object when it is read.
	read func(obj tree.Object)

	validation validation.Rules
	warnings   warnings.Rules
}

// service is what a server does for a kind (the verbs of discovery).
type service uint8

const (
	everything service = iota
	creation           // a question or an order: answered, and not stored
	reading
)

// status says who writes an object's status.
type status uint8

const (
	ordinary status = iota // a field like others, or none
	owned                  // wiped on create, kept as it is on update
	retained               // kept on update, but accepted on create
)

// template is the path to the pod spec of a workload.
var template = []string{"spec", "template", "spec"}

// kinds has a row for each kind that is not plain storage, by group.
// CustomResourceDefinition and APIService have their registries in
// apiextensions-apiserver and kube-aggregator.
var kinds = []kind{
	{name: "Binding", serves: creation, check: checkBinding},
	{name: "ComponentStatus", serves: reading},
	{name: "ConfigMap", validation: validation.ConfigMap},
	{name: "Endpoints", validation: validation.Endpoints, warnings: warnings.Endpoints},
	{name: "Event", validation: validation.Event},
	{name: "Event.events.k8s.io", core: true, validation: validation.Event},
	{name: "LimitRange", validation: validation.LimitRange},
	{name: "Namespace", status: owned, create: finalizedNamespace, update: keepFinalizers, validation: validation.Namespace},
	{name: "Node", status: retained, convert: convertNode, create: prepareNode, validation: validation.Node, warnings: warnings.Node},
	{name: "PersistentVolume", status: owned, admitNew: admitVolume, validation: validation.PersistentVolume, warnings: warnings.PersistentVolume},
	{name: "PersistentVolumeClaim", status: owned, admitNew: admitClaim, create: newClaim, update: changedClaim,
		validation: validation.PersistentVolumeClaim, warnings: warnings.PersistentVolumeClaim},
	{name: "Pod", status: owned, counted: "spec", first: 1, counting: minors.PodGeneration, podSpec: []string{"spec"}, convert: convertPod,
		admitNew: (*Server).admitPod, admitChange: keepPriority, create: preparePod, drop: keepPodResources,
		validation: validation.Pod, warnings: warnings.Pod},
	{name: "PodTemplate", counted: "template", first: 1, podSpec: []string{"template", "spec"},
		validation: validation.PodTemplate, warnings: warnings.PodTemplate},
	{name: "ReplicationController", status: owned, counted: "spec", first: 1, podSpec: template,
		validation: validation.ReplicationController, warnings: warnings.ReplicationController},
	{name: "ResourceQuota", status: owned, validation: validation.ResourceQuota, warnings: warnings.ResourceQuota},
	{name: "Secret", convert: foldStringData, validation: validation.Secret, warnings: warnings.Secret},
	{name: "Service", status: owned, allocate: (*Server).allocateService, update: updateService, read: readService,
		validation: validation.Service, warnings: warnings.Service},
	{name: "ServiceAccount", create: secretNames, update: secretNamesAgain, validation: validation.ServiceAccount, warnings: warnings.ServiceAccount},

	{name: "ControllerRevision.apps", validation: validation.ControllerRevision},
	{name: "DaemonSet.apps", status: owned, counted: "spec", first: 1, podSpec: template, convertible: generationIsNumber, convert: convertDaemonSet,
		create: newDaemonSet, update: updateDaemonSet, validation: validation.DaemonSet, warnings: warnings.DaemonSet},
	{name: "Deployment.apps", status: owned, counted: "spec", first: 1, annotations: true, podSpec: template, convertible: rollbackIsNumber, convert: convertDeployment,
		validation: validation.Deployment, warnings: warnings.Deployment},
	{name: "ReplicaSet.apps", status: owned, counted: "spec", first: 1, podSpec: template, validation: validation.ReplicaSet, warnings: warnings.Deployment},
	{name: "StatefulSet.apps", status: owned, counted: "spec", first: 1, podSpec: template, convert: convertStatefulSet,
		validation: validation.StatefulSet, warnings: warnings.StatefulSet},

	{name: "HorizontalPodAutoscaler.autoscaling", status: owned, counted: "spec", first: 1, counting: minors.AutoscalerGeneration, convert: convertAutoscaler,
		between: convertScaler, fullest: "v2", create: newScaler, update: updateScaler, validation: validation.HorizontalPodAutoscaler},

	{name: "CronJob.batch", status: owned, counted: "spec", first: 1, podSpec: []string{"spec", "jobTemplate", "spec", "template", "spec"},
		validation: validation.CronJob, warnings: warnings.CronJob},
	{name: "Job.batch", status: owned, counted: "spec", first: 1, podSpec: template, create: generateSelector, validation: validation.Job, warnings: warnings.Job},

	{name: "PodDisruptionBudget.policy", versioned: true, status: owned, counted: "spec", first: 1, countsFirst: true, drop: dropReserved, validation: validation.PodDisruptionBudget},

	{name: "IPAddress.networking.k8s.io", validation: validation.IPAddress},
	{name: "Ingress.networking.k8s.io", status: owned, counted: "spec", first: 1, admitNew: (*Server).defaultIngressClass,
		validation: validation.Ingress, warnings: warnings.Ingress},
	{name: "Ingress.extensions", validation: validation.Ingress},
	{name: "IngressClass.networking.k8s.io", counted: "spec", first: 1, validation: validation.IngressClass},
	{name: "NetworkPolicy.networking.k8s.io", counted: "spec", first: 1, exact: true, validation: validation.NetworkPolicy, warnings: warnings.NetworkPolicy},
	{name: "ServiceCIDR.networking.k8s.io", status: owned, validation: validation.ServiceCIDR},
	{name: "EndpointSlice.discovery.k8s.io", first: 1, countsFirst: true, update: updateEndpointSlice, drop: dropTopology,
		validation: validation.EndpointSlice, warnings: warnings.EndpointSlice},

	{name: "MutatingAdmissionPolicy.admissionregistration.k8s.io", versioned: true, counted: "spec", first: 1,
		validation: validation.MutatingAdmissionPolicy, warnings: warnings.StaticName},
	{name: "MutatingAdmissionPolicyBinding.admissionregistration.k8s.io", versioned: true, counted: "spec", first: 1,
		validation: validation.MutatingAdmissionPolicyBinding, warnings: warnings.StaticName},
	{name: "MutatingWebhookConfiguration.admissionregistration.k8s.io", versioned: true, counted: "webhooks", first: 1, exact: true,
		validation: validation.MutatingWebhookConfiguration, warnings: warnings.WebhookConfiguration},
	{name: "ValidatingAdmissionPolicy.admissionregistration.k8s.io", versioned: true, status: owned, counted: "spec", first: 1,
		validation: validation.ValidatingAdmissionPolicy, warnings: warnings.StaticName},
	{name: "ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io", versioned: true, counted: "spec", first: 1,
		validation: validation.ValidatingAdmissionPolicyBinding, warnings: warnings.StaticName},
	{name: "ValidatingWebhookConfiguration.admissionregistration.k8s.io", versioned: true, counted: "webhooks", first: 1, exact: true,
		validation: validation.ValidatingWebhookConfiguration, warnings: warnings.WebhookConfiguration},

	{name: "CSIDriver.storage.k8s.io", versioned: true, counted: "spec", validation: validation.CSIDriver, warnings: warnings.CSIDriver},
	{name: "CSINode.storage.k8s.io", versioned: true, status: owned, validation: validation.CSINode},
	{name: "CSIStorageCapacity.storage.k8s.io", versioned: true, validation: validation.CSIStorageCapacity, warnings: warnings.CSIStorageCapacity},
	{name: "StorageClass.storage.k8s.io", validation: validation.StorageClass, warnings: warnings.StorageClass},
	{name: "VolumeAttachment.storage.k8s.io", versioned: true, status: owned, validation: validation.VolumeAttachment},
	{name: "VolumeAttributesClass.storage.k8s.io", admitNew: admitAttributesClass, validation: validation.VolumeAttributesClass},
	{name: "StorageVersionMigration.storagemigration.k8s.io", versioned: true, status: owned, validation: validation.StorageVersionMigration},

	{name: "ClusterRole.rbac.authorization.k8s.io", validation: validation.ClusterRole},
	{name: "ClusterRoleBinding.rbac.authorization.k8s.io", validation: validation.ClusterRoleBinding},
	{name: "Role.rbac.authorization.k8s.io", validation: validation.Role},
	{name: "RoleBinding.rbac.authorization.k8s.io", validation: validation.RoleBinding},

	{name: "SelfSubjectReview.authentication.k8s.io", serves: creation},
	{name: "TokenReview.authentication.k8s.io", serves: creation, check: hasToken},
	{name: "LocalSubjectAccessReview.authorization.k8s.io", serves: creation, validation: validation.LocalSubjectAccessReview},
	{name: "SelfSubjectAccessReview.authorization.k8s.io", serves: creation, validation: validation.SelfSubjectAccessReview},
	{name: "SelfSubjectRulesReview.authorization.k8s.io", serves: creation, check: hasNamespace},
	{name: "SubjectAccessReview.authorization.k8s.io", serves: creation, validation: validation.SubjectAccessReview},

	{name: "CertificateSigningRequest.certificates.k8s.io", status: owned, kept: []string{"spec"}, validation: validation.CertificateSigningRequest},
	{name: "PodCertificateRequest.certificates.k8s.io", versioned: true, status: owned, first: 1, counting: minors.BundleGeneration, validation: validation.PodCertificateRequest},
	{name: "ClusterTrustBundle.certificates.k8s.io", versioned: true, counted: "spec", first: 1, counting: minors.BundleGeneration, validation: validation.ClusterTrustBundle},
	{name: "Lease.coordination.k8s.io", versioned: true, validation: validation.Lease},
	{name: "FlowSchema.flowcontrol.apiserver.k8s.io", status: owned, counted: "spec", first: 1, validation: validation.FlowSchema},
	{name: "PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io", status: owned, counted: "spec", first: 1, validation: validation.PriorityLevelConfiguration},
	{name: "RuntimeClass.node.k8s.io", versioned: true, validation: validation.RuntimeClass, warnings: warnings.RuntimeClass},
	{name: "PriorityClass.scheduling.k8s.io", first: 1, validation: validation.PriorityClass},

	{name: "DeviceClass.resource.k8s.io", counted: "spec", first: 1, validation: validation.DeviceClass},
	{name: "DeviceTaintRule.resource.k8s.io", status: owned, counted: "spec", first: 1, validation: validation.DeviceTaintRule, warnings: warnings.DeviceTaintRule},
	{name: "ResourceClaim.resource.k8s.io", status: owned, validation: validation.ResourceClaim},
	{name: "ResourceClaimTemplate.resource.k8s.io", validation: validation.ResourceClaimTemplate},
	{name: "ResourceSlice.resource.k8s.io", counted: "spec", first: 1, countsFirst: true, validation: validation.ResourceSlice, warnings: warnings.ResourceSlice},

	{name: "CustomResourceDefinition.apiextensions.k8s.io", versioned: true, status: owned, counted: "spec", first: 1, convert: convertDefinition, drop: dropEmptyWebhook,
		create: storedVersion, update: storedVersionAgain, validation: validation.CustomResourceDefinition, warnings: warnings.CustomResourceDefinition},
	{name: "APIService.apiregistration.k8s.io", versioned: true, status: owned, create: localService, validation: validation.APIService},
}

var kindsByName = sync.OnceValue(func() map[string]*kind {
	byName := make(map[string]*kind, len(kinds))
	for i := range kinds {
		byName[kinds[i].name] = &kinds[i]
	}
	return byName
})

var plainStorage kind

// kindOf returns the row of a kind, an empty one if it has none.
func kindOf(k schema.Kind) *kind {
	if row := kindsByName()[k.GroupKind()]; row != nil {
		return row
	}
	return &plainStorage
}

// Checks returns the validation and the warnings of a kind; both are empty for
// one that has none of its own.
func Checks(k schema.Kind) (validation.Rules, warnings.Rules) {
	row := kindOf(k)
	return row.validation, row.warnings
}

// builtin is a built-in kind in one version: its name, the type of its
// objects, and what the server does with them.
type builtin struct {
	schema.Kind
	typ *schema.Type
	row *kind
}

// lookup finds a built-in kind.
func lookup(k schema.Kind) (b builtin, ok bool) {
	t := schema.Lookup(k)
	if t == nil {
		return builtin{}, false
	}
	return builtin{k, t, kindOf(k)}, true
}

// internal is the kind of the internal type, as messages name it.
func (b builtin) internal() schema.Kind {
	if b.row.core {
		return schema.Kind{Kind: b.Kind.Kind}
	}
	return b.Kind
}
