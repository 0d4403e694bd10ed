package server

import (
	"encoding/base64"
	"fmt"

	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/format"
	"threeway/merge/kube/internal/minors"
	"threeway/merge/kube/internal/policy"
	"threeway/merge/kube/internal/validation"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// admitCreate does what the admission plugins that are on by default do to a
// new object (pkg/kubeapiserver/options/plugins.go), as far as the snapshot
// tells.
func (s *Server) admitCreate(k schema.Kind, obj tree.Object) *fault.Rejection {
	if r := s.namespaceExists(k, obj); r != nil {
		return r
	}
	if row := kindOf(k); row.admitNew != nil {
		if r := row.admitNew(s, k, obj); r != nil && !s.open(r.OneLine()) {
			return r
		}
	}
	return nil
}

func admitClaim(s *Server, _ schema.Kind, pvc tree.Object) *fault.Rejection {
	addFinalizer(pvc, "kubernetes.io/pvc-protection")
	s.defaultStorageClass(pvc)
	return nil
}

func admitVolume(_ *Server, _ schema.Kind, volume tree.Object) *fault.Rejection {
	addFinalizer(volume, "kubernetes.io/pv-protection")
	return nil
}

func admitAttributesClass(_ *Server, _ schema.Kind, class tree.Object) *fault.Rejection {
	addFinalizer(class, "kubernetes.io/vac-protection")
	return nil
}

func (s *Server) admitPod(k schema.Kind, pod tree.Object) *fault.Rejection {
	s.limitRanger(pod)
	if r := s.serviceAccount(k, pod); r != nil {
		return r
	}
	if r := s.priority(k, pod); r != nil {
		return r
	}
	tolerateNodeTrouble(pod)
	if r := s.runtimeClass(k, pod); r != nil {
		return r
	}
	s.topologyLabels(pod)
	return nil
}

// topologyLabels is PodTopologyLabels: a Pod that names its Node gets the Node's
// labels of zone and region (plugin/pkg/admission/podtopologylabels).
func (s *Server) topologyLabels(pod tree.Object) {
	name := tree.String(pod, "spec", "nodeName")
	if name == "" || !minors.TopologyLabels.In(s.Minor) {
		return
	}
	node := s.around().find("Node", "", name)
	for _, key := range []string{"topology.kubernetes.io/zone", "topology.kubernetes.io/region"} {
		if value, there := tree.Map(node, "metadata", "labels")[key]; there {
			tree.Set(pod, value, "metadata", "labels", key)
		}
	}
}

// keepPriority is what mutating admission does to a Pod that is there already.
func keepPriority(pod, old tree.Object) {
	spec := tree.Map(pod, "spec")
	for _, key := range []string{"priority", "preemptionPolicy"} {
		if !tree.Has(spec, key) {
			keep(spec, tree.Map(old, "spec"), key)
		}
	}
	tolerateNodeTrouble(pod)
}

// limited holds a new Pod to the LimitRanges, and a claim with each update until it is
// being deleted.
func (s *Server) limited(r *validation.Request) *fault.Rejection {
	if r.Kind != claimKind && (r.Kind != podKind || r.Old != nil) || tree.Has(r.Old, "metadata", "deletionTimestamp") {
		return nil
	}
	return s.limits(r.Kind, r.Object, r.Old)
}

// onlyDefault is the Priority plugin's check of a PriorityClass.
func (s *Server) onlyDefault(r *validation.Request) *fault.Rejection {
	if r.Kind.GroupKind() != priorityClasses || !tree.Bool(r.Object, "globalDefault") {
		return nil
	}
	if name := tree.String(s.around().byDefault(priorityClasses), "metadata", "name"); name != "" && name != tree.String(r.Object, "metadata", "name") {
		return s.around().forbidden(r.Kind, r.Object, "PriorityClass "+name+" is already marked as default. Only one default can exist")
	}
	return nil
}

// namespaceExists is NamespaceLifecycle
// (apiserver pkg/admission/plugin/namespace/lifecycle).
func (s *Server) namespaceExists(k schema.Kind, obj tree.Object) *fault.Rejection {
	name := tree.String(obj, "metadata", "namespace")
	if name == "" {
		return nil
	}
	namespace, known := s.around().Namespace(name)
	switch {
	case !known, namespace == nil && s.open(name):
		return nil
	case namespace == nil:
		return fault.Reject("NotFound", fault.Words("namespaces %s not found", `"`+name+`"`), fault.Fault{Code: fault.Absent})
	case tree.String(namespace, "status", "phase") == "Terminating":
		return s.around().forbidden(k, obj, "unable to create new content in namespace "+name+" because it is being terminated")
	}
	return nil
}

// addFinalizer is StorageObjectInUseProtection.
func addFinalizer(obj tree.Object, name string) {
	have := tree.List(obj, "metadata", "finalizers")
	for _, f := range have {
		if f == name {
			return
		}
	}
	tree.Set(obj, append(append([]any(nil), have...), name), "metadata", "finalizers")
}

// defaultStorageClass is the plugin of that name: a claim without class gets
// the default one.
func (s *Server) defaultStorageClass(pvc tree.Object) {
	if tree.Has(pvc, "spec", "storageClassName") || tree.Has(pvc, "metadata", "annotations", "volume.beta.kubernetes.io/storage-class") {
		return
	}
	if class := tree.String(s.around().byDefault(storageClasses), "metadata", "name"); class != "" {
		tree.Set(pvc, class, "spec", "storageClassName")
	}
}

// defaultIngressClass is the plugin of that name.
func (s *Server) defaultIngressClass(_ schema.Kind, ingress tree.Object) *fault.Rejection {
	if tree.Has(ingress, "spec", "ingressClassName") || tree.Has(ingress, "metadata", "annotations", "kubernetes.io/ingress.class") {
		return nil
	}
	if class := tree.String(s.around().byDefault(ingressClasses), "metadata", "name"); class != "" {
		tree.Set(ingress, class, "spec", "ingressClassName")
	}
	return nil
}

// These are kinds whose objects give others defaults.
const (
	priorityClasses = "PriorityClass.scheduling.k8s.io"
	storageClasses  = "StorageClass.storage.k8s.io"
	ingressClasses  = "IngressClass.networking.k8s.io"
	runtimeClasses  = "RuntimeClass.node.k8s.io"
	limitRanges     = "LimitRange"
)

// defaultClass are the annotations that mark a class as default.
var defaultClass = map[string]string{
	storageClasses: "storageclass.kubernetes.io/is-default-class",
	ingressClasses: "ingressclass.kubernetes.io/is-default-class",
}

// systemPriorities are the classes that every server makes
// (pkg/apis/scheduling/v1/helpers.go).
var systemPriorities = map[string]int64{
	"system-node-critical":    2000001000,
	"system-cluster-critical": 2000000000,
}

// priority is the Priority plugin (plugin/pkg/admission/priority).
func (s *Server) priority(k schema.Kind, pod tree.Object) *fault.Rejection {
	spec := tree.Map(pod, "spec")
	class := tree.String(spec, "priorityClassName")
	value, policy := int64(0), any("PreemptLowerPriority")
	found := class == ""
	if v, ok := systemPriorities[class]; ok {
		found, value = true, v
	}
	c := s.around().byDefault(priorityClasses)
	if class != "" {
		c = s.around().find(priorityClasses, "", class)
	}
	if c != nil {
		found = true
		value, _ = tree.Int(c, "value")
		if c["preemptionPolicy"] != nil {
			policy = c["preemptionPolicy"]
		}
		if class == "" {
			class = tree.String(c, "metadata", "name")
			spec["priorityClassName"] = class
		}
	}
	if !found {
		if !s.around().tells(priorityClasses) {
			return nil // the snapshot holds none of the kind; it cannot tell
		}
		return s.around().forbidden(k, pod, "no PriorityClass with name "+class+" was found", fault.Fault{Code: fault.Absent}).DecidedBy(priorityClasses, class)
	}
	const computed = "must not be provided in pod spec; priority admission controller computed %v from the given PriorityClass name"
	if have := spec["priority"]; have != nil && have != value {
		return s.around().forbidden(k, pod, fmt.Sprintf("the integer value of priority (%v) "+computed, have, value)).DecidedBy(priorityClasses, class)
	}
	if have := spec["preemptionPolicy"]; have != nil && have != policy {
		return s.around().forbidden(k, pod, fmt.Sprintf("the string value of PreemptionPolicy (%v) "+computed, have, policy)).DecidedBy(priorityClasses, class)
	}
	spec["priority"], spec["preemptionPolicy"] = value, policy
	return nil
}

// tolerateNodeTrouble is DefaultTolerationSeconds.
func tolerateNodeTrouble(pod tree.Object) {
	list := tree.List(pod, "spec", "tolerations")
	for _, key := range []string{"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"} {
		tolerated := false
		for _, t := range list {
			k, effect := tree.String(t, "key"), tree.String(t, "effect")
			tolerated = tolerated || (k == key || k == "") && (effect == "NoExecute" || effect == "")
		}
		if !tolerated {
			list = append(list, tree.Object{"key": key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": int64(300)})
		}
	}
	tree.Set(pod, list, "spec", "tolerations")
}

// resize is PersistentVolumeClaimResize
// (plugin/pkg/admission/storage/persistentvolume/resize). That only a bound
// claim grows, validation has said before.
func (s *Server) resize(res *Result, r *validation.Request) *fault.Rejection {
	if r.Kind != claimKind || r.Old == nil {
		return nil
	}
	pvc, old := r.Object, r.Old
	was, err := format.Quantity(tree.String(old, "spec", "resources", "requests", "storage"))
	now, err2 := format.Quantity(tree.String(pvc, "spec", "resources", "requests", "storage"))
	if err != nil || err2 != nil || now.Cmp(was) <= 0 {
		return nil
	}
	name := tree.String(old, "metadata", "annotations", "volume.beta.kubernetes.io/storage-class")
	if name == "" {
		name = tree.String(old, "spec", "storageClassName")
	}
	if tree.Bool(s.around().find(storageClasses, "", name), "allowVolumeExpansion") {
		return nil
	}
	if !s.around().tells(storageClasses) && (name != "" || s.around().Assumed()) { // the snapshot holds none of the kind
		if !s.around().Assumed() {
			res.Undecided = append(res.Undecided, policy.Undecided{Kind: "StorageClass", Policy: name, Needs: []string{"allowVolumeExpansion"}, Effect: policy.Rejects})
		}
		return nil
	}
	return s.around().forbidden(r.Kind, pvc, "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize",
		fault.Fault{Code: fault.NoExpansion, Path: fieldpath.New("spec", "resources", "requests", "storage")})
}

func base64Text(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
