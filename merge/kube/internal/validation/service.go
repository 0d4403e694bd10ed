package validation

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/fault"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

const (
	clusterIPType    = "ClusterIP"
	nodePortType     = "NodePort"
	loadBalancerType = "LoadBalancer"
	externalNameType = "ExternalName"

	noClusterIP       = "None"
	onlyLoadBalancer  = "may only be used when `type` is 'LoadBalancer'"
	mayNotChange      = "may not change once set"
	mayNotExternal    = "may not be set for ExternalName services"
	sourceRangesKey   = "service.beta.kubernetes.io/load-balancer-source-ranges"
	topologyHintsKey  = "service.kubernetes.io/topology-aware-hints"
	topologyModeKey   = "service.kubernetes.io/topology-mode"
	clientIPAffinity  = "ClientIP"
	maxAffinitySecond = 86400
)

// Rules of Services and their endpoints.
var (
	Service       = Rules{createService, updateService}
	Endpoints     = Rules{endpoints, inOrder(updatedMeta, endpoints)}
	EndpointSlice = Rules{endpointSlice, inOrder(endpointSlice, keepsNamed("addressType"))}
)

// Source: ValidateServiceCreate of pkg/apis/core/validation.
func createService(r *Request) field.ErrorList {
	errs := namespacedMeta(r, backendServiceName(r))
	return append(errs, service(r)...)
}

// Source: ValidateServiceUpdate of pkg/apis/core/validation.
func updateService(r *Request) field.ErrorList {
	spec, old, p := tree.Map(r.Object, "spec"), tree.Map(r.Old, "spec"), field.NewPath("spec")
	errs := updatedMeta(r)
	errs = append(errs, serviceClusterIPsUpdate(spec, old, p)...)
	errs = append(errs, serviceFamiliesUpdate(spec, old, p)...)
	errs = append(errs, serviceLoadBalancerClassUpdate(spec, old, p)...)
	if needsHealthCheck(spec) && needsHealthCheck(old) && !same(spec["healthCheckNodePort"], old["healthCheckNodePort"]) {
		errs = append(errs, fixed(field.Forbidden(p.Child("healthCheckNodePort"), isImmutable)))
	}
	return append(errs, service(r)...)
}

// Source: validateService of pkg/apis/core/validation.
func service(r *Request) field.ErrorList {
	spec, old, p := tree.Map(r.Object, "spec"), tree.Map(r.Old, "spec"), field.NewPath("spec")
	errs := serviceTopologyAnnotations(r.Object)
	errs = append(errs, serviceByType(spec, p)...)

	ports := tree.List(spec, "ports")
	errs = append(errs, servicePorts(ports, p.Child("ports"))...)
	errs = append(errs, labelSet(tree.Map(spec, "selector"), p.Child("selector"))...)
	errs = append(errs, serviceAffinity(spec, p)...)
	errs = append(errs, serviceClusterIPs(spec, old, p)...)
	for i, v := range tree.List(spec, "externalIPs") {
		ip, _ := v.(string)
		at := p.Child("externalIPs").Index(i)
		if bad := legacyIP(ip, tree.List(old, "externalIPs"), at); len(bad) > 0 {
			errs = append(errs, bad...)
		} else {
			errs = append(errs, endpointIP(ip, at)...)
		}
	}
	typ := tree.String(spec, "type")
	errs = append(errs, requiredOneOf(typ, p.Child("type"), clusterIPType, externalNameType, loadBalancerType, nodePortType)...)
	errs = append(errs, servicePortConflicts(ports, typ, p.Child("ports"))...)
	errs = append(errs, serviceSourceRanges(r, p)...)

	if tree.Has(spec, "allocateLoadBalancerNodePorts") && typ != loadBalancerType {
		errs = append(errs, coded(fault.OtherType, field.Forbidden(p.Child("allocateLoadBalancerNodePorts"), onlyLoadBalancer)))
	}
	errs = append(errs, serviceLoadBalancerClass(spec, p)...)
	return append(errs, serviceTraffic(spec, r.Minor, p)...)
}

func serviceTopologyAnnotations(service tree.Object) field.ErrorList {
	set := tree.Map(service, "metadata", "annotations")
	mode, hints := tree.String(set, topologyModeKey), tree.String(set, topologyHintsKey)
	if !tree.Has(set, topologyModeKey) || !tree.Has(set, topologyHintsKey) || mode == hints {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath("metadata", "annotations").Key(topologyModeKey), mode,
		"must match annotations["+topologyHintsKey+"] when both are specified")}
}

func serviceByType(spec tree.Object, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	typ, headless := tree.String(spec, "type"), isHeadless(spec)
	if len(tree.List(spec, "ports")) == 0 && !headless && typ != externalNameType {
		errs = append(errs, field.Required(p.Child("ports"), ""))
	}
	switch typ {
	case loadBalancerType, nodePortType:
		if headless {
			errs = append(errs, field.Invalid(p.Child("clusterIPs").Index(0), noClusterIP,
				"may not be set to 'None' for "+typ+" services"))
		}
	case externalNameType:
		for _, key := range []string{"clusterIPs", "ipFamilies"} {
			if len(tree.List(spec, key)) > 0 {
				errs = append(errs, notAllowed(p.Child(key), mayNotExternal))
			}
		}
		if tree.Has(spec, "ipFamilyPolicy") {
			errs = append(errs, notAllowed(p.Child("ipFamilyPolicy"), mayNotExternal))
		}
		if name := strings.TrimSuffix(tree.String(spec, "externalName"), "."); name != "" {
			errs = append(errs, dns1123Subdomain(name, p.Child("externalName"))...)
		} else {
			errs = append(errs, field.Required(p.Child("externalName"), ""))
		}
	}
	return errs
}

// serviceAffinity checks how long a client stays with a Pod. Defaults give the
// affinity ClientIP a time and take the configuration from any other.
func serviceAffinity(spec tree.Object, p *field.Path) field.ErrorList {
	affinity := tree.String(spec, "sessionAffinity")
	errs := requiredOneOf(affinity, p.Child("sessionAffinity"), clientIPAffinity, "None")
	seconds, _ := tree.Int(spec, "sessionAffinityConfig", "clientIP", "timeoutSeconds")
	if affinity == clientIPAffinity && (seconds <= 0 || seconds > maxAffinitySecond) {
		errs = append(errs, field.Invalid(p.Child("sessionAffinityConfig", "clientIP", "timeoutSeconds"), seconds,
			"must be greater than 0 and less than 86400"))
	}
	return errs
}

// serviceSourceRanges checks spec.loadBalancerSourceRanges or, without it, the
// annotation that came before the field.
func serviceSourceRanges(r *Request, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	isLoadBalancer := tree.String(r.Object, "spec", "type") == loadBalancerType
	if ranges := tree.List(r.Object, "spec", "loadBalancerSourceRanges"); len(ranges) > 0 {
		at := p.Child("LoadBalancerSourceRanges")
		if !isLoadBalancer {
			errs = append(errs, coded(fault.OtherType, field.Forbidden(at, onlyLoadBalancer)))
		}
		old := sets.New(trimmed(tree.List(r.Old, "spec", "loadBalancerSourceRanges"))...)
		for i, block := range trimmed(ranges) {
			errs = append(errs, legacyCIDR(block, old, at.Index(i))...)
		}
		return errs
	}
	if !tree.Has(r.Object, "metadata", "annotations", sourceRangesKey) {
		return nil
	}
	at := field.NewPath("metadata", "annotations").Key(sourceRangesKey)
	if !isLoadBalancer {
		errs = append(errs, coded(fault.OtherType, field.Forbidden(at, onlyLoadBalancer)))
	}
	ranges := tree.String(r.Object, "metadata", "annotations", sourceRangesKey)
	unchanged := r.Old != nil && ranges == tree.String(r.Old, "metadata", "annotations", sourceRangesKey)
	if unchanged || strings.TrimSpace(ranges) == "" {
		return errs
	}
	for _, block := range strings.Split(strings.TrimSpace(ranges), ",") {
		errs = append(errs, strictCIDR(strings.TrimSpace(block), at)...)
	}
	return errs
}

func trimmed(list []any) []string {
	var out []string
	for _, v := range list {
		s, _ := v.(string)
		out = append(out, strings.TrimSpace(s))
	}
	return out
}

// servicePortConflicts checks what each port must not share with the others.
func servicePortConflicts(ports []any, typ string, p *field.Path) field.ErrorList {
	var onClusterIP, nodePorts, numbers field.ErrorList
	type key struct {
		protocol string
		number   int64
	}
	seenNode, seen := map[key]bool{}, map[key]bool{}
	for i, port := range ports {
		protocol := tree.String(port, "protocol")
		nodePort, _ := tree.Int(port, "nodePort")
		number, _ := tree.Int(port, "port")
		if nodePort != 0 {
			if typ == clusterIPType {
				onClusterIP = append(onClusterIP, coded(fault.OtherType, field.Forbidden(p.Index(i).Child("nodePort"), "may not be used when `type` is 'ClusterIP'")))
			}
			if k := (key{protocol, nodePort}); seenNode[k] {
				nodePorts = append(nodePorts, field.Duplicate(p.Index(i).Child("nodePort"), nodePort))
			} else {
				seenNode[k] = true
			}
		}
		if k := (key{protocol, number}); seen[k] {
			bad := tree.Object{"protocol": protocol, "port": number}
			numbers = append(numbers, field.Duplicate(p.Index(i), schema.Internal("core/v1.ServicePort", bad)))
		} else {
			seen[k] = true
		}
	}
	return append(append(onClusterIP, nodePorts...), numbers...)
}
