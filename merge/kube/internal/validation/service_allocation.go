package validation

import (
	"fmt"
	"net/netip"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// InternalError is an error that the server answers with the reason of that name.
type InternalError string

func (e InternalError) Error() string { return "Internal error occurred: " + string(e) }

// PortTwice is the error about two ports of a Service with the same node port.
type PortTwice struct {
	First int // the index of the first of them
	text  string
}

func (e PortTwice) Error() string { return e.text }

// Allocate returns what the server refuses while it gives a Service its
// addresses and node ports, which comes before validation; r.Object is the
// object before that. When Allocate refuses, nothing else is looked at. A
// field.ErrorList is an ordinary "is invalid" answer; an error has no field,
// the server passes it on as it is (status 500, without reason unless it is an
// InternalError). Other kinds are
// never refused.
//
// It goes as a dry run does: Request tells the families, the ranges and the
// node ports that are taken; the range of node ports and the addresses of
// other Services do not matter.
//
// Source: pkg/registry/core/service/storage/alloc.go.
func Allocate(r *Request) (field.ErrorList, error) {
	if r.Kind.GroupKind() != "Service" {
		return nil, nil
	}
	spec, old := tree.Map(r.Object, "spec"), tree.Map(r.Old, "spec")
	if !isExternalName(spec) && !staysPreferDual(spec, old) {
		errs := serviceFamilies(r, spec, old)
		if len(errs) == 0 && (old == nil || isExternalName(old)) {
			errs = clusterIPsInRange(spec, r.Networks)
		}
		if len(errs) > 0 {
			return worded(r, errs), nil
		}
	}
	switch tree.String(spec, "type") {
	case nodePortType, loadBalancerType:
	default:
		return nil, nil
	}
	taken := r.NodePort
	if taken == nil {
		taken = func(int64) bool { return false }
	}
	ports, was := tree.List(spec, "ports"), tree.List(old, "ports")
	if old == nil {
		if errs := newNodePorts(ports, taken); len(errs) > 0 {
			return worded(r, errs), nil
		}
	} else if errs, err := changedNodePorts(ports, was, taken); len(errs) > 0 || err != nil {
		return worded(r, errs), err
	}
	return nil, newHealthPort(spec, old, taken)
}

// staysPreferDual is isMatchingPreferDualStackClusterIPFields: such a Service
// follows the cluster only when someone changes it.
func staysPreferDual(spec, old tree.Object) bool {
	if old == nil || tree.String(spec, "ipFamilyPolicy") != preferDual || spec["type"] != old["type"] {
		return false
	}
	was := tree.String(old, "ipFamilyPolicy")
	return (was == "" || was == preferDual) && same(spec["clusterIPs"], old["clusterIPs"]) && same(spec["ipFamilies"], old["ipFamilies"])
}

// serviceFamilies is what initIPFamilyFields refuses.
func serviceFamilies(r *Request, spec, old tree.Object) field.ErrorList {
	p := field.NewPath("spec")
	if errs := serviceClusterIPs(spec, old, p); len(errs) > 0 {
		return errs
	}
	var errs field.ErrorList
	at, policy := p.Child("ipFamilyPolicy"), tree.String(spec, "ipFamilyPolicy")
	ips, families := tree.List(spec, "clusterIPs"), tree.List(spec, "ipFamilies")
	if policy != singleStack && policy != "" {
		if n := len(ips); n > 0 && n < len(tree.List(old, "clusterIPs")) {
			errs = append(errs, field.Invalid(at, policy, "must be 'SingleStack' to release the secondary cluster IP"))
		}
		if n := len(families); n > 0 && n < len(tree.List(old, "ipFamilies")) {
			errs = append(errs, field.Invalid(at, policy, "must be 'SingleStack' to release the secondary IP family"))
		}
	} else {
		if len(ips) == 2 {
			errs = append(errs, field.Invalid(at, singleStack, "must be 'RequireDualStack' or 'PreferDualStack' when multiple cluster IPs are specified"))
		}
		if len(families) == 2 {
			errs = append(errs, field.Invalid(at, singleStack, "must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified"))
		}
	}
	if r.Families == nil {
		return errs
	}
	for i, ip := range stringsOf(ips) {
		family := ipv4
		if isIPv6(ip) {
			family = ipv6
		}
		if i >= len(families) && ip != noClusterIP && !slices.Contains(r.Families, family) {
			errs = append(errs, field.Invalid(p.Child("clusterIPs").Index(i), ips, family+" is not configured on this cluster"))
		}
	}
	if len(errs) > 0 {
		return errs
	}
	return familiesOfCluster(r, spec, p)
}

// familiesOfCluster checks that the cluster has the families asked for; it
// does not matter for a Service without cluster IP and selector.
func familiesOfCluster(r *Request, spec tree.Object, p *field.Path) field.ErrorList {
	if tree.String(spec, "clusterIP") == noClusterIP && len(tree.Map(spec, "selector")) == 0 {
		return nil
	}
	has := map[string]bool{}
	for _, f := range r.Families {
		has[f] = true
	}
	var errs field.ErrorList
	if policy := tree.String(spec, "ipFamilyPolicy"); policy == requireDual && len(has) < 2 {
		errs = append(errs, field.Invalid(p.Child("ipFamilyPolicy"), policy, "this cluster is not configured for dual-stack services"))
	}
	for i, v := range tree.List(spec, "ipFamilies") {
		if family, _ := v.(string); !has[family] {
			errs = append(errs, field.Invalid(p.Child("ipFamilies").Index(i), family, "not configured on this cluster"))
		}
	}
	return errs
}

// clusterIPsInRange checks the addresses that a Service asks for. The first
// address of a range and the last of an IPv4 one are not given out.
//
// Source: allocateService of
// pkg/registry/core/service/ipallocator/ipallocator.go.
func clusterIPsInRange(spec tree.Object, networks []netip.Prefix) field.ErrorList {
	ips := tree.List(spec, "clusterIPs")
	if isHeadless(spec) {
		return nil
	}
	for _, ip := range stringsOf(ips) {
		addr, _ := looseIP(ip)
		for _, network := range networks {
			if network.Addr().Is4() != addr.Is4() || isUsable(addr, network) {
				continue
			}
			return field.ErrorList{field.Invalid(field.NewPath("spec", "clusterIPs"), ips, fmt.Sprintf(
				"failed to allocate IP %s: the provided IP (%s) is not in the valid range. The range of valid IPs is %s", ip, addr, network))}
		}
	}
	return nil
}

func isUsable(addr netip.Addr, network netip.Prefix) bool {
	isLast := addr.Is4() && !network.Contains(addr.Next())
	return network.Contains(addr) && addr != network.Masked().Addr() && !isLast
}

// newNodePorts reserves the node ports of a new Service: ports with the same
// number share one, so only others collide.
//
// Source: initNodePorts.
func newNodePorts(ports []any, taken func(int64) bool) field.ErrorList {
	reserved, of := map[int64]bool{}, map[int64]int64{}
	for i, port := range ports {
		number, _ := tree.Int(port, "port")
		nodePort, _ := tree.Int(port, "nodePort")
		if nodePort == 0 || nodePort == of[number] {
			continue
		}
		if reserved[nodePort] || taken(nodePort) {
			return allocatedAlready(i, nodePort)
		}
		reserved[nodePort] = true
		if of[number] == 0 {
			of[number] = nodePort
		}
	}
	return nil
}

func allocatedAlready(i int, nodePort int64) field.ErrorList {
	return field.ErrorList{field.Invalid(field.NewPath("spec", "ports").Index(i).Child("nodePort"), nodePort, "provided port is already allocated")}
}

// changedNodePorts reserves the node ports that an update adds, and finds the
// one that two ports of the same protocol claim.
//
// Source: updateNodePorts.
func changedNodePorts(ports, old []any, taken func(int64) bool) (field.ErrorList, error) {
	type claim struct {
		Protocol string
		NodePort int64
	}
	seen, held := map[claim]int{}, map[int64]bool{}
	for _, port := range old {
		nodePort, _ := tree.Int(port, "nodePort")
		held[nodePort] = true
	}
	for i, port := range ports {
		nodePort, _ := tree.Int(port, "nodePort")
		if nodePort == 0 {
			continue
		}
		if !held[nodePort] && taken(nodePort) {
			return allocatedAlready(i, nodePort), nil
		}
		c := claim{tree.String(port, "protocol"), nodePort}
		if first, again := seen[c]; again {
			return nil, PortTwice{first, fmt.Sprintf("duplicate nodePort: %v", c)}
		}
		seen[c] = i
	}
	return nil, nil
}

// newHealthPort finds the port for health checks that is taken already.
//
// Source: allocHealthCheckNodePort.
func newHealthPort(spec, old tree.Object, taken func(int64) bool) error {
	n, _ := tree.Int(spec, "healthCheckNodePort")
	if n == 0 || !needsHealthCheck(spec) || needsHealthCheck(old) {
		return nil
	}
	isTaken := taken(n)
	for _, port := range slices.Concat(tree.List(spec, "ports"), tree.List(old, "ports")) {
		nodePort, _ := tree.Int(port, "nodePort")
		isTaken = isTaken || nodePort == n
	}
	if !isTaken {
		return nil
	}
	return InternalError(fmt.Sprintf("failed to allocate requested HealthCheck NodePort %d: provided port is already allocated", n))
}
