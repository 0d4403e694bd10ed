package rules

import (
	"fmt"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

var opensToOutside = &lint.Rule{
	ID:    "opens-to-outside",
	Title: "something can be reached from outside the cluster",
	Text: "Apply gives a Service a load balancer, ports on the nodes or external IPs, opens one more port of such a Service, lets more source " +
		"addresses in, makes an internal load balancer an external one, serves one more host or path by an Ingress, or opens a port of the node " +
		"for a container. Compared with the live object: what is open already is not reported. An object that is created, and a route of an Ingress, are an info.",
	Why: "Whoever reaches the load balancer or the node reaches the pods. Apply says no more than \"configured\".",
	Fix: "Keep the type ClusterIP for what only the cluster uses, or name the addresses that may connect in loadBalancerSourceRanges.",
	Links: []string{"https://kubernetes.io/docs/concepts/services-networking/service/#publishing-services-service-types",
		"https://kubernetes.io/docs/concepts/services-networking/ingress/"},
	Severity: lint.Warning,
	Since:    "0.10",
	Run: func(p *lint.Pass) {
		c := clusterOf(p)
		for o := range p.Accepted() {
			created, ok := c.changes(o)
			if !ok {
				continue
			}
			for _, opening := range openings(p, o) {
				r := lint.Report{Path: opening.path, Message: opening.text, Fix: opening.fix}
				if created || o.Is("Ingress.networking.k8s.io") {
					r.Severity = lint.Info
				}
				if !created {
					r.LivePath = opening.path
				}
				p.Report(o, r)
				if created {
					break // one finding for a new object
				}
			}
		}
	},
}

// opening is one way in that the apply opens.
type opening struct {
	path      fieldpath.Path
	text, fix string
}

func openings(p *lint.Pass, o *lint.Object) []opening {
	switch {
	case o.Is("Service"):
		return openService(p, o)
	case o.Is("Ingress.networking.k8s.io"):
		return openIngress(o)
	}
	return openHostPorts(o)
}

func openService(p *lint.Pass, o *lint.Object) (list []opening) {
	was, now := tree.String(o.Before, "spec", "type"), tree.String(o.Result, "spec", "type")
	add := func(path fieldpath.Path, text, fix string) {
		if !departed(p, o, path) {
			list = append(list, opening{path, text, fix})
		}
	}
	balanced, external := now == "LoadBalancer", internalMark(o.Result) == ""
	ports := servicePorts(o.Result)
	switch {
	case balanced && was != now && external:
		text := fmt.Sprintf("apply asks for a load balancer: %s can be reached from outside the cluster", strings.Join(ports, ", "))
		if ranges := tree.List(o.Result, "spec", "loadBalancerSourceRanges"); len(ranges) > 0 {
			text += " by " + lint.Value(ranges)
		}
		add(fieldpath.New("spec", "type"), text, "use type ClusterIP if only the cluster needs the Service, or set loadBalancerSourceRanges")
	case balanced && was != now:
		add(fieldpath.New("spec", "type"), fmt.Sprintf("apply asks for an internal load balancer: %s can be reached from the network of the nodes", strings.Join(ports, ", ")),
			"use type ClusterIP if only the cluster needs the Service")
	case now == "NodePort" && was != "NodePort" && was != "LoadBalancer":
		add(fieldpath.New("spec", "type"), fmt.Sprintf("apply opens a port on every node: %s can be reached at the addresses of the nodes", strings.Join(ports, ", ")),
			"use type ClusterIP if only the cluster needs the Service")
	case now == was && (balanced || now == "NodePort"):
		have := servicePorts(o.Before)
		for _, port := range ports {
			if !slices.Contains(have, port) {
				add(fieldpath.New("spec", "ports"), fmt.Sprintf("apply opens %s on the %s", port, map[bool]string{true: "load balancer", false: "nodes"}[balanced]),
					"give the port to a Service of type ClusterIP if only the cluster needs it")
			}
		}
	}
	if balanced && was == now {
		if mark := internalMark(o.Before); external && mark != "" {
			add(fieldpath.New("metadata", "annotations", mark), "the load balancer is no longer internal: it may get an address of the internet", "keep the annotation that makes the load balancer internal")
		}
		ranges := fieldpath.New("spec", "loadBalancerSourceRanges")
		for _, r := range wider(tree.List(o.Before, "spec", "loadBalancerSourceRanges"), tree.List(o.Result, "spec", "loadBalancerSourceRanges")) {
			add(ranges, fmt.Sprintf("apply lets %s reach the load balancer", r), "remove the range if these addresses need no access")
		}
	}
	for _, ip := range tree.List(o.Result, "spec", "externalIPs") {
		if !slices.ContainsFunc(tree.List(o.Before, "spec", "externalIPs"), func(x any) bool { return x == ip }) {
			add(fieldpath.New("spec", "externalIPs"), fmt.Sprintf("the nodes accept traffic for the external IP %v: %s", ip, strings.Join(ports, ", ")), "remove externalIPs if the Service needs no address of its own")
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

func openIngress(o *lint.Object) (list []opening) {
	have := ingressRoutes(o.Before)
	for _, route := range ingressRoutes(o.Result) {
		if !slices.ContainsFunc(have, route.same) {
			list = append(list, opening{route.path, "apply makes the Ingress serve " + route.String() + " from " + route.backend, "remove the rule if nothing outside the cluster needs it"})
		}
	}
	return list
}

// openHostPorts are the ports of the node that the containers of a workload take.
func openHostPorts(o *lint.Object) (list []opening) {
	have := hostPorts(o, o.Before)
	for _, port := range hostPorts(o, o.Result) {
		if !slices.ContainsFunc(have, func(h hostPort) bool { return h.text == port.text }) {
			list = append(list, opening{port.path, fmt.Sprintf("the pods open %s of their node", port.text), "remove hostPort and use a Service if the port of the node is not needed"})
		}
	}
	return list
}

type hostPort struct {
	path fieldpath.Path
	text string
}

func hostPorts(o *lint.Object, obj tree.Object) (list []hostPort) {
	at, spec := podSpec(o.Kind, obj)
	if tree.Bool(spec, "hostNetwork") {
		return nil // every port is one of the node; gains-node-access says it
	}
	for _, c := range containers(at, spec) {
		for i, port := range tree.List(c.tree, "ports") {
			n, ok := tree.Int(port, "hostPort")
			if !ok || n == 0 {
				continue
			}
			text := fmt.Sprintf("port %d", n)
			if ip := tree.String(port, "hostIP"); ip != "" {
				text += " at " + ip
			}
			list = append(list, hostPort{o.Keyed(c.path.Child("ports").Item(i).Child("hostPort"), obj), text})
		}
	}
	return list
}
