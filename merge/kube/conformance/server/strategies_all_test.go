package server

import (
	"os"
	"path/filepath"
	"strings"

	"k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingwebhookconfiguration"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/validatingwebhookconfiguration"
	"k8s.io/kubernetes/pkg/registry/apps/controllerrevision"
	"k8s.io/kubernetes/pkg/registry/autoscaling/horizontalpodautoscaler"
	"k8s.io/kubernetes/pkg/registry/certificates/certificates"
	"k8s.io/kubernetes/pkg/registry/coordination/lease"
	"k8s.io/kubernetes/pkg/registry/core/configmap"
	"k8s.io/kubernetes/pkg/registry/core/limitrange"
	"k8s.io/kubernetes/pkg/registry/core/namespace"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolume"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim"
	"k8s.io/kubernetes/pkg/registry/core/podtemplate"
	"k8s.io/kubernetes/pkg/registry/core/resourcequota"
	"k8s.io/kubernetes/pkg/registry/core/secret"
	"k8s.io/kubernetes/pkg/registry/core/serviceaccount"
	"k8s.io/kubernetes/pkg/registry/discovery/endpointslice"
	"k8s.io/kubernetes/pkg/registry/networking/ingress"
	"k8s.io/kubernetes/pkg/registry/networking/ingressclass"
	"k8s.io/kubernetes/pkg/registry/networking/ipaddress"
	"k8s.io/kubernetes/pkg/registry/networking/networkpolicy"
	"k8s.io/kubernetes/pkg/registry/networking/servicecidr"
	"k8s.io/kubernetes/pkg/registry/node/runtimeclass"
	"k8s.io/kubernetes/pkg/registry/policy/poddisruptionbudget"
	"k8s.io/kubernetes/pkg/registry/rbac/clusterrole"
	"k8s.io/kubernetes/pkg/registry/rbac/clusterrolebinding"
	"k8s.io/kubernetes/pkg/registry/rbac/role"
	"k8s.io/kubernetes/pkg/registry/rbac/rolebinding"
	"k8s.io/kubernetes/pkg/registry/resource/deviceclass"
	"k8s.io/kubernetes/pkg/registry/resource/resourceslice"
	"k8s.io/kubernetes/pkg/registry/scheduling/priorityclass"
	"k8s.io/kubernetes/pkg/registry/storage/csidriver"
	"k8s.io/kubernetes/pkg/registry/storage/csinode"
	"k8s.io/kubernetes/pkg/registry/storage/csistoragecapacity"
	"k8s.io/kubernetes/pkg/registry/storage/storageclass"
	"k8s.io/kubernetes/pkg/registry/storage/volumeattachment"
	"k8s.io/kubernetes/pkg/registry/storage/volumeattributesclass"
	"sigs.k8s.io/yaml"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// others are the kinds whose strategies need nothing else, beside the workloads. What is broken of
// them is the first manifest of the stories that upstream accepts.
var others = []workload{
	{kind: schema.Kind{Version: "v1", Kind: "ConfigMap"}, strategy: configmap.Strategy},
	{kind: schema.Kind{Version: "v1", Kind: "Secret"}, strategy: secret.Strategy},
	{kind: schema.Kind{Version: "v1", Kind: "ServiceAccount"}, strategy: serviceaccount.Strategy},
	{kind: schema.Kind{Version: "v1", Kind: "LimitRange"}, strategy: limitrange.Strategy},
	{kind: schema.Kind{Version: "v1", Kind: "ResourceQuota"}, strategy: resourcequota.Strategy},
	{kind: schema.Kind{Version: "v1", Kind: "PersistentVolume"}, strategy: persistentvolume.Strategy},
	{kind: schema.Kind{Version: "v1", Kind: "PersistentVolumeClaim"}, strategy: persistentvolumeclaim.Strategy},
	{kind: schema.Kind{Version: "v1", Kind: "PodTemplate"}, strategy: podtemplate.Strategy},
	{kind: schema.Kind{Version: "v1", Kind: "Namespace"}, strategy: namespace.Strategy},
	{kind: schema.Kind{Group: "apps", Version: "v1", Kind: "ControllerRevision"}, strategy: controllerrevision.Strategy},
	{kind: schema.Kind{Group: "networking.k8s.io", Version: "v1", Kind: "Ingress"}, strategy: ingress.Strategy},
	{kind: schema.Kind{Group: "networking.k8s.io", Version: "v1", Kind: "IngressClass"}, strategy: ingressclass.Strategy},
	{kind: schema.Kind{Group: "networking.k8s.io", Version: "v1", Kind: "NetworkPolicy"}, strategy: networkpolicy.Strategy},
	{kind: schema.Kind{Group: "networking.k8s.io", Version: "v1", Kind: "ServiceCIDR"}, strategy: servicecidr.Strategy},
	{kind: schema.Kind{Group: "networking.k8s.io", Version: "v1", Kind: "IPAddress"}, strategy: ipaddress.Strategy},
	{kind: schema.Kind{Group: "rbac.authorization.k8s.io", Version: "v1", Kind: "Role"}, strategy: role.Strategy},
	{kind: schema.Kind{Group: "rbac.authorization.k8s.io", Version: "v1", Kind: "ClusterRole"}, strategy: clusterrole.Strategy},
	{kind: schema.Kind{Group: "rbac.authorization.k8s.io", Version: "v1", Kind: "RoleBinding"}, strategy: rolebinding.Strategy},
	{kind: schema.Kind{Group: "rbac.authorization.k8s.io", Version: "v1", Kind: "ClusterRoleBinding"}, strategy: clusterrolebinding.Strategy},
	{kind: schema.Kind{Group: "certificates.k8s.io", Version: "v1", Kind: "CertificateSigningRequest"}, strategy: certificates.Strategy},
	{kind: schema.Kind{Group: "policy", Version: "v1", Kind: "PodDisruptionBudget"}, strategy: poddisruptionbudget.Strategy},
	{kind: schema.Kind{Group: "discovery.k8s.io", Version: "v1", Kind: "EndpointSlice"}, strategy: endpointslice.Strategy},
	{kind: schema.Kind{Group: "node.k8s.io", Version: "v1", Kind: "RuntimeClass"}, strategy: runtimeclass.Strategy},
	{kind: schema.Kind{Group: "scheduling.k8s.io", Version: "v1", Kind: "PriorityClass"}, strategy: priorityclass.Strategy},
	{kind: schema.Kind{Group: "storage.k8s.io", Version: "v1", Kind: "StorageClass"}, strategy: storageclass.Strategy},
	{kind: schema.Kind{Group: "storage.k8s.io", Version: "v1", Kind: "CSIDriver"}, strategy: csidriver.Strategy},
	{kind: schema.Kind{Group: "storage.k8s.io", Version: "v1", Kind: "CSINode"}, strategy: csinode.Strategy},
	{kind: schema.Kind{Group: "storage.k8s.io", Version: "v1", Kind: "CSIStorageCapacity"}, strategy: csistoragecapacity.Strategy},
	{kind: schema.Kind{Group: "storage.k8s.io", Version: "v1", Kind: "VolumeAttachment"}, strategy: volumeattachment.Strategy},
	{kind: schema.Kind{Group: "storage.k8s.io", Version: "v1", Kind: "VolumeAttributesClass"}, strategy: volumeattributesclass.Strategy},
	{kind: schema.Kind{Group: "coordination.k8s.io", Version: "v1", Kind: "Lease"}, strategy: lease.Strategy},
	{kind: schema.Kind{Group: "resource.k8s.io", Version: "v1", Kind: "DeviceClass"}, strategy: deviceclass.Strategy},
	{kind: schema.Kind{Group: "resource.k8s.io", Version: "v1", Kind: "ResourceSlice"}, strategy: resourceslice.Strategy},
	{kind: schema.Kind{Group: "admissionregistration.k8s.io", Version: "v1", Kind: "MutatingWebhookConfiguration"}, strategy: mutatingwebhookconfiguration.Strategy},
	{kind: schema.Kind{Group: "admissionregistration.k8s.io", Version: "v1", Kind: "ValidatingWebhookConfiguration"}, strategy: validatingwebhookconfiguration.Strategy},
	{kind: schema.Kind{Group: "autoscaling", Version: "v2", Kind: "HorizontalPodAutoscaler"}, strategy: horizontalpodautoscaler.Strategy},
}

func init() { workloads = append(workloads, others...) }

// storied is the first manifest of a kind in the stories that upstream's strategy accepts;
// nil if there is none.
func storied(w workload) tree.Object {
	for _, dir := range []string{"defaults", "validation", "minors", "server-side"} {
		files, _ := filepath.Glob(filepath.Join("../../../../fixtures", dir, "*.txtar"))
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil || !strings.Contains(string(text), "kind: "+w.kind.Kind) {
				continue
			}
			for _, part := range strings.Split("\n"+string(text), "\n-- ") {
				name, data, _ := strings.Cut(part, " --\n")
				if strings.HasPrefix(filepath.Base(name), "want") {
					continue
				}
				for _, doc := range strings.Split(data, "\n---\n") {
					js, err := yaml.YAMLToJSON([]byte(doc))
					if err != nil || !strings.HasPrefix(string(js), "{") {
						continue
					}
					obj := decode(js)
					if tree.String(obj, "kind") != w.kind.Kind || tree.String(obj, "apiVersion") != w.kind.APIVersion() || tree.Map(obj, "metadata") == nil {
						continue
					}
					if r, _ := schema.Builtin(w.kind); r.Namespaced {
						tree.Set(obj, "default", "metadata", "namespace")
					}
					if text, ok := upstreamRejection(w, kindOf(w.kind), obj); ok && text == "" {
						return obj
					}
				}
			}
		}
	}
	return nil
}
