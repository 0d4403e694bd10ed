package server

import (
	"fmt"
	"net/netip"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// clashes finds what a Service asks for and another one in the snapshot holds,
// or what is outside the Service range (pkg/registry/core/service/{ipallocator,
// portallocator}). Addresses and ports that the old Service had are its own.
func (s *Server) clashes(svc, old tree.Object) field.ErrorList {
	spec, p := tree.Map(svc, "spec"), field.NewPath("spec")
	if s.Cluster.network().IsValid() && needsIP(spec) {
		if errs := s.addressClash(svc, tree.List(old, "spec", "clusterIPs"), p.Child("clusterIPs")); len(errs) > 0 {
			return errs
		}
	}
	had := nodePorts(tree.Map(old, "spec"))
	for i, port := range tree.List(spec, "ports") {
		n, _ := tree.Int(port, "nodePort")
		if n != 0 && !had[n] && external(spec) && s.held(svc, func(other tree.Object) bool { return nodePorts(other)[n] }) {
			return field.ErrorList{field.Invalid(p.Child("ports").Index(i).Child("nodePort"), n, "provided port is already allocated")}
		}
	}
	return nil
}

func (s *Server) addressClash(svc tree.Object, had []any, p *field.Path) field.ErrorList {
	ips := tree.List(svc, "spec", "clusterIPs")
	for _, v := range ips {
		text, _ := v.(string)
		ip, err := netip.ParseAddr(text)
		if err != nil || contains(had, v) {
			continue
		}
		refuse := func(why string) field.ErrorList {
			return field.ErrorList{field.Invalid(p, ips, fmt.Sprintf("failed to allocate IP %s: %s", text, why))}
		}
		if cidr := s.Cluster.serviceRange(ip); cidr.IsValid() && !cidr.Contains(ip) {
			return refuse(fmt.Sprintf("the provided IP (%s) is not in the valid range. The range of valid IPs is %s", text, cidr))
		}
		if s.held(svc, func(other tree.Object) bool { return contains(tree.List(other, "clusterIPs"), v) }) {
			return refuse("provided IP is already allocated")
		}
	}
	return nil
}

// held reports whether the spec of another live Service answers.
func (s *Server) held(svc tree.Object, by func(spec tree.Object) bool) bool {
	for _, other := range s.Cluster.objects("Service") {
		same := tree.String(other, "metadata", "name") == tree.String(svc, "metadata", "name") &&
			tree.String(other, "metadata", "namespace") == tree.String(svc, "metadata", "namespace")
		if !same && by(tree.Map(other, "spec")) {
			return true
		}
	}
	return false
}
