package server

import "threeway/merge/kube/schema"

// words are strings that the server does something about, by field.
var words = map[string][]string{
	"type": {"RollingUpdate", "OnDelete", "Recreate", "ClusterIP", "NodePort", "LoadBalancer", "ExternalName", "Utilization", "AverageValue", "Value",
		"Resource", "ContainerResource", "Pods", "Object", "External", "Container", "Pod", "PersistentVolumeClaim", "Opaque", "Limited", "Exempt", "Queue", "Reject", "Directory"},
	"kind":                          {"User", "Group", "ServiceAccount", "Role", "ClusterRole", "Widget"},
	"apiGroup":                      {"", "rbac.authorization.k8s.io", "apps"},
	"sessionAffinity":               {"None", "ClientIP"},
	"restartPolicy":                 {"Always", "Never", "OnFailure"},
	"protocol":                      {"TCP", "UDP", "SCTP"},
	"allocationMode":                {"ExactCount", "All"},
	"strategy":                      {"None", "Webhook"},
	"serviceAccount":                {"a", "b"},
	"serviceAccountName":            {"a", "b"},
	"externalTrafficPolicy":         {"Local", "Cluster"},
	"policyTypes":                   {"Ingress", "Egress"},
	"provisioner":                   {"kubernetes.io/no-provisioner"},
	"failurePolicy":                 {"Ignore", "Fail"},
	"scope":                         {"Namespaced", "Cluster", "*"},
	"completionMode":                {"Indexed", "NonIndexed"},
	"ip":                            {"10.0.0.1", ""},
	"policy":                        {"Never", "Always"},
	"volumeBindingMode":             {"Immediate", "WaitForFirstConsumer"},
	"azureDataDiskKind":             {"Shared"},
	"terminationMessagePolicy":      {"File", "FallbackToLogsOnError"},
	"phase":                         {"Active", "Bound", "Pending"},
	"scheme":                        {"HTTPS", "HTTP"},
	"name":                          {"cpu", "memory", "a", "b", "v1", "v1beta1"},
	"mediumType":                    {"Memory"},
	"persistentVolumeReclaimPolicy": {"Delete", "Retain"},
	"image":                         images,
	"reference":                     images,
}

var images = []string{"nginx", "nginx:latest", "nginx:1.2", "NGINX", "a.b/c", "a.b:5000/c:latest", "a/b@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
	"a:latest@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "x@md5:00", "localhost/a", "Foo/bar", "a//b", ":latest", "a:", "a__b/c-d:latest",
	"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "[::1]:5000/a:latest", "docker.io/a", "a:LATEST", "a@b", "index.docker.io/x:latest"}

// annotations are keys that conversion treats.
var annotations = []string{
	"autoscaling.alpha.kubernetes.io/metrics", "autoscaling.alpha.kubernetes.io/behavior", "autoscaling.alpha.kubernetes.io/conditions",
	"autoscaling.alpha.kubernetes.io/current-metrics", "deprecated.daemonset.template.generation", "deprecated.deployment.rollback.to",
	"pod.beta.kubernetes.io/init-containers", "kubectl.kubernetes.io/last-applied-configuration", "volume.beta.kubernetes.io/storage-class",
}

var resources = []string{"cpu", "memory", "hugepages-2Mi", "ephemeral-storage", "example.com/gpu", "storage", "pods"}

func (g *generator) text(name string) string {
	if known := words[name]; known != nil && g.IntN(8) > 0 {
		return pick(g, known...)
	}
	return pick(g, "a", "b", "", "x", "1", "é<&>\u2028", "Always", "None", "cpu", "v1")
}

// key makes a key of a map.
func (g *generator) key(t *schema.Type) string {
	switch {
	case t.Elem.Form == schema.Quantity:
		return pick(g, resources...)
	case t.Elem.Form == schema.String && g.IntN(5) == 0:
		return pick(g, annotations...)
	}
	return pick(g, "a", "b", "", "x.y/z", "name")
}
