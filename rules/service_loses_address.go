package rules

import (
	"fmt"
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/tree"
)

var serviceLosesAddress = &lint.Rule{
	ID:    "service-loses-address",
	Title: "a Service loses its address or port for clients outside",
	Text:  "Apply takes the load balancer from a Service, or closes a port that it has on the nodes.",
	Why: "Clients outside the cluster are cut off at once. The address of a load balancer is released, and a later one gets another; the number of a node port is free for " +
		"other Services.",
	Fix:      "Keep the type until no client uses the address.",
	Links:    []string{"https://kubernetes.io/docs/concepts/services-networking/service/#publishing-services-service-types"},
	Severity: lint.Warning,
	Effect:   impact.CutsTraffic,
	Needs:    lint.Live,
	Run: func(p *lint.Pass) {
		path := fieldpath.New("spec", "type")
		for o := range p.Accepted() {
			if !o.Is("Service") || o.Live == nil || leftConfig(o, path) != nil {
				continue // falls-back-to-default says it
			}
			was, is := tree.String(o.Before, "spec", "type"), tree.String(o.Result, "spec", "type")
			var lost []string
			for _, number := range impact.ClosedNodePorts(o.Before, o.Result) {
				lost = append(lost, fmt.Sprintf("node port %v", number))
			}
			switch {
			case was == "LoadBalancer" && is != was:
				p.Report(o, lint.Report{Path: path, LivePath: path, Message: "apply deletes the load balancer and releases its address" + addresses(o),
					Fix: "keep type LoadBalancer until no client uses the address"})
			case lost != nil && is == was:
				p.Report(o, lint.Report{Path: fieldpath.New("spec", "ports"), LivePath: fieldpath.New("spec", "ports"), Message: "apply closes " + strings.Join(lost, ", ") + " on every node",
					Fix: "keep the number until no client uses it"})
			case lost != nil:
				p.Report(o, lint.Report{Path: path, LivePath: path, Message: "apply closes " + strings.Join(lost, ", ") + " on every node",
					Fix: "keep type " + was + " until no client uses it"})
			}
		}
	},
}

// addresses are those of a load balancer, as far as the snapshot has them.
func addresses(o *lint.Object) string {
	var all []string
	for _, in := range tree.List(o.Before, "status", "loadBalancer", "ingress") {
		all = append(all, tree.String(in, "ip")+tree.String(in, "hostname"))
	}
	return strings.TrimSuffix(" "+strings.Join(all, ", "), " ")
}
