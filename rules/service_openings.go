package rules

import (
	"fmt"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

const closeService = "use type ClusterIP if only the cluster needs the Service"

// openType is what the type of a Service, or one more port of it, opens.
func openType(o *lint.Object) (list []opening) {
	was, now := tree.String(o.Before, "spec", "type"), tree.String(o.Result, "spec", "type")
	ports, path := servicePorts(o.Result), fieldpath.New("spec", "type")
	text := ""
	switch {
	case now == was && (now == "LoadBalancer" || now == "NodePort"):
		return openPorts(o, map[string]string{"LoadBalancer": "the load balancer", "NodePort": "every node"}[now])
	case now == was:
		return nil
	case now == "LoadBalancer" && internalMark(o.Result) != "":
		text = "apply asks for an internal load balancer: %s can be reached from the network of the nodes"
	case now == "LoadBalancer":
		text = "apply asks for a load balancer: %s can be reached from outside the cluster"
		if ranges := tree.List(o.Result, "spec", "loadBalancerSourceRanges"); len(ranges) > 0 {
			text += " by " + joined(ranges)
		}
	case now == "NodePort" && was != "LoadBalancer":
		text = "apply opens a port on every node: %s can be reached at the addresses of the nodes"
	default:
		return nil
	}
	return []opening{{path, fmt.Sprintf(text, strings.Join(ports, ", ")), closeService, len(ports), nil}}
}

// openPorts are the ports that a Service which is open already opens besides.
func openPorts(o *lint.Object, where string) (list []opening) {
	have := servicePorts(o.Before)
	for _, port := range servicePorts(o.Result) {
		if !slices.Contains(have, port) {
			list = append(list, opening{fieldpath.New("spec", "ports"), fmt.Sprintf("apply opens %s on %s", port, where),
				"give the port to a Service of type ClusterIP if only the cluster needs it", 1, nil})
		}
	}
	return list
}

// openRanges are the source addresses that a load balancer lets in besides.
func openRanges(o *lint.Object) (list []opening) {
	const balanced = "LoadBalancer"
	if tree.String(o.Before, "spec", "type") != balanced || tree.String(o.Result, "spec", "type") != balanced {
		return nil
	}
	ports := len(servicePorts(o.Result))
	if mark := internalMark(o.Before); mark != "" && internalMark(o.Result) == "" {
		list = append(list, opening{fieldpath.New("metadata", "annotations", mark), "the load balancer is no longer internal: it may get a public address",
			"keep the annotation that makes the load balancer internal", ports, nil})
	}
	fix := "remove the range if these addresses need no access"
	if tree.List(o.Result, "spec", "loadBalancerSourceRanges") == nil {
		fix = "keep the ranges unless everyone may connect"
	}
	by := ""
	if names := otherOwners(o, sourceRanges); names != nil {
		by = " (the ranges were set by " + strings.Join(names, ", ") + ")"
	}
	for _, r := range wider(tree.List(o.Before, "spec", "loadBalancerSourceRanges"), tree.List(o.Result, "spec", "loadBalancerSourceRanges")) {
		list = append(list, opening{sourceRanges, fmt.Sprintf("apply lets %s reach the load balancer%s", r, by), fix, ports, nil})
	}
	return list
}

// opensAt reports whether opens-to-outside tells of a change of source ranges, and who set them.
func opensAt(o *lint.Object, path fieldpath.Path) bool {
	return o.Is("Service") && path.Equal(sourceRanges) && slices.ContainsFunc(openRanges(o), func(way opening) bool { return way.path.Equal(path) })
}

var sourceRanges = fieldpath.New("spec", "loadBalancerSourceRanges")

// openAddresses are the external IPs at which a Service is reached besides.
func openAddresses(o *lint.Object) (list []opening) {
	had, ports := tree.List(o.Before, "spec", "externalIPs"), servicePorts(o.Result)
	for _, ip := range tree.List(o.Result, "spec", "externalIPs") {
		if !slices.Contains(had, ip) {
			list = append(list, opening{fieldpath.New("spec", "externalIPs"), fmt.Sprintf("the nodes accept traffic for the external IP %v: %s", ip, strings.Join(ports, ", ")),
				"remove externalIPs if the Service does not need its own address", len(ports), nil})
		}
	}
	return list
}

// servicePorts are the ports of a Service as 80/TCP.
func servicePorts(service tree.Object) (list []string) {
	for _, port := range tree.List(service, "spec", "ports") {
		n, _ := tree.Int(port, "port")
		protocol := tree.String(port, "protocol")
		if protocol == "" {
			protocol = "TCP"
		}
		list = append(list, fmt.Sprintf("port %d/%s", n, protocol))
	}
	return list
}

// internalMarks are the annotations by which cloud providers make a load balancer
// internal (https://kubernetes.io/docs/concepts/services-networking/service/#internal-load-balancer).
var internalMarks = []struct{ annotation, value string }{
	{"service.beta.kubernetes.io/aws-load-balancer-internal", "true"},
	{"service.beta.kubernetes.io/aws-load-balancer-internal", "0.0.0.0/0"},
	{"service.beta.kubernetes.io/aws-load-balancer-scheme", "internal"},
	{"service.beta.kubernetes.io/azure-load-balancer-internal", "true"},
	{"networking.gke.io/load-balancer-type", "Internal"},
	{"cloud.google.com/load-balancer-type", "Internal"},
	{"service.kubernetes.io/ibm-load-balancer-cloud-provider-ip-type", "private"},
	{"service.beta.kubernetes.io/openstack-internal-load-balancer", "true"},
	{"service.beta.kubernetes.io/alibaba-cloud-loadbalancer-address-type", "intranet"},
	{"service.beta.kubernetes.io/oci-load-balancer-internal", "true"},
}

// internalMark is the annotation that makes the load balancer of a Service an
// internal one; "" if none does.
func internalMark(service tree.Object) string {
	annotations := tree.Map(service, "metadata", "annotations")
	for _, mark := range internalMarks {
		if annotations[mark.annotation] == mark.value {
			return mark.annotation
		}
	}
	return ""
}
