package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/fault"
	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// servicePorts checks each port of a Service by itself.
//
// Source: validateServicePort of pkg/apis/core/validation.
func servicePorts(ports []any, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	names := map[string]bool{}
	for i, port := range ports {
		at := p.Index(i)
		name := tree.String(port, "name")
		switch {
		case name == "" && len(ports) > 1:
			errs = append(errs, field.Required(at.Child("name"), ""))
		case name != "":
			errs = append(errs, dns1123Label(name, at.Child("name"))...)
			if names[name] {
				errs = append(errs, field.Duplicate(at.Child("name"), name))
			}
			names[name] = true
		}
		errs = append(errs, portNumber(port, "port", at)...)
		errs = append(errs, requiredOneOf(tree.String(port, "protocol"), at.Child("protocol"), "SCTP", "TCP", "UDP")...)
		targetPort, _ := tree.Get(port, "targetPort")
		errs = append(errs, portNumOrName(targetPort, at.Child("targetPort"))...)
		errs = append(errs, appProtocol(port, at)...)
	}
	return errs
}

// portNumber checks the port number at key; an absent one is 0.
func portNumber(o any, key string, p *field.Path) field.ErrorList {
	n, _ := tree.Int(o, key)
	return invalidEach(p.Child(key), n, isPortNumber(n))
}

func appProtocol(port any, p *field.Path) field.ErrorList {
	if !tree.Has(port, "appProtocol") {
		return nil
	}
	return qualifiedName(tree.String(port, "appProtocol"), p.Child("appProtocol"))
}

func needsHealthCheck(spec tree.Object) bool {
	return tree.String(spec, "type") == loadBalancerType && tree.String(spec, "externalTrafficPolicy") == "Local"
}

// isExternallyAccessible is ExternallyAccessible of pkg/api/service.
func isExternallyAccessible(spec tree.Object) bool {
	switch tree.String(spec, "type") {
	case loadBalancerType, nodePortType:
		return true
	case clusterIPType:
		return len(tree.List(spec, "externalIPs")) > 0
	}
	return false
}

// serviceTraffic checks the traffic policies.
//
// Source: validateServiceExternalTrafficPolicy,
// validateServiceInternalTrafficFieldsValue and
// validateServiceTrafficDistribution of pkg/apis/core/validation.
func serviceTraffic(spec tree.Object, minor int, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	external := tree.String(spec, "externalTrafficPolicy")
	if isExternallyAccessible(spec) {
		errs = append(errs, requiredOneOf(external, p.Child("externalTrafficPolicy"), "Cluster", "Local")...)
	} else if external != "" {
		errs = append(errs, coded(fault.OtherType, field.Invalid(p.Child("externalTrafficPolicy"), external, "may only be set for externally-accessible services")))
	}

	healthCheck, _ := tree.Int(spec, "healthCheckNodePort")
	switch at := p.Child("healthCheckNodePort"); {
	case !needsHealthCheck(spec) && healthCheck != 0:
		errs = append(errs, coded(fault.OtherType, field.Invalid(at, healthCheck, "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'")))
	case needsHealthCheck(spec):
		errs = append(errs, invalidEach(at, healthCheck, isPortNumber(healthCheck))...)
	}

	errs = append(errs, oneOfAt(spec, "internalTrafficPolicy", p, "Cluster", "Local")...)
	distributions := []string{"PreferClose", "PreferSameZone", "PreferSameNode"}
	if !minors.SameZoneTraffic.In(minor) {
		distributions = distributions[:1]
	}
	return append(errs, plain(oneOfAt(spec, "trafficDistribution", p, distributions...))...)
}

// Source: validateLoadBalancerClassField of pkg/apis/core/validation.
func serviceLoadBalancerClass(spec tree.Object, p *field.Path) field.ErrorList {
	if !tree.Has(spec, "loadBalancerClass") {
		return nil
	}
	if tree.String(spec, "type") != loadBalancerType {
		return field.ErrorList{coded(fault.OtherType, field.Forbidden(p.Child("loadBalancerClass"), onlyLoadBalancer))}
	}
	return qualifiedName(tree.String(spec, "loadBalancerClass"), p.Child("loadBalancerClass"))
}

func serviceLoadBalancerClassUpdate(spec, old tree.Object, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	both := tree.String(spec, "type") == loadBalancerType && tree.String(old, "type") == loadBalancerType
	if both && !same(spec["loadBalancerClass"], old["loadBalancerClass"]) {
		errs = append(errs, fixed(field.Invalid(p.Child("loadBalancerClass"), spec["loadBalancerClass"], mayNotChange)))
	}
	return append(errs, serviceLoadBalancerClass(spec, p)...)
}
