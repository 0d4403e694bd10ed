package validation_test

import "testing"

// The texts are those of a kube-apiserver 1.36.3.

func TestService(t *testing.T) {
	testRejections(t, `apiVersion: v1
kind: Service
metadata: {name: web, namespace: default}
spec:
  clusterIP: 10.0.77.1
  clusterIPs: [10.0.77.1]
  ipFamilies: [IPv4]
  ipFamilyPolicy: SingleStack
  selector: {app: web}
  ports: [{name: http, port: 80}, {name: dns, port: 53, protocol: UDP, targetPort: dns}]`, []rejection{
		{onCreate, `metadata: {name: a.b}`, []string{`metadata.name: Invalid value: "a.b": must not contain dots`}},
		{onCreate, `metadata: {name: 1web}`, nil},
		{onCreate, `spec: {ports: null}`, []string{`spec.ports: Required value`}},
		{onCreate, `spec: {ports: [{port: 80}, {name: A_b, port: 70000}]}`, []string{
			`spec.ports[0].name: Required value`,
			`spec.ports[1].name: Invalid value: "A_b": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
			`spec.ports[1].port: Invalid value: 70000: must be between 1 and 65535, inclusive`,
			`spec.ports[1].targetPort: Invalid value: 70000: must be between 1 and 65535, inclusive`,
		}},
		{onCreate, `spec: {ports: [{name: a, port: 80}, {name: a, port: 80, targetPort: 0x}]}`, []string{
			`spec.ports[1].name: Duplicate value: "a"`,
			`spec.ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":80,"TargetPort":0,"NodePort":0}`,
		}},
		{onCreate, `spec: {ports: [{name: a, port: 80, protocol: TCP1, targetPort: --a, appProtocol: a b}]}`, []string{
			`spec.ports[0].protocol: Unsupported value: "TCP1": supported values: "SCTP", "TCP", "UDP"`,
			`spec.ports[0].targetPort: Invalid value: "--a": must not contain consecutive hyphens`,
			`spec.ports[0].targetPort: Invalid value: "--a": must not begin or end with a hyphen`,
			`spec.ports[0].appProtocol: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
		}},
		{onCreate, `spec: {ports: [{name: a, port: 80, nodePort: 30000}]}`, []string{"spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"}},
		{onCreate, `spec: {selector: {app: "a b"}}`, []string{`spec.selector: Invalid value: "a b": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`}},
		{onCreate, `spec: {sessionAffinity: ClientIP1}`, []string{`spec.sessionAffinity: Unsupported value: "ClientIP1": supported values: "ClientIP", "None"`}},
		{onCreate, `spec: {sessionAffinity: ClientIP, sessionAffinityConfig: {clientIP: {timeoutSeconds: 86401}}}`, []string{`spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 86401: must be greater than 0 and less than 86400`}},
		{onCreate, `spec: {type: ClusterIP1}`, []string{`spec.type: Unsupported value: "ClusterIP1": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"`}},
		{onCreate, `spec: {externalIPs: [1.2.3, 127.0.0.1, 0.0.0.0, 169.254.1.1, 224.0.0.1, 01.2.3.4, "::ffff:1.2.3.4"]}`, []string{
			`spec.externalIPs[0]: Invalid value: "1.2.3": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)`,
			`spec.externalIPs[1]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)`,
			`spec.externalIPs[2]: Invalid value: "0.0.0.0": may not be unspecified (0.0.0.0)`,
			`spec.externalIPs[3]: Invalid value: "169.254.1.1": may not be in the link-local range (169.254.0.0/16, fe80::/10)`,
			`spec.externalIPs[4]: Invalid value: "224.0.0.1": may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)`,
			`spec.externalIPs[5]: Invalid value: "01.2.3.4": must not have leading 0s`,
			`spec.externalIPs[6]: Invalid value: "::ffff:1.2.3.4": must not be an IPv4-mapped IPv6 address`,
		}},
		{onCreate, `spec: {externalTrafficPolicy: Local}`, []string{`spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services`}},
		{onCreate, `spec: {healthCheckNodePort: 30001}`, []string{"spec.healthCheckNodePort: Invalid value: 30001: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"}},
		{onCreate, `spec: {internalTrafficPolicy: Foo, trafficDistribution: PreferFoo}`, []string{
			`spec.internalTrafficPolicy: Unsupported value: "Foo": supported values: "Cluster", "Local"`,
			`spec.trafficDistribution: Unsupported value: "PreferFoo": supported values: "PreferClose", "PreferSameZone", "PreferSameNode"`,
		}},
		{onCreate, `spec: {allocateLoadBalancerNodePorts: true, loadBalancerClass: a/b, loadBalancerSourceRanges: [10.0.0.0/8]}`, []string{
			"spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer'",
			"spec.allocateLoadBalancerNodePorts: Forbidden: may only be used when `type` is 'LoadBalancer'",
			"spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'",
		}},
		{onCreate, `metadata: {annotations: {service.beta.kubernetes.io/load-balancer-source-ranges: "10.0.0.0/8,x"}}`, []string{
			"metadata.annotations[service.beta.kubernetes.io/load-balancer-source-ranges]: Forbidden: may only be used when `type` is 'LoadBalancer'",
			`metadata.annotations[service.beta.kubernetes.io/load-balancer-source-ranges]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)`,
		}},
		{onCreate, `metadata: {annotations: {service.kubernetes.io/topology-mode: Auto, service.kubernetes.io/topology-aware-hints: Disabled}}`, []string{`metadata.annotations[service.kubernetes.io/topology-mode]: Invalid value: "Auto": must match annotations[service.kubernetes.io/topology-aware-hints] when both are specified`}},
		{onCreate, `spec: {clusterIP: None, clusterIPs: [None], type: NodePort}`, []string{`spec.clusterIPs[0]: Invalid value: "None": may not be set to 'None' for NodePort services`}},
		{onCreate, `spec: {clusterIP: Nonex, clusterIPs: [Nonex]}`, []string{`spec.clusterIPs[0]: Invalid value: "Nonex": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)`}},
		{onCreate, `spec: {clusterIP: null}`, []string{"spec.clusterIPs: Invalid value: [\"10.0.77.1\"]: must be empty when `clusterIP` is not specified"}},
		{onCreate, `spec: {clusterIPs: [10.0.77.2]}`, []string{"spec.clusterIPs: Invalid value: [\"10.0.77.2\"]: first value must match `clusterIP`"}},
		{onCreate, `spec: {clusterIPs: [10.0.77.1, None]}`, []string{`spec.clusterIPs[1]: Invalid value: "None": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)`}},
		{onCreate, `spec: {clusterIPs: [10.0.77.1, 10.0.77.2]}`, []string{`spec.clusterIPs: Invalid value: ["10.0.77.1","10.0.77.2"]: may specify no more than one IP for each IP family`}},
		{onCreate, `spec: {clusterIPs: [10.0.77.1, 10.0.77.2, "2001:db8::1"]}`, []string{`spec.clusterIPs: Invalid value: ["10.0.77.1","10.0.77.2","2001:db8::1"]: may only hold up to 2 values`}},
		{onCreate, `spec: {clusterIP: "2001:db8::1", clusterIPs: ["2001:db8::1"]}`, []string{"spec.clusterIPs[0]: Invalid value: \"2001:db8::1\": expected an IPv4 value as indicated by `ipFamilies[0]`"}},
		{onCreate, `spec: {ipFamilies: [IPv5, IPv5]}`, []string{
			`spec.ipFamilies[0]: Unsupported value: "IPv5": supported values: "IPv4", "IPv6"`,
			`spec.ipFamilies[1]: Unsupported value: "IPv5": supported values: "IPv4", "IPv6"`,
			`spec.ipFamilies[1]: Duplicate value: "IPv5"`,
		}},
		{onCreate, `spec: {ipFamilyPolicy: SingleStackx}`, []string{`spec.ipFamilyPolicy: Unsupported value: "SingleStackx": supported values: "PreferDualStack", "RequireDualStack", "SingleStack"`}},
		{onCreate, `spec: {ipFamilies: [IPv4, IPv6]}`, []string{`spec.ipFamilyPolicy: Invalid value: "SingleStack": must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified`}},
		{onCreate, `spec: {type: LoadBalancer, loadBalancerClass: a b, loadBalancerSourceRanges: [10.0.0.1/8, " 10.0.0.0/8 ", 10.0.0.0/33]}`, []string{
			`spec.LoadBalancerSourceRanges[0]: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length`,
			`spec.LoadBalancerSourceRanges[2]: Invalid value: "10.0.0.0/33": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)`,
			`spec.loadBalancerClass: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
		}},
		{onCreate, `spec: {type: NodePort, externalTrafficPolicy: Localx}`, []string{`spec.externalTrafficPolicy: Unsupported value: "Localx": supported values: "Cluster", "Local"`}},
		{onCreate, `spec: {type: NodePort, ports: [{name: a, port: 1, nodePort: 30123}, {name: b, port: 2, nodePort: 30123}]}`, []string{`spec.ports[1].nodePort: Invalid value: 30123: provided port is already allocated`}},
		{onCreate, `spec: {type: ExternalName}`, []string{
			`spec.clusterIPs: Forbidden: may not be set for ExternalName services`,
			`spec.ipFamilies: Forbidden: may not be set for ExternalName services`,
			`spec.ipFamilyPolicy: Forbidden: may not be set for ExternalName services`,
			`spec.externalName: Required value`,
		}},
		{onCreate, `spec: {sessionAffinity: None, sessionAffinityConfig: {clientIP: {timeoutSeconds: 1}}}`, nil},
		{onCreate, `metadata: {annotations: {service.beta.kubernetes.io/load-balancer-source-ranges: " "}}`, []string{"metadata.annotations[service.beta.kubernetes.io/load-balancer-source-ranges]: Forbidden: may only be used when `type` is 'LoadBalancer'"}},
		{onCreate, `spec: {type: ExternalName, externalName: a_b, clusterIP: null, clusterIPs: null, ipFamilies: null, ipFamilyPolicy: null}`, []string{`spec.externalName: Invalid value: "a_b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`}},
		{onUpdate, `spec: {clusterIP: 10.0.77.2, clusterIPs: [10.0.77.2]}`, []string{`spec.clusterIPs[0]: Invalid value: ["10.0.77.2"]: may not change once set`}},
		{onUpdate, `spec: {clusterIP: None, clusterIPs: [None]}`, []string{`spec.clusterIPs[0]: Invalid value: ["None"]: may not change once set`}},
		{onUpdate, `spec: {ipFamilies: [IPv6]}`, []string{"spec.clusterIPs[0]: Invalid value: \"10.0.77.1\": expected an IPv6 value as indicated by `ipFamilies[0]`"}},
		{onUpdate, `spec: {ports: []}`, []string{`spec.ports: Required value`}},
		{onUpdate, `metadata: {labels: {a: "b!"}}`, []string{`metadata.labels: Invalid value: "b!": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`}},
		{onUpdate, `spec: {ports: [{name: http, port: 81}], selector: {app: other}}`, nil},
	})
}

func TestNodePortService(t *testing.T) {
	testRejections(t, `apiVersion: v1
kind: Service
metadata: {name: lb, namespace: default}
spec:
  type: LoadBalancer
  clusterIP: 10.0.77.3
  clusterIPs: [10.0.77.3]
  ipFamilies: [IPv4]
  ipFamilyPolicy: SingleStack
  externalTrafficPolicy: Local
  healthCheckNodePort: 30777
  loadBalancerClass: example.com/a
  loadBalancerSourceRanges: [10.0.0.0/8]
  ports: [{name: http, port: 80, nodePort: 30707}]`, []rejection{
		{onUpdate, `spec: {loadBalancerClass: example.com/b}`, []string{`spec.loadBalancerClass: Invalid value: "example.com/b": may not change once set`}},
		{onUpdate, `spec: {healthCheckNodePort: 30778}`, []string{`spec.healthCheckNodePort: Forbidden: field is immutable`}},
		{onUpdate, `spec: {loadBalancerSourceRanges: [10.0.0.0/8, 10.0.0.0/8x]}`, []string{`spec.LoadBalancerSourceRanges[1]: Invalid value: "10.0.0.0/8x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)`}},
		{onUpdate, `spec: {externalTrafficPolicy: Localx, healthCheckNodePort: null}`, []string{`spec.externalTrafficPolicy: Unsupported value: "Localx": supported values: "Cluster", "Local"`}},
		{onUpdate, `spec: {type: ClusterIP, ports: [{name: http, port: 80, nodePort: 30708}], allocateLoadBalancerNodePorts: false, loadBalancerClass: null, externalTrafficPolicy: null, healthCheckNodePort: null}`, []string{
			"spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
			"spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer'",
			"spec.allocateLoadBalancerNodePorts: Forbidden: may only be used when `type` is 'LoadBalancer'",
		}},
	})
}
