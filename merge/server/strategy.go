package server

import (
	"strconv"
	"strings"

	"threeway/merge/schema"
	"threeway/merge/server/validation"
	"threeway/merge/tree"
)

// strategy is what the registry of a kind does with the fields that the server
// owns (pkg/registry/GROUP/KIND/strategy.go, PrepareForCreate and
// PrepareForUpdate).
type strategy struct {
	kind   string // "Kind.group"
	status status
	// counted is the top-level field whose change raises metadata.generation;
	// empty for kinds without generation.
	counted string
	// first is the generation of a new object.
	first int64
	// exact compares with reflect.DeepEqual, for which an empty list and
	// none differ; annotations says that a change of those counts as well.
	exact, annotations bool
}

// status says who writes an object's status.
type status uint8

const (
	ordinary status = iota // a field like others, or none
	owned                  // wiped on create, kept as it is on update
	retained               // kept on update, but accepted on create
)

// strategies lists every kind that is not plain storage. CustomResourceDefinition
// and APIService have their registries in apiextensions-apiserver and
// kube-aggregator.
var strategies = []strategy{
	{kind: "Deployment.apps", status: owned, counted: "spec", first: 1, annotations: true},
	{kind: "ReplicaSet.apps", status: owned, counted: "spec", first: 1},
	{kind: "DaemonSet.apps", status: owned, counted: "spec", first: 1},
	{kind: "StatefulSet.apps", status: owned, counted: "spec", first: 1},
	{kind: "Job.batch", status: owned, counted: "spec", first: 1},
	{kind: "CronJob.batch", status: owned, counted: "spec", first: 1},
	{kind: "HorizontalPodAutoscaler.autoscaling", status: owned},
	{kind: "PodDisruptionBudget.policy", status: owned, counted: "spec", first: 1},

	{kind: "Pod", status: owned, counted: "spec", first: 1},
	{kind: "PodTemplate", counted: "template", first: 1},
	{kind: "ReplicationController", status: owned, counted: "spec", first: 1},
	{kind: "Service", status: owned},
	{kind: "Namespace", status: owned},
	{kind: "Node", status: retained},
	{kind: "PersistentVolume", status: owned},
	{kind: "PersistentVolumeClaim", status: owned},
	{kind: "ResourceQuota", status: owned},

	{kind: "Ingress.networking.k8s.io", status: owned, counted: "spec", first: 1},
	{kind: "IngressClass.networking.k8s.io", counted: "spec", first: 1},
	{kind: "NetworkPolicy.networking.k8s.io", counted: "spec", first: 1, exact: true},
	{kind: "ServiceCIDR.networking.k8s.io", status: owned},
	{kind: "EndpointSlice.discovery.k8s.io", first: 1},

	{kind: "ValidatingWebhookConfiguration.admissionregistration.k8s.io", counted: "webhooks", first: 1, exact: true},
	{kind: "MutatingWebhookConfiguration.admissionregistration.k8s.io", counted: "webhooks", first: 1, exact: true},
	{kind: "ValidatingAdmissionPolicy.admissionregistration.k8s.io", status: owned, counted: "spec", first: 1},
	{kind: "ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io", counted: "spec", first: 1},
	{kind: "MutatingAdmissionPolicy.admissionregistration.k8s.io", counted: "spec", first: 1},
	{kind: "MutatingAdmissionPolicyBinding.admissionregistration.k8s.io", counted: "spec", first: 1},

	{kind: "CSIDriver.storage.k8s.io", counted: "spec"},
	{kind: "VolumeAttachment.storage.k8s.io", status: owned},
	{kind: "PriorityClass.scheduling.k8s.io", first: 1},
	{kind: "FlowSchema.flowcontrol.apiserver.k8s.io", status: owned, counted: "spec", first: 1},
	{kind: "PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io", status: owned, counted: "spec", first: 1},
	{kind: "CertificateSigningRequest.certificates.k8s.io", status: owned},
	{kind: "PodCertificateRequest.certificates.k8s.io", status: owned},
	{kind: "DeviceClass.resource.k8s.io", counted: "spec", first: 1},
	{kind: "DeviceTaintRule.resource.k8s.io", status: owned, counted: "spec", first: 1},
	{kind: "ResourceClaim.resource.k8s.io", status: owned},
	{kind: "ResourceSlice.resource.k8s.io", counted: "spec", first: 1},
	{kind: "StorageVersionMigration.storagemigration.k8s.io", status: owned},

	{kind: "CustomResourceDefinition.apiextensions.k8s.io", status: owned, counted: "spec", first: 1},
	{kind: "APIService.apiregistration.k8s.io", status: owned},
}

func strategyOf(k schema.Kind) strategy {
	name := k.GroupKind()
	for _, s := range strategies {
		if s.kind == name {
			return s
		}
	}
	return strategy{kind: name}
}

// prepareCreate sets the fields of a new object that the server owns.
func (s strategy) prepareCreate(obj tree.Object) {
	if s.status == owned {
		delete(obj, "status")
	}
	if s.first > 0 {
		setGeneration(obj, s.first)
	}
	switch s.kind {
	case "Namespace":
		finalizers := tree.List(obj, "spec", "finalizers")
		for _, f := range finalizers {
			if f == "kubernetes" {
				return
			}
		}
		tree.Set(obj, append(append([]any(nil), finalizers...), "kubernetes"), "spec", "finalizers")
	case "Pod":
		obj["status"] = newPodStatus(obj)
		preparePod(obj)
	case "Node":
		prepareNode(obj)
	case "DaemonSet.apps":
		if n, err := strconv.ParseInt(tree.String(obj, "metadata", "annotations", templateGenerationKey), 10, 64); err != nil || n < 1 {
			templateGeneration(obj, "1")
		}
	case "PersistentVolumeClaim":
		claimSources(obj, nil)
	case "ServiceAccount":
		secretNames(obj)
	case "EndpointSlice.discovery.k8s.io":
		deprecatedTopology(obj, nil)
	case "CustomResourceDefinition.apiextensions.k8s.io":
		storedVersion(obj)
	case "APIService.apiregistration.k8s.io":
		if !tree.Has(obj, "spec", "service") { // served by the API server itself
			obj["status"] = tree.Object{"conditions": []any{tree.Object{
				"type": "Available", "status": "True", "reason": "Local", "message": "Local APIServices are always available"}}}
		}
	}
}

// deprecatedTopology follows dropTopologyOnV1: nobody can add the field
// (pkg/registry/discovery/endpointslice/strategy.go).
func deprecatedTopology(slice, old tree.Object) {
	if tree.Equal(slice["endpoints"], old["endpoints"]) {
		return
	}
	for _, e := range tree.List(slice, "endpoints") {
		delete(tree.Map(e), "deprecatedTopology")
	}
}

// prepareUpdate sets the fields that the server owns from old, and counts the
// generation; changed compares a field of the two semantically.
func (s strategy) prepareUpdate(obj, old tree.Object, changed func(field string) bool) {
	if s.status != ordinary {
		delete(obj, "status")
		keep(obj, old, "status")
	}
	generation, _ := tree.Int(old, "metadata", "generation")
	setGeneration(obj, generation)
	switch s.kind {
	case "Namespace":
		spec := tree.Map(obj, "spec")
		delete(spec, "finalizers")
		keep(spec, tree.Map(old, "spec"), "finalizers")
	case "EndpointSlice.discovery.k8s.io":
		deprecatedTopology(obj, old)
		if changed("addressType") || changed("endpoints") || changed("ports") || !sameEntries(obj, old, "labels") {
			setGeneration(obj, generation+1)
		}
	case "Service":
		if !balanced(tree.Map(obj, "spec")) && tree.Has(obj, "status") {
			status := tree.CopyObject(tree.Map(obj, "status"))
			status["loadBalancer"] = tree.Object{}
			obj["status"] = status
		}
	case "DaemonSet.apps":
		prepareDaemonSet(obj, old, changed)
	case "PersistentVolumeClaim":
		claimSources(obj, old)
	case "CertificateSigningRequest.certificates.k8s.io":
		keep(obj, old, "spec")
	case "ServiceAccount":
		secretNames(obj)
	case "CustomResourceDefinition.apiextensions.k8s.io":
		storedVersion(obj)
	}
	if s.counted != "" && changed(s.counted) || s.annotations && !sameEntries(obj, old, "annotations") {
		setGeneration(obj, generation+1)
	}
}

func setGeneration(obj tree.Object, n int64) {
	if n == 0 {
		tree.Delete(obj, "metadata", "generation")
		return
	}
	tree.Set(obj, n, "metadata", "generation")
}

// sameEntries compares labels or annotations; none and an empty map are equal.
func sameEntries(obj, old tree.Object, key string) bool {
	a, b := tree.Map(obj, "metadata", key), tree.Map(old, "metadata", key)
	return len(a) == 0 && len(b) == 0 || tree.Equal(a, b)
}

// prepareDaemonSet keeps the template generation, which conversion shows as an
// annotation, and raises it when the template changed.
func prepareDaemonSet(obj, old tree.Object, changed func(string) bool) {
	was := tree.String(old, "metadata", "annotations", templateGenerationKey)
	if changed("spec.template") {
		was = increment(was)
	}
	templateGeneration(obj, was)
}

// storedVersion adds the storage version to status.storedVersions.
func storedVersion(crd tree.Object) {
	for _, v := range tree.List(crd, "spec", "versions") {
		if !tree.Bool(v, "storage") {
			continue
		}
		name := tree.String(v, "name")
		stored := tree.List(crd, "status", "storedVersions")
		for _, s := range stored {
			if s == name {
				return
			}
		}
		status := tree.CopyObject(tree.Map(crd, "status"))
		if status == nil {
			status = tree.Object{}
		}
		status["storedVersions"] = append(append([]any(nil), stored...), name)
		crd["status"] = status
		return
	}
}

// secretNames follows cleanSecretReferences of ServiceAccounts.
func secretNames(sa tree.Object) {
	for _, s := range tree.List(sa, "secrets") {
		if ref, ok := s.(map[string]any); ok {
			for k := range ref {
				if k != "name" {
					delete(ref, k)
				}
			}
		}
	}
}

// claimSources follows EnforceDataSourceBackwardsCompatibility and
// NormalizeDataSources (pkg/api/persistentvolumeclaim/util.go).
func claimSources(pvc, old tree.Object) {
	spec, oldSpec := tree.Map(pvc, "spec"), tree.Map(old, "spec")
	if tree.String(spec, "dataSourceRef", "namespace") != "" && !tree.Has(oldSpec, "dataSourceRef") {
		delete(spec, "dataSourceRef") // gate CrossNamespaceVolumeDataSource is off
	}
	source, ref := tree.Map(spec, "dataSource"), tree.Map(spec, "dataSourceRef")
	if source != nil && ref == nil && !tree.Has(oldSpec, "dataSource") && !tree.Has(oldSpec, "dataSourceRef") {
		group, kind := tree.String(source, "apiGroup"), tree.String(source, "kind")
		if !(kind == "PersistentVolumeClaim" && group == "" || kind == "VolumeSnapshot" && group == "snapshot.storage.k8s.io") {
			delete(spec, "dataSource")
			return
		}
	}
	switch {
	case source != nil && ref == nil:
		spec["dataSourceRef"] = tree.CopyObject(source)
	case ref != nil && source == nil && tree.String(ref, "namespace") == "":
		source := tree.CopyObject(ref)
		delete(source, "namespace")
		spec["dataSource"] = source
	}
}

// changed compares a field of two decoded objects. With exact, an empty list
// and none differ.
func changed(obj, old tree.Object, t *schema.Type, path string, exact bool) bool {
	keys := strings.Split(path, ".")
	a, _ := tree.Get(obj, keys...)
	b, _ := tree.Get(old, keys...)
	if tree.Equal(a, b) {
		return false
	}
	for _, key := range keys {
		f := t.Field(key)
		if f == nil {
			return !tree.Equal(a, b)
		}
		t = f.Type
	}
	return !validation.Equal(a, b, t, exact)
}
