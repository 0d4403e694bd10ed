package defaults

import (
	"threeway/merge/tree"
)

// coreRows follow pkg/apis/core/v1/defaults.go; the function is SetDefaults_ and
// the type's name.
var coreRows = []row{
	{"core/v1.PodSpec", "dnsPolicy", "ClusterFirst"},
	{"core/v1.PodSpec", "restartPolicy", "Always"},
	{"core/v1.PodSpec", "securityContext", tree.Object{}},
	{"core/v1.PodSpec", "terminationGracePeriodSeconds", int64(30)},
	{"core/v1.PodSpec", "schedulerName", "default-scheduler"},
	{"core/v1.Pod", "spec.enableServiceLinks", true},

	{"core/v1.Container", "terminationMessagePath", "/dev/termination-log"},
	{"core/v1.Container", "terminationMessagePolicy", "File"},
	{"core/v1.EphemeralContainer", "terminationMessagePath", "/dev/termination-log"},
	{"core/v1.EphemeralContainer", "terminationMessagePolicy", "File"},
	{"core/v1.Probe", "timeoutSeconds", int64(1)},
	{"core/v1.Probe", "periodSeconds", int64(10)},
	{"core/v1.Probe", "successThreshold", int64(1)},
	{"core/v1.Probe", "failureThreshold", int64(3)},
	{"core/v1.HTTPGetAction", "path", "/"},
	{"core/v1.HTTPGetAction", "scheme", "HTTP"},
	{"core/v1.ObjectFieldSelector", "apiVersion", "v1"},

	{"core/v1.SecretVolumeSource", "defaultMode", int64(0o644)},
	{"core/v1.ConfigMapVolumeSource", "defaultMode", int64(0o644)},
	{"core/v1.DownwardAPIVolumeSource", "defaultMode", int64(0o644)},
	{"core/v1.ProjectedVolumeSource", "defaultMode", int64(0o644)},
	{"core/v1.ServiceAccountTokenProjection", "expirationSeconds", int64(3600)},
	{"core/v1.HostPathVolumeSource", "type", ""},

	{"core/v1.Secret", "type", "Opaque"},
	{"core/v1.PersistentVolume", "status.phase", "Pending"},
	{"core/v1.PersistentVolume", "spec.persistentVolumeReclaimPolicy", "Retain"},
	{"core/v1.PersistentVolume", "spec.volumeMode", "Filesystem"},
	{"core/v1.PersistentVolumeClaim", "status.phase", "Pending"},
	{"core/v1.PersistentVolumeClaimSpec", "volumeMode", "Filesystem"},
	{"core/v1.NamespaceStatus", "phase", "Active"},
	{"core/v1.EndpointPort", "protocol", "TCP"},
	{"core/v1.ReplicationControllerSpec", "replicas", int64(1)},

	{"core/v1.Service", "spec.sessionAffinity", "None"},
	{"core/v1.Service", "spec.type", "ClusterIP"},
}

func coreRules() map[string]rule {
	return map[string]rule{
		"core/v1.Service":               service,
		"core/v1.ReplicationController": replicationController,
		"core/v1.Namespace":             namespace,
		"core/v1.NodeStatus":            nodeStatus,
		"core/v1.LimitRangeItem":        limitRangeItem,
		"core/v1.Pod":                   pod,
		"core/v1.Volume":                volume,
		"core/v1.Container":             container,
		"core/v1.EphemeralContainer":    container,
	}
}

// service follows SetDefaults_Service.
func service(svc tree.Object, _ int) {
	spec := tree.Map(svc, "spec")
	switch tree.String(spec, "sessionAffinity") {
	case "None":
		delete(spec, "sessionAffinityConfig")
	case "ClientIP":
		if !tree.Has(spec, "sessionAffinityConfig", "clientIP", "timeoutSeconds") {
			spec["sessionAffinityConfig"] = tree.Object{"clientIP": tree.Object{"timeoutSeconds": int64(10800)}}
		}
	}
	for _, p := range tree.List(spec, "ports") {
		port, _ := p.(map[string]any)
		if tree.String(port, "protocol") == "" {
			port["protocol"] = "TCP"
		}
		if target := port["targetPort"]; target == nil || target == int64(0) || target == "" {
			port["targetPort"] = port["port"]
		}
	}
	kind := tree.String(spec, "type")
	external := kind == "LoadBalancer" || kind == "NodePort" || kind == "ClusterIP" && len(tree.List(spec, "externalIPs")) > 0
	if external && tree.String(spec, "externalTrafficPolicy") == "" {
		spec["externalTrafficPolicy"] = "Cluster"
	}
	if (kind == "NodePort" || kind == "LoadBalancer" || kind == "ClusterIP") && spec["internalTrafficPolicy"] == nil {
		spec["internalTrafficPolicy"] = "Cluster"
	}
	if kind != "LoadBalancer" {
		return
	}
	if spec["allocateLoadBalancerNodePorts"] == nil {
		spec["allocateLoadBalancerNodePorts"] = true
	}
	for _, in := range tree.List(svc, "status", "loadBalancer", "ingress") {
		if in, _ := in.(map[string]any); tree.String(in, "ip") != "" && in["ipMode"] == nil {
			in["ipMode"] = "VIP"
		}
	}
}

// replicationController follows SetDefaults_ReplicationController.
func replicationController(rc tree.Object, _ int) {
	labels := tree.Map(rc, "spec", "template", "metadata", "labels")
	if labels == nil {
		return
	}
	if len(tree.Map(rc, "spec", "selector")) == 0 {
		tree.Set(rc, tree.CopyObject(labels), "spec", "selector")
	}
	if len(tree.Map(rc, "metadata", "labels")) == 0 {
		tree.Set(rc, tree.CopyObject(labels), "metadata", "labels")
	}
}

// namespace follows SetDefaults_Namespace: the label is forced.
func namespace(ns tree.Object, _ int) {
	if name := tree.String(ns, "metadata", "name"); name != "" {
		tree.Set(ns, name, "metadata", "labels", "kubernetes.io/metadata.name")
	}
}

// nodeStatus follows SetDefaults_NodeStatus.
func nodeStatus(status tree.Object, _ int) {
	if capacity := tree.Map(status, "capacity"); status["allocatable"] == nil && capacity != nil {
		status["allocatable"] = tree.CopyObject(capacity)
	}
}

// limitRangeItem follows SetDefaults_LimitRangeItem.
func limitRangeItem(item tree.Object, _ int) {
	if tree.String(item, "type") != "Container" {
		return
	}
	fill(item, "default", "max")
	fill(item, "defaultRequest", "default")
	fill(item, "defaultRequest", "min")
}

// fill copies the entries of the map from that the map to lacks.
func fill(m tree.Object, to, from string) {
	have := tree.Map(m, to)
	for k, v := range tree.Map(m, from) {
		if _, ok := have[k]; ok {
			continue
		}
		if have == nil {
			have = tree.Object{}
			m[to] = have
		}
		have[k] = v
	}
}
