package warnings

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// Service follows GetWarningsForService of pkg/api/service/warnings.go.
func Service(w *texts, r Request) {
	p, spec := field.NewPath("spec"), tree.Map(r.Object, "spec")
	if tree.Has(r.Object, "metadata", "annotations", "service.kubernetes.io/topology-aware-hints") {
		w.say(annotation("service.kubernetes.io/topology-aware-hints"), "annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead")
	}
	external := tree.String(spec, "type") == "ExternalName"
	headless := tree.String(spec, "type") == "ClusterIP" && tree.String(spec, "clusterIP") == "None"
	if address := tree.String(spec, "clusterIP"); address != "" && address != "None" && !external {
		w.ips(tree.List(spec, "clusterIPs"), p.Child("clusterIPs"))
	}
	ips, balancer := tree.List(spec, "externalIPs"), tree.String(spec, "loadBalancerIP")
	if headless && minors.WarnHeadless.In(r.Minor) {
		if balancer != "" {
			w.say("spec.loadBalancerIP", "spec.loadBalancerIP is ignored for headless services")
		}
		if len(ips) > 0 {
			w.say("spec.externalIPs", "spec.externalIPs is ignored for headless services")
		}
		if tree.String(spec, "sessionAffinity") != "None" {
			w.say("spec.sessionAffinity", "spec.SessionAffinity is ignored for headless services")
		}
	}
	w.ips(ips, p.Child("externalIPs"))
	if len(ips) > 0 && !headless && !external && minors.WarnExternalIPs.In(r.Minor) {
		w.say("spec.externalIPs", "spec.externalIPs is deprecated and may no longer be implemented in some clusters")
	}
	if balancer != "" {
		w.ip(balancer, p.Child("loadBalancerIP"))
	}
	w.cidrs(tree.List(spec, "loadBalancerSourceRanges"), p.Child("loadBalancerSourceRanges"))
	if external && len(ips) > 0 {
		w.say("spec.externalIPs", `spec.externalIPs is ignored when spec.type is "ExternalName"`)
	}
	if !external && tree.String(spec, "externalName") != "" {
		w.say("spec.externalName", `spec.externalName is ignored when spec.type is not "ExternalName"`)
	}
	if tree.String(spec, "trafficDistribution") == "PreferClose" && minors.WarnPreferClose.In(r.Minor) {
		w.say("spec.trafficDistribution", `spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"`)
	}
}

// Endpoints follows endpointsWarnings of pkg/registry/core/endpoint/strategy.go.
func Endpoints(w *texts, r Request) {
	if !minors.WarnAddresses.In(r.Minor) || tree.String(r.Object, "metadata", "labels", "endpoints.kubernetes.io/managed-by") == "endpoint-controller" {
		return
	}
	for i, subset := range tree.List(r.Object, "subsets") {
		for _, list := range []string{"addresses", "notReadyAddresses"} {
			for j, a := range tree.List(subset, list) {
				w.ip(tree.String(a, "ip"), field.NewPath("subsets").Index(i).Child(list).Index(j).Child("ip"))
			}
		}
	}
}

// sliceControllers are those that write only addresses in their usual form.
var sliceControllers = []string{"endpointslice-controller.k8s.io", "endpointslicemirroring-controller.k8s.io"}

// EndpointSlice follows pkg/registry/discovery/endpointslice/strategy.go.
func EndpointSlice(w *texts, r Request) {
	if r.Old == nil && tree.String(r.Object, "addressType") == "FQDN" {
		w.say("addressType", "spec.addressType: FQDN endpoints are deprecated")
	}
	if !minors.WarnAddresses.In(r.Minor) || slices.Contains(sliceControllers, tree.String(r.Object, "metadata", "labels", "endpointslice.kubernetes.io/managed-by")) {
		return
	}
	for i, e := range tree.List(r.Object, "endpoints") {
		w.ips(tree.List(e, "addresses"), field.NewPath("endpoints").Index(i).Child("addresses"))
	}
}

// Ingress follows pkg/registry/networking/ingress/strategy.go.
func Ingress(w *texts, r Request) {
	const class = "kubernetes.io/ingress.class"
	if r.Old == nil && tree.Has(r.Object, "metadata", "annotations", class) && !tree.Has(r.Object, "spec", "ingressClassName") {
		w.say(annotation(class), "annotation %q is deprecated, please use 'spec.ingressClassName' instead", class)
	}
}

// NetworkPolicy follows networkPolicyWarnings of
// pkg/registry/networking/networkpolicy/strategy.go.
func NetworkPolicy(w *texts, r Request) {
	if !minors.WarnAddresses.In(r.Minor) {
		return
	}
	for _, way := range []struct{ rules, peers string }{{"ingress", "from"}, {"egress", "to"}} {
		for i, rule := range tree.List(r.Object, "spec", way.rules) {
			for j, peer := range tree.List(rule, way.peers) {
				block := tree.Map(peer, "ipBlock")
				if block == nil {
					continue
				}
				p := field.NewPath("spec", way.rules).Index(i).Child(way.peers).Index(j).Child("ipBlock")
				w.cidr(tree.String(block, "cidr"), p.Child("cidr"))
				w.cidrs(tree.List(block, "except"), p.Child("except"))
			}
		}
	}
}
