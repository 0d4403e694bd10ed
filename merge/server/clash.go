package server

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// addressClash finds an address that a Service asks for and another one in
// the snapshot holds (pkg/registry/core/service/ipallocator). An update that
// keeps having addresses can only add a second one, which is all that is given out
// then (updateClusterIPs of pkg/registry/core/service/storage/alloc.go).
func (s *Server) addressClash(svc, old tree.Object) field.ErrorList {
	ips, had := tree.List(svc, "spec", "clusterIPs"), tree.List(old, "spec", "clusterIPs")
	first := 0
	if old != nil && needsIP(tree.Map(old, "spec")) {
		first = min(len(had), len(ips))
	}
	if !needsIP(tree.Map(svc, "spec")) {
		return nil
	}
	for _, ip := range ips[first:] {
		if ip, _ := ip.(string); ip != "" && ip != "None" && s.Cluster.heldBy().another(ip, svc) {
			return field.ErrorList{field.Invalid(field.NewPath("spec", "clusterIPs"), ips,
				fmt.Sprintf("failed to allocate IP %s: provided IP is already allocated", ip))}
		}
	}
	return nil
}

// holders are the live Services, by the addresses and node ports that they hold, those
// for health checks too.
type holders map[any][][2]string

// heldBy looks at all Services once.
func (c *Cluster) heldBy() holders {
	c.outside.Do(func() {
		c.held = holders{}
		hold := func(what any, svc tree.Object) { c.held[what] = append(c.held[what], fullName(svc)) }
		for _, svc := range c.objects("Service") {
			spec := tree.Map(svc, "spec")
			for _, ip := range tree.List(spec, "clusterIPs") {
				if text, ok := ip.(string); ok {
					hold(text, svc)
				}
			}
			if !external(spec) {
				continue
			}
			for port := range nodePorts(spec) {
				hold(port, svc)
			}
			if port, _ := tree.Int(spec, "healthCheckNodePort"); port != 0 {
				hold(port, svc)
			}
		}
	})
	return c.held
}

// another reports whether another Service than the one holds something.
func (h holders) another(what any, svc tree.Object) bool {
	return slices.ContainsFunc(h[what], func(name [2]string) bool { return name != fullName(svc) })
}
