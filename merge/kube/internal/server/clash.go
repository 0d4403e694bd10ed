package server

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// addressClash finds an address that a Service asks for and another one
// holds (pkg/registry/core/service/ipallocator). An update that
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
		if ip, _ := ip.(string); ip != "" && ip != "None" && s.around().another(ip, svc) {
			return field.ErrorList{field.Invalid(field.NewPath("spec", "clusterIPs"), ips,
				fmt.Sprintf("failed to allocate IP %s: provided IP is already allocated", ip))}
		}
	}
	return nil
}

// holders are the Services as the manifests so far leave them, by the addresses and node
// ports that they hold, those for health checks too.
type holders struct {
	by   map[any][][2]string
	of   map[[2]string][]any
	made int // how many of World.Made are in
}

// holdings are the addresses and node ports that a Service holds, or asks for.
func holdings(svc tree.Object) (list []any) {
	spec := tree.Map(svc, "spec")
	for _, ip := range append(tree.List(spec, "clusterIPs"), spec["clusterIP"]) {
		if text, ok := ip.(string); ok && text != "" && text != "None" && !slices.Contains(list, ip) {
			list = append(list, text)
		}
	}
	if !external(spec) {
		return list
	}
	for port := range nodePorts(spec) {
		list = append(list, port)
	}
	if port, _ := tree.Int(spec, "healthCheckNodePort"); port != 0 {
		list = append(list, port)
	}
	return list
}

// hold has a Service hold what it does, and nothing else.
func (h *holders) hold(svc tree.Object) {
	name := fullName(svc)
	for _, what := range h.of[name] {
		h.by[what] = slices.DeleteFunc(h.by[what], func(other [2]string) bool { return other == name })
	}
	h.of[name] = holdings(svc)
	for _, what := range h.of[name] {
		h.by[what] = append(h.by[what], name)
	}
}

// heldBy are the Services that hold something.
func (c *cluster) heldBy(what any) [][2]string {
	c.asking.Lock()
	defer c.asking.Unlock()
	if c.held == nil {
		c.held = &holders{by: map[any][][2]string{}, of: map[[2]string][]any{}}
		for _, svc := range c.Objects("Service") {
			c.held.hold(svc)
		}
	}
	made := c.Made("Service")
	for _, svc := range made[c.held.made:] {
		c.held.hold(svc)
	}
	c.held.made = len(made)
	return c.held.by[what]
}

// another reports whether another Service than the one holds something.
func (c *cluster) another(what any, svc tree.Object) bool {
	return slices.ContainsFunc(c.heldBy(what), func(name [2]string) bool { return name != fullName(svc) })
}

// Rivals are the Services of a set, by namespace and name, of which one asks for an address
// or a node port that another one asks for or holds: the answers depend on their order.
func (s *Server) Rivals(set map[[2]string]tree.Object) map[[2]string]bool {
	asking, rivals := map[any][][2]string{}, map[[2]string]bool{}
	for name, svc := range set {
		for _, what := range holdings(svc) {
			asking[what] = append(asking[what], name)
		}
	}
	for what, names := range asking {
		for _, name := range s.around().heldBy(what) {
			if set[name] != nil && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		for _, name := range names {
			rivals[name] = rivals[name] || len(names) > 1
		}
	}
	return rivals
}
