package setting

// networkSettings are the fields of Services and of what is around them.
var networkSettings = []Setting{
	{"Service", "spec.type", "LoadBalancer", "ClusterIP", stops, "the load balancer is deleted and its address released", servicePage + "#publishing-services-service-types", ""},
	{"Service", "spec.type", "NodePort", "ClusterIP", alters, "the node port is closed", servicePage + "#publishing-services-service-types", ""},
	{"Service", "spec.selector", "", "none", stops, "the endpoints are no longer kept up to date: traffic goes to pods that are gone", servicePage + "#services-without-selectors", "spec.externalName"},
	{"Service", "spec.selector/*", "", "none", alters, "the Service may send traffic to other pods too", servicePage + "#defining-a-service", ""},
	{"Service", "spec.loadBalancerClass", "", "none", alters, "a different controller creates the load balancer, or none does", servicePage + "#load-balancer-class", ""},
	{"Service", "spec.loadBalancerSourceRanges", "", "none", stops, "every address may reach the load balancer", docs + "tasks/administer-cluster/access-cluster-services/", balanced},
	{"Service", "spec.loadBalancerIP", "", "none", alters, "the load balancer may get another address", servicePage + "#loadbalancer", balanced},
	{"Service", "spec.allocateLoadBalancerNodePorts", "false", "true", alters, "a port is opened on every node", servicePage + "#load-balancer-nodeport-allocation", ""},
	{"Service", "spec.externalTrafficPolicy", "Local", "Cluster", alters, "pods no longer see the address of the client", policyPage + "#external-traffic-policy", ""},
	{"Service", "spec.internalTrafficPolicy", "Local", "Cluster", alters, "traffic goes to pods on other nodes too", docs + "concepts/services-networking/service-traffic-policy/", ""},
	{"Service", "spec.trafficDistribution", "", "none", alters, "traffic goes to pods in other zones or nodes too", policyPage + "#traffic-distribution", ""},
	{"Service", "spec.sessionAffinity", "ClientIP", "None", alters, "requests of one client go to different pods", policyPage + "#session-affinity", ""},
	{"Service", "spec.sessionAffinityConfig.clientIP/timeoutSeconds", "", "some", alters, "the time that a client sticks to a pod changes", policyPage + "#session-stickiness-timeout", ""},
	{"Service", "spec.publishNotReadyAddresses", "true", "none", alters, "pods are found only once they are ready", docs + "reference/kubernetes-api/service-resources/service-v1/", ""},
	{"Service", "spec.externalIPs", "", "none", alters, "the Service can no longer be reached at these addresses", servicePage + "#external-ips", ""},
	{"Service", "spec.ports[].targetPort", "", "some", alters, "traffic goes to another port of the pods", servicePage + "#field-spec-ports", ""},
	{"Service", "spec.ports[].appProtocol", "", "none", alters, "load balancers and ingress controllers may assume another protocol", servicePage + "#application-protocol", ""},
	{"Service", "spec.ports[].name", "", "none", alters, "an Ingress that uses the name does not find the port", servicePage + "#multi-port-services", ""},

	// What keeps the load balancer of a cloud off the internet.
	{"Service", "metadata.annotations[service.beta.kubernetes.io/aws-load-balancer-internal]", "true|0.0.0.0/0", "none", stops, internal, internalPage, balanced},
	{"Service", "metadata.annotations[service.beta.kubernetes.io/aws-load-balancer-scheme]", "internal", "none", stops, internal, internalPage, balanced},
	{"Service", "metadata.annotations[service.beta.kubernetes.io/azure-load-balancer-internal]", "true", "none", stops, internal, internalPage, balanced},
	{"Service", "metadata.annotations[networking.gke.io/load-balancer-type]", "Internal", "none", stops, internal, internalPage, balanced},
	{"Service", "metadata.annotations[cloud.google.com/load-balancer-type]", "Internal", "none", stops, internal, internalPage, balanced},
	{"Service", "metadata.annotations[service.kubernetes.io/ibm-load-balancer-cloud-provider-ip-type]", "private", "none", stops, internal, internalPage, balanced},
	{"Service", "metadata.annotations[service.beta.kubernetes.io/openstack-internal-load-balancer]", "true", "none", stops, internal, internalPage, balanced},
	{"Service", "metadata.annotations[service.beta.kubernetes.io/alibaba-cloud-loadbalancer-address-type]", "intranet", "none", stops, internal, internalPage, balanced},
	{"Service", "metadata.annotations[service.beta.kubernetes.io/oci-load-balancer-internal]", "true", "none", stops, internal, internalPage, balanced},

	{"Ingress.networking.k8s.io", "spec.tls", "", "none", stops, "the hosts are served without this certificate", ingressPage + "#tls", ""},
	{"Ingress.networking.k8s.io", "spec.ingressClassName", "", "none", alters, "a different ingress controller serves it, or none does", ingressPage + "#ingress-class", ""},
	{"Ingress.networking.k8s.io", "spec.defaultBackend", "", "none", alters, "requests that match no rule go to the backend of the controller", ingressPage + "#default-backend", ""},
	{"Ingress.networking.k8s.io", "spec.rules", "", "none", alters, "all requests go to the default backend", ingressPage + "#ingress-rules", ""},
	{"Ingress.networking.k8s.io", "spec.rules[].host", "", "none", alters, "the rule matches every host", ingressPage + "#ingress-rules", ""},
	{"Ingress.networking.k8s.io", "metadata.annotations[nginx.ingress.kubernetes.io/whitelist-source-range]", "", "none", stops, "every address may reach the hosts", nginxPage + "#whitelist-source-range", ""},
	{"Ingress.networking.k8s.io", "metadata.annotations[nginx.ingress.kubernetes.io/auth-type]", "", "none", stops, "requests need no login", nginxPage + "#authentication", ""},
	{"Ingress.networking.k8s.io", "metadata.annotations[nginx.ingress.kubernetes.io/auth-url]", "", "none", stops, "requests need no login", nginxPage + "#external-authentication", ""},
	{"Ingress.networking.k8s.io", "metadata.annotations[nginx.ingress.kubernetes.io/auth-tls-secret]", "", "none", stops, "requests need no client certificate", nginxPage + "#client-certificate-authentication", ""},
	{"IngressClass.networking.k8s.io", "spec.parameters", "", "none", alters, "the controller runs with its own settings", ingressPage + "#ingress-class", ""},
	{"IngressClass.networking.k8s.io", "metadata.annotations[ingressclass.kubernetes.io/is-default-class]", "true", "none", alters, "an Ingress without a class is not served", ingressPage + "#default-ingress-class", ""},

	{"NetworkPolicy.networking.k8s.io", "spec.policyTypes", "has Egress", "lacks Egress", stops, "the pods may connect to everything", netpolPage + "#default-policies", ""},
	{"NetworkPolicy.networking.k8s.io", "spec.policyTypes", "lacks Ingress", "has Ingress", alters, "the policy also restricts ingress: without ingress rules nothing may connect to the pods", netpolPage + "#default-policies", ""},
	{"NetworkPolicy.networking.k8s.io", "spec.ingress", "", "none", alters, "nothing may connect to the pods", netpolPage + "#default-deny-all-ingress-traffic", ""},
	{"NetworkPolicy.networking.k8s.io", "spec.egress", "", "none", alters, "no egress rule is left", netpolPage + "#default-deny-all-egress-traffic", ""},
	{"NetworkPolicy.networking.k8s.io", "spec.podSelector.matchLabels.*", "", "none", alters, "the policy may select other pods, too", netpolPage, ""},
	{"NetworkPolicy.networking.k8s.io", "spec.podSelector.matchExpressions", "", "none", alters, "the policy may select other pods, too", netpolPage, ""},
	{"NetworkPolicy.networking.k8s.io", "spec.ingress[].from", "", "none", stops, "the rule allows connections from everywhere", netpolPage + "#allow-all-ingress-traffic", ""},
	{"NetworkPolicy.networking.k8s.io", "spec.ingress[].ports", "", "none", stops, "the rule allows every port", netpolPage, ""},
	{"NetworkPolicy.networking.k8s.io", "spec.egress[].to", "", "none", stops, "the rule allows connections to everywhere", netpolPage + "#allow-all-egress-traffic", ""},
	{"NetworkPolicy.networking.k8s.io", "spec.egress[].ports", "", "none", stops, "the rule allows every port", netpolPage, ""},
	{"NetworkPolicy.networking.k8s.io", "spec.ingress[].from[].podSelector", "", "none", stops, "all pods of the namespaces may connect", selectPage, ""},
	{"NetworkPolicy.networking.k8s.io", "spec.ingress[].from[].namespaceSelector", "", "none", alters, "pods of other namespaces may not connect", selectPage, ""},
	{"NetworkPolicy.networking.k8s.io", "spec.ingress[].from[].ipBlock.except", "", "none", stops, "these addresses may connect", selectPage, ""},
	{"NetworkPolicy.networking.k8s.io", "spec.egress[].to[].podSelector", "", "none", stops, "the pods may connect to all pods of the namespaces", selectPage, ""},
	{"NetworkPolicy.networking.k8s.io", "spec.egress[].to[].namespaceSelector", "", "none", alters, "the pods may not connect to other namespaces", selectPage, ""},
	{"NetworkPolicy.networking.k8s.io", "spec.egress[].to[].ipBlock.except", "", "none", stops, "the pods may connect to these addresses", selectPage, ""},

	{"EndpointSlice.discovery.k8s.io", "endpoints[].conditions.ready", "false", "none", stops, "the endpoint gets traffic", slicePage, ""},
	{"EndpointSlice.discovery.k8s.io", "endpoints[].conditions.serving", "false", "none", alters, "the endpoint counts as serving", slicePage, ""},
	{"EndpointSlice.discovery.k8s.io", "ports", "", "", alters, "the endpoints have no ports", slicePage, ""},
}

const (
	internal = "the load balancer may get a public address"
	balanced = "spec.type!=LoadBalancer"

	servicePage  = docs + "concepts/services-networking/service/"
	internalPage = servicePage + "#internal-load-balancer"
	policyPage   = docs + "reference/networking/virtual-ips/"
	ingressPage  = docs + "concepts/services-networking/ingress/"
	nginxPage    = "https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/annotations/"
	netpolPage   = docs + "concepts/services-networking/network-policies/"
	selectPage   = netpolPage + "#behavior-of-to-and-from-selectors"
	slicePage    = docs + "concepts/services-networking/endpoint-slices/#conditions"
)
