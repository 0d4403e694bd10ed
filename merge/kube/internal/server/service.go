package server

import (
	"errors"
	"net/netip"

	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/kube/internal/validation"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// The life of a Service in the registry: addresses and node ports are given
// out before the object is validated, kept over updates, and wiped when the
// type changes (pkg/registry/core/service/storage/{storage,alloc}.go and
// ../strategy.go).

// firstDryRunPort is the node port that a dry run gives when the request has
// none yet: its allocator counts from the highest port so far
// (pkg/registry/core/service/portallocator/operation.go AllocateNext).
const firstDryRunPort = 32769

// allocateService gives a Service its addresses and ports, before validation.
func (s *Server) allocateService(k schema.Kind, obj, old tree.Object) *fault.Rejection {
	spec, oldSpec := tree.Map(obj, "spec"), tree.Map(old, "spec")
	retain(spec, oldSpec)
	cluster := s.around().served()
	causes, err := validation.Allocate(&validation.Request{Kind: k, Object: obj, Old: old, Minor: s.Minor,
		Families: cluster.families, Networks: cluster.ranges, NodePort: func(port int64) bool { return s.around().another(port, obj) }})
	if len(causes) > 0 {
		return invalid(k, obj, causes)
	}
	var failure validation.InternalError
	var taken validation.PortTwice
	switch {
	case errors.As(err, &failure):
		return fault.Reject("InternalError", fault.Of(err))
	case errors.As(err, &taken):
		no := fault.Reject("", fault.Of(err), fault.Fault{Code: fault.PortTaken, Path: fieldpath.New("spec", "ports").Item(taken.First).Child("nodePort")})
		no.Object = obj
		return no
	case err != nil:
		return internal("", err)
	}
	if causes := s.addressClash(obj, old); len(causes) > 0 {
		return invalid(k, obj, causes)
	}
	allocate(spec, oldSpec, cluster.families, cluster.network)
	return nil
}

// retain follows patchAllocatedValues and normalizeClusterIPs: what the
// manifest leaves out stays as it is.
func retain(spec, old tree.Object) {
	if old != nil {
		retainAddresses(spec, old)
		retainNodePorts(spec, old)
		if needsHealthPort(spec) && needsHealthPort(old) && tree.Empty(spec["healthCheckNodePort"]) {
			keep(spec, old, "healthCheckNodePort")
		}
	}
	ip, ips := tree.String(spec, "clusterIP"), tree.List(spec, "clusterIPs")
	switch {
	case old == nil:
		if ip != "" && len(ips) == 0 {
			spec["clusterIPs"] = []any{ip}
		}
	case ip == tree.String(old, "clusterIP"):
		if len(ips) == 0 {
			keep(spec, old, "clusterIPs")
		}
	case tree.Equal(spec["clusterIPs"], old["clusterIPs"]):
		if ip == "" {
			delete(spec, "clusterIPs")
		} else {
			spec["clusterIPs"] = []any{ip}
		}
	}
}

func retainAddresses(spec, old tree.Object) {
	if !needsIP(spec) || !needsIP(old) {
		return
	}
	if tree.String(spec, "clusterIP") == "" {
		keep(spec, old, "clusterIP")
	}
	if len(tree.List(spec, "clusterIPs")) == 0 {
		keep(spec, old, "clusterIPs")
	}
}

// retainNodePorts looks the node port of each port up by name, unless another
// port has claimed it.
func retainNodePorts(spec, old tree.Object) {
	if !allocatesPorts(spec) || !allocatesPorts(old) {
		return
	}
	had, byName := nodePorts(old), map[string]int64{}
	for _, p := range tree.List(old, "ports") {
		byName[tree.String(p, "name")], _ = tree.Int(p, "nodePort")
	}
	used := map[int64]bool{}
	for n := range nodePorts(spec) {
		used[n] = had[n]
	}
	for _, p := range tree.List(spec, "ports") {
		port, ok := p.(map[string]any)
		if !ok || !tree.Empty(port["nodePort"]) {
			continue
		}
		if n := byName[tree.String(port, "name")]; n != 0 && !used[n] {
			port["nodePort"] = n
		}
	}
}

// allocate follows allocateCreate and allocateUpdate for a request that was
// found valid: IP families, cluster IPs and node ports. network is the first
// address of the cluster's Service range, which a dry run gives to everybody;
// if it is not valid, the addresses are left out.
func allocate(spec, old tree.Object, families []string, network netip.Addr) {
	allocateFamilies(spec, old, families)
	allocateIPs(spec, network)
	allocatePorts(spec, old)
}

func allocateFamilies(spec, old tree.Object, families []string) {
	if !needsIP(spec) {
		return
	}
	bare := tree.String(spec, "clusterIP") == "None" && len(tree.Map(spec, "selector")) == 0
	if spec["ipFamilyPolicy"] == nil {
		switch {
		case tree.Has(old, "ipFamilyPolicy"):
			keep(spec, old, "ipFamilyPolicy")
		case bare:
			spec["ipFamilyPolicy"] = "RequireDualStack"
		default:
			spec["ipFamilyPolicy"] = "SingleStack"
		}
	}
	single := spec["ipFamilyPolicy"] == "SingleStack"
	list := append([]any(nil), tree.List(spec, "ipFamilies")...)
	if single && old != nil {
		list = firstOf(spec, old, "ipFamilies", list)
		if ips := tree.List(spec, "clusterIPs"); len(ips) > 1 {
			spec["clusterIPs"] = firstOf(spec, old, "clusterIPs", ips)
		}
	}
	for i, ip := range tree.List(spec, "clusterIPs") {
		if ip == "None" {
			break
		}
		if text, ok := ip.(string); ok && i >= len(list) {
			list = append(list, familyOf(text))
		}
	}
	if len(list) == 0 {
		if len(families) == 0 {
			return
		}
		list = append(list, families[0])
	}
	if !single && len(list) == 1 && (bare || len(families) == 2) {
		other := map[any]any{"IPv4": "IPv6", "IPv6": "IPv4"}
		list = append(list, other[list[0]])
	}
	spec["ipFamilies"] = list
}

// firstOf drops the second of two unchanged values: a Service that became
// single-stack releases it.
func firstOf(spec, old tree.Object, key string, list []any) []any {
	if len(list) > 1 && tree.Equal(spec[key], old[key]) {
		return list[:1]
	}
	return list
}

func allocateIPs(spec tree.Object, network netip.Addr) {
	ips := append([]any(nil), tree.List(spec, "clusterIPs")...)
	if !needsIP(spec) || len(ips) > 0 && ips[0] == "None" {
		return
	}
	for i := range tree.List(spec, "ipFamilies") {
		if i < len(ips) {
			continue
		}
		if i > 0 || !network.IsValid() {
			break // a second range is unknown
		}
		ips = append(ips, network.String())
	}
	if len(ips) > 0 {
		spec["clusterIP"], spec["clusterIPs"] = ips[0], ips
	}
}

// allocatePorts gives the ports without one a node port, as a dry run does:
// one more than the highest that this request has taken so far.
func allocatePorts(spec, old tree.Object) {
	last := int64(0)
	had, byPort := nodePorts(old), map[int64]int64{}
	next := func() int64 {
		if last == 0 {
			last = firstDryRunPort - 1
		}
		for last++; had[last]; last++ { // a base has what another dry run gave
		}
		return last
	}
	for _, p := range tree.List(spec, "ports") {
		port, ok := p.(map[string]any)
		if !ok || !external(spec) {
			continue
		}
		number, _ := tree.Int(port, "port")
		n, _ := tree.Int(port, "nodePort")
		if n == 0 && !allocatesPorts(spec) {
			continue
		}
		if n == 0 && old == nil {
			// On create, ports of one number share a node port.
			if n = byPort[number]; n == 0 {
				n = requestedPort(spec, number)
			}
		}
		if n == 0 {
			n = next()
		} else if !had[n] {
			last = max(last, n)
		}
		port["nodePort"], byPort[number] = n, n
	}
	if needsHealthPort(spec) && tree.Empty(spec["healthCheckNodePort"]) && (old == nil || !needsHealthPort(old)) {
		spec["healthCheckNodePort"] = next()
	}
}

// requestedPort is the node port that the manifest gives some port of the
// number, or 0.
func requestedPort(spec tree.Object, number int64) int64 {
	for _, p := range tree.List(spec, "ports") {
		if n, _ := tree.Int(p, "port"); n == number {
			if np, _ := tree.Int(p, "nodePort"); np != 0 {
				return np
			}
		}
	}
	return 0
}

// updateService wipes what belongs to the old type of a Service.
func updateService(service, old tree.Object, _ func(string) bool) {
	spec := tree.Map(service, "spec")
	wipe(spec, tree.Map(old, "spec"))
	if !balanced(spec) && tree.Has(service, "status") {
		status := tree.CopyObject(tree.Map(service, "status"))
		status["loadBalancer"] = tree.Object{}
		service["status"] = status
	}
}

// readService follows defaultOnReadInternalTrafficPolicy.
func readService(service tree.Object) {
	if spec := tree.Map(service, "spec"); tree.String(spec, "type") == "ExternalName" {
		delete(spec, "internalTrafficPolicy")
	}
}

// wipe follows dropTypeDependentFields: values that belong to the old type and
// that no one has touched go when the type changes.
func wipe(spec, old tree.Object) {
	unchanged := func(key string) bool { return tree.Equal(spec[key], old[key]) }
	if needsIP(old) && !needsIP(spec) {
		if unchanged("clusterIP") && unchanged("clusterIPs") {
			drop(spec, "clusterIP", "clusterIPs")
		}
		if unchanged("ipFamilies") {
			drop(spec, "ipFamilies")
		}
		if unchanged("ipFamilyPolicy") {
			drop(spec, "ipFamilyPolicy")
		}
	}
	if external(old) && !external(spec) && subset(nodePorts(spec), nodePorts(old)) {
		for _, p := range tree.List(spec, "ports") {
			if port, ok := p.(map[string]any); ok {
				delete(port, "nodePort")
			}
		}
	}
	if needsHealthPort(old) && !needsHealthPort(spec) && unchanged("healthCheckNodePort") {
		drop(spec, "healthCheckNodePort")
	}
	if balanced(old) && !balanced(spec) {
		for _, key := range []string{"allocateLoadBalancerNodePorts", "loadBalancerClass"} {
			if unchanged(key) {
				drop(spec, key)
			}
		}
	}
	if reachable(old) && !reachable(spec) && unchanged("externalTrafficPolicy") {
		drop(spec, "externalTrafficPolicy")
	}
}

func needsIP(spec tree.Object) bool  { return tree.String(spec, "type") != "ExternalName" }
func balanced(spec tree.Object) bool { return tree.String(spec, "type") == "LoadBalancer" }
func external(spec tree.Object) bool {
	return balanced(spec) || tree.String(spec, "type") == "NodePort"
}

// reachable is ExternallyAccessible (pkg/api/service).
func reachable(spec tree.Object) bool {
	return external(spec) || tree.String(spec, "type") == "ClusterIP" && len(tree.List(spec, "externalIPs")) > 0
}

func allocatesPorts(spec tree.Object) bool {
	return external(spec) && (!balanced(spec) || spec["allocateLoadBalancerNodePorts"] != false)
}

func needsHealthPort(spec tree.Object) bool {
	return balanced(spec) && tree.String(spec, "externalTrafficPolicy") == "Local"
}

func nodePorts(spec tree.Object) map[int64]bool {
	ports := map[int64]bool{}
	for _, p := range tree.List(spec, "ports") {
		if n, _ := tree.Int(p, "nodePort"); n != 0 {
			ports[n] = true
		}
	}
	return ports
}

func subset(a, b map[int64]bool) bool {
	for n := range a {
		if !b[n] {
			return false
		}
	}
	return true
}

func familyOf(ip string) string {
	if addr, err := netip.ParseAddr(ip); err == nil && addr.Is6() {
		return "IPv6"
	}
	return "IPv4"
}

// keep takes over a field of old, if it has it.
func keep(m, old tree.Object, key string) {
	if v, ok := old[key]; ok {
		m[key] = tree.Copy(v)
	}
}

func drop(m tree.Object, keys ...string) {
	for _, k := range keys {
		delete(m, k)
	}
}
