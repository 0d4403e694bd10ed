package server

import (
	"fmt"
	"slices"
	"sync"

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
		taken := func(other tree.Object) bool { return contains(tree.List(other, "clusterIPs"), ip) }
		if ip != "" && ip != "None" && slices.ContainsFunc(others(s.Cluster.objects("Service"), svc), taken) {
			return field.ErrorList{field.Invalid(field.NewPath("spec", "clusterIPs"), ips,
				fmt.Sprintf("failed to allocate IP %s: provided IP is already allocated", ip))}
		}
	}
	return nil
}

// holdsPort tells which node ports, those for health checks too, other Services hold
// than the one. It looks at them when it is asked.
func (c *Cluster) holdsPort(svc tree.Object) func(port int64) bool {
	held := sync.OnceValue(func() map[int64]bool {
		ports := map[int64]bool{}
		for _, spec := range others(c.onNodes(), svc) {
			for port := range nodePorts(spec) {
				ports[port] = true
			}
			if port, _ := tree.Int(spec, "healthCheckNodePort"); port != 0 {
				ports[port] = true
			}
		}
		return ports
	})
	return func(port int64) bool { return held()[port] }
}

// others are the specs of the Services but for the one.
func others(services []tree.Object, svc tree.Object) []tree.Object {
	var specs []tree.Object
	for _, other := range services {
		if tree.String(other, "metadata", "name") != tree.String(svc, "metadata", "name") ||
			tree.String(other, "metadata", "namespace") != tree.String(svc, "metadata", "namespace") {
			specs = append(specs, tree.Map(other, "spec"))
		}
	}
	return specs
}
