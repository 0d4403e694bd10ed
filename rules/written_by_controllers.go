package rules

import (
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	owned "threeway/merge/owners"
)

// controllerField is a field that a controller writes by design into objects that a
// manifest makes: no change by hand, and nothing to remove.
type controllerField struct {
	kinds  []string
	path   string // names only; an item of a list has none
	writer string
	source string // where the writer does it
}

// controllerFields are those of Kubernetes, and of the programs that inject certificates.
var controllerFields = []controllerField{
	{[]string{"PersistentVolume"}, "spec.claimRef", "the volume binder", "pkg/controller/volume/persistentvolume/pv_controller.go bindVolumeToClaim"},
	{[]string{"PersistentVolume"}, "spec.nodeAffinity", "the provisioner", "pkg/scheduler/framework/plugins/volumebinding"},
	{[]string{"PersistentVolumeClaim"}, "spec.storageClassName", "the default class", "plugin/pkg/admission/storage/storageclass/setdefault, pv_controller.go assignDefaultStorageClass"},
	{[]string{"PersistentVolumeClaim"}, "spec.volumeName", "the volume binder", "pkg/controller/volume/persistentvolume/pv_controller.go bindClaimToVolume"},
	{[]string{"ServiceAccount"}, "secrets", "the token controller", "pkg/controller/serviceaccount/tokens_controller.go"},
	{[]string{"ServiceAccount"}, "imagePullSecrets", "a controller of pull secrets", "OpenShift: pkg/serviceaccounts/controllers"},
	{[]string{"MutatingWebhookConfiguration.admissionregistration.k8s.io", "ValidatingWebhookConfiguration.admissionregistration.k8s.io"},
		"webhooks.clientConfig.caBundle", "a CA injector", "cert-manager pkg/controller/cainjector"},
	{[]string{"CustomResourceDefinition.apiextensions.k8s.io"}, "spec.conversion.webhook.clientConfig.caBundle", "a CA injector", "cert-manager pkg/controller/cainjector"},
	{[]string{"APIService.apiregistration.k8s.io"}, "spec.caBundle", "a CA injector", "cert-manager pkg/controller/cainjector"},
	{[]string{"Service"}, "spec.clusterIP", "the server", "pkg/registry/core/service/storage/alloc.go"},
	{[]string{"Service"}, "spec.clusterIPs", "the server", "pkg/registry/core/service/storage/alloc.go"},
	{[]string{"Service"}, "spec.ipFamilies", "the server", "pkg/registry/core/service/storage/alloc.go"},
	{[]string{"Service"}, "spec.ipFamilyPolicy", "the server", "pkg/registry/core/service/storage/alloc.go"},
	{[]string{"Service"}, "spec.healthCheckNodePort", "the server", "pkg/registry/core/service/storage/alloc.go"},
	{[]string{"Service"}, "spec.ports.nodePort", "the server", "pkg/registry/core/service/storage/alloc.go"},
	{[]string{"Service"}, "spec.selector.rollouts-pod-template-hash", "Argo Rollouts", "argo-rollouts rollout/service.go"},
	{[]string{"Ingress.networking.k8s.io"}, "spec.ingressClassName", "the default class", "plugin/pkg/admission/network/defaultingressclass"},
	{[]string{"CertificateSigningRequest.certificates.k8s.io"}, "spec.username", "the server", "pkg/registry/certificates/certificates/strategy.go"},
	{[]string{"CertificateSigningRequest.certificates.k8s.io"}, "spec.uid", "the server", "pkg/registry/certificates/certificates/strategy.go"},
	{[]string{"CertificateSigningRequest.certificates.k8s.io"}, "spec.groups", "the server", "pkg/registry/certificates/certificates/strategy.go"},
	{[]string{"CertificateSigningRequest.certificates.k8s.io"}, "spec.extra", "the server", "pkg/registry/certificates/certificates/strategy.go"},
	{[]string{"Namespace"}, "spec.finalizers", "the server", "pkg/registry/core/namespace/strategy.go"},
	{[]string{"Node"}, "spec.podCIDR", "the node controllers", "pkg/controller/nodeipam"},
	{[]string{"Node"}, "spec.podCIDRs", "the node controllers", "pkg/controller/nodeipam"},
	{[]string{"Node"}, "spec.providerID", "the kubelet", "pkg/kubelet/kubelet_node_status.go"},
	{[]string{"Node"}, "spec.taints", "the node controllers", "pkg/controller/nodelifecycle"},
	{[]string{"Pod"}, "spec.nodeName", "the scheduler", "pkg/registry/core/pod/storage BindingREST"},
	{[]string{"EndpointSlice.discovery.k8s.io", "Endpoints"}, "", "the endpoint controllers", "pkg/controller/endpointslice"},
	{[]string{"Lease.coordination.k8s.io"}, "spec", "the holder", "client-go tools/leaderelection"},
}

// peopleToo are those of the fields that people set by hand as well, and may remove.
var peopleToo = map[string]bool{"imagePullSecrets": true, "spec.ingressClassName": true, "spec.taints": true}

// byController reports whether a controller writes a field of an object by design. An autoscaler writes the scale of an object.
func byController(o *lint.Object, path fieldpath.Path) bool {
	by := func(is func(owned.Entry) bool) bool {
		return slices.ContainsFunc(o.Owners(), func(w owned.Entry) bool { return is(w) && w.Owns(path) })
	}
	if filledIn(o, path) || by(func(w owned.Entry) bool { return w.Subresource == "scale" && !strings.HasPrefix(w.Manager, "kubectl") }) {
		return true
	}
	var names []string
	for _, s := range path {
		if s.Field != "" {
			names = append(names, s.Field)
		}
	}
	name := strings.Join(names, ".")
	return slices.ContainsFunc(controllerFields, func(f controllerField) bool {
		return o.Is(f.kinds...) && (f.path == "" || name == f.path || strings.HasPrefix(name, f.path+".")) &&
			!(peopleToo[f.path] && by(func(w owned.Entry) bool { return imperative(w.Manager) }))
	})
}

// appliedBy is the manager that applied the manifest of a live object server-side:
// the one that owns most of what it sets; "" if there is none. A controller that
// applies some fields of its own is not.
func appliedBy(o *lint.Object) string {
	isApply := func(w owned.Entry) bool { return w.Applies() && w.Subresource == "" }
	if !slices.ContainsFunc(o.Owners(), isApply) {
		return ""
	}
	sets, all, byDesign := map[string]int{}, map[string]bool{}, map[string]bool{}
	var appliers []string
	for _, w := range o.Owners() {
		applies := isApply(w)
		for _, leaf := range w.Leaves() {
			field := leaf.String()
			if _, known := byDesign[field]; !known {
				byDesign[field] = byController(o, leaf)
			}
			if byDesign[field] {
				continue
			}
			if applies && !slices.Contains(appliers, w.Manager) {
				appliers = append(appliers, w.Manager)
			}
			if o.Has(leaf, o.Manifest.Tree) {
				all[field] = true
				if applies {
					sets[w.Manager]++
				}
			}
		}
	}
	for _, name := range appliers {
		if len(all) == 0 && len(appliers) == 1 || 2*sets[name] > len(all) {
			return name
		}
	}
	return ""
}
