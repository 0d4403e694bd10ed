package rules

import (
	"fmt"
	"slices"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/tree"
)

var opensToOutside = &lint.Rule{
	ID:    "opens-to-outside",
	Title: "something can be reached from outside the cluster",
	Text: "Apply gives a Service a load balancer, ports on the nodes or external IPs, opens one more port of such a Service, lets more " +
		"source addresses in, makes an internal load balancer public, serves one more host or path through an Ingress, or opens a port " +
		"of the node for a container. A new object, and a route of an Ingress, are info.",
	Why: "Anyone who can reach the load balancer or the node can reach the pods. Apply only prints \"configured\".",
	Fix: "Use type ClusterIP for Services that only the cluster uses, or list the addresses that may connect in loadBalancerSourceRanges.",
	Links: []string{"https://kubernetes.io/docs/concepts/services-networking/service/#publishing-services-service-types",
		"https://kubernetes.io/docs/concepts/services-networking/ingress/"},
	Severity: lint.Warning,
	Effect:   impact.Opens,
	Run: func(p *lint.Pass) {
		for o, created := range clusterOf(p).changed() {
			list := slices.DeleteFunc(openings(o), func(way opening) bool { return departed(p, o, way.path) })
			if created {
				list = inOne(list)
			}
			for _, way := range list {
				r := lint.Report{Path: way.path, Message: way.text, Notes: way.notes, Fix: way.fix, Count: way.ports}
				if created || o.Is(ingressKind) {
					r.Severity = lint.Info
				}
				if o.Is(ingressKind) {
					r.Effect = impact.Serves
				}
				if !created {
					r.LivePath = way.path
				}
				p.Report(o, r)
			}
		}
	},
}

// opening is one way in that the apply opens, for a number of ports.
type opening struct {
	path      fieldpath.Path
	text, fix string
	ports     int
	notes     []string
}

// inOne makes one finding of all ways into a new object.
func inOne(list []opening) []opening {
	if len(list) < 2 {
		return list
	}
	one := list[0]
	for _, way := range list[1:] {
		one.notes = append(one.notes, "also: "+way.text)
		one.ports = max(one.ports, len(list), way.ports)
	}
	return []opening{one}
}

func openings(o *lint.Object) []opening {
	switch {
	case o.Is("Service"):
		return slices.Concat(openType(o), openRanges(o), openAddresses(o))
	case o.Is(ingressKind):
		return openIngress(o)
	}
	return openHostPorts(o)
}

func openIngress(o *lint.Object) (list []opening) {
	have := requestsOf(ingressRoutes(o.Before))
	for _, route := range ingressRoutes(o.Result) {
		if !have[route.requests()] {
			list = append(list, opening{route.path, "apply makes the Ingress serve " + route.String() + " from " + route.backend, "remove the rule if nothing outside the cluster needs it", 1, nil})
		}
	}
	return list
}

// openHostPorts are the ports of the node that the containers of a workload take.
func openHostPorts(o *lint.Object) (list []opening) {
	if _, spec := podSpec(o.Kind, o.Before); tree.Bool(spec, "hostNetwork") {
		return nil // every port was one of the node
	}
	have := map[string]bool{}
	for _, port := range hostPorts(o, o.Before) {
		have[port.text] = true
	}
	for _, port := range hostPorts(o, o.Result) {
		if !have[port.text] {
			list = append(list, opening{port.path, fmt.Sprintf("the pods open %s of their node", port.text), "remove hostPort and use a Service if the port of the node is not needed", 1, nil})
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
