package setting

import (
	"slices"
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// patient reports whether a probe asks the container itself at one of its ports, and lets it fail for
// as long as the defaults of a probe do: what fails it is broken.
func patient(probe any, at fieldpath.Path, after tree.Object) bool {
	container, _ := at[:len(at)-1].Find(after)
	for _, how := range []string{"httpGet", "tcpSocket", "grpc"} {
		asks := tree.Map(probe, how)
		if asks == nil || tree.String(asks, "host") != "" {
			continue
		}
		isPort := func(p any) bool {
			return tree.Map(p)["name"] == asks["port"] || tree.Map(p)["containerPort"] == asks["port"]
		}
		delay, _ := tree.Int(probe, "initialDelaySeconds")
		period, _ := tree.Int(probe, "periodSeconds")
		failures, _ := tree.Int(probe, "failureThreshold")
		return slices.ContainsFunc(tree.List(container, "ports"), isPort) && delay+period*failures >= 30
	}
	return false
}

// small reports whether what a container asks for where it asked for nothing fits on any node.
func small(request any, at fieldpath.Path, _ tree.Object) bool {
	n, ok := amount(request)
	return ok && n <= map[string]float64{"cpu": 1, "memory": 1 << 30, "ephemeral-storage": 4 << 30}[at[len(at)-1].Field]
}

// inCluster reports whether the ports of a Service are open in the cluster alone.
func inCluster(_ any, _ fieldpath.Path, after tree.Object) bool {
	kind := tree.String(after, "spec", "type")
	return (kind == "" || kind == "ClusterIP") && len(tree.List(after, "spec", "externalIPs")) == 0
}

// protocolOfName reports whether a port of a Service has the protocol that its name begins with, which
// is what programs take it for.
func protocolOfName(protocol any, at fieldpath.Path, after tree.Object) bool {
	port, _ := at[:len(at)-1].Find(after)
	begins, _, _ := strings.Cut(tree.String(port, "name"), "-")
	return protocol == any(begins)
}
