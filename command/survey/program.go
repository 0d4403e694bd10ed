package survey

import (
	"strings"

	"threeway/merge/tree"
)

// programs are the groups of files that look like objects and that no API server stores, with
// who reads them. Their documentation says so, of most in its first example.
var programs = map[string]string{
	"apiserver.config.k8s.io":             "the API server",
	"apiserver.k8s.io":                    "the API server",
	"audit.k8s.io":                        "the API server",
	"backstage.io":                        "Backstage",
	"builtin":                             "kustomize",
	"chainsaw.kyverno.io":                 "Chainsaw",
	"cli.kyverno.io":                      "the Kyverno CLI",
	"client.authentication.k8s.io":        "kubectl",
	"config.kubernetes.io":                "kpt",
	"controller-runtime.sigs.k8s.io":      "controller-runtime",
	"credentialprovider.kubelet.k8s.io":   "the kubelet",
	"eksctl.io":                           "eksctl",
	"fn.kpt.dev":                          "kpt",
	"garden.io":                           "Garden",
	"k0sctl.k0sproject.io":                "k0sctl",
	"k3d.io":                              "k3d",
	"kind.x-k8s.io":                       "kind",
	"kops.k8s.io":                         "kOps",
	"kpt.dev":                             "kpt",
	"kubeadm.k8s.io":                      "kubeadm",
	"kubecontrollermanager.config.k8s.io": "kube-controller-manager",
	"kubectl.config.k8s.io":               "kubectl",
	"kubelet.config.k8s.io":               "the kubelet",
	"kubeproxy.config.k8s.io":             "kube-proxy",
	"kubescheduler.config.k8s.io":         "kube-scheduler",
	"kustomize.config.k8s.io":             "kustomize",
	"kuttl.dev":                           "kuttl",
	"scorecard.operatorframework.io":      "operator-sdk",
	"skaffold":                            "Skaffold",
	"test.gatekeeper.sh":                  "gator",
}

// unnamed is who reads an object that no server stores: one without metadata that is of no API of
// Kubernetes, or one with a placeholder in braces for its name; "" for others.
func unnamed(group string, o tree.Object) string {
	if _, ok := tree.Map(o, "metadata")["name"].(map[string]any); ok { // name: {NAME}
		return processed
	}
	if _, has := o["metadata"]; has || !strings.Contains(group, ".") || strings.HasSuffix(group, ".k8s.io") {
		return ""
	}
	return group
}

// ofProgram is who reads a file with an object of a group, version and kind; "" if an API server may.
func ofProgram(group, version, kind string) string {
	switch {
	case group == "" && kind == "Config" && version == "v1":
		return "kubectl"
	case group == "" && version == "v1alpha1":
		return "Talos"
	case strings.ContainsAny(kind, "/."): // the kind of a definition is a DNS label
		return "another program"
	case kind == "Template" && version == "v1" && (group == "" || group == "template.openshift.io"):
		return processed
	}
	return programs[group]
}

// processed reads templates of OpenShift, or such as sed fills in: what it makes of one is applied.
const processed = "oc process"

// madeFor is what a file is that only a program reads.
func madeFor(program string) string {
	if program == processed {
		return Template
	}
	return "a configuration of " + program
}
