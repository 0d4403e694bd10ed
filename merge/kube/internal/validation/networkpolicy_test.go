package validation_test

import "testing"

// The texts are those of a kube-apiserver 1.36.3.

func TestNetworkPolicy(t *testing.T) {
	testRejections(t, `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: p, namespace: default}
spec:
  podSelector: {matchLabels: {app: web}}
  ingress: [{from: [{ipBlock: {cidr: 10.0.0.0/8, except: [10.1.0.0/16]}}], ports: [{port: 80}]}]`, []rejection{
		{onCreate, `spec: {podSelector: {matchExpressions: [{key: a, operator: In}, {key: "", operator: Exists, values: [b]}, {key: c, operator: Foo}]}}`, []string{
			"spec.podSelector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
			"spec.podSelector.matchExpressions[1].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
			`spec.podSelector.matchExpressions[1].key: Invalid value: "": name part must be non-empty`,
			`spec.podSelector.matchExpressions[1].key: Invalid value: "": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
			`spec.podSelector.matchExpressions[2].operator: Invalid value: "Foo": not a valid selector operator`,
		}},
		{onCreate, `spec: {ingress: [{from: [{}, {ipBlock: {cidr: 10.0.0.0/8}, podSelector: {}}, {ipBlock: {}}]}]}`, []string{
			`spec.ingress[0].from[0]: Required value: must specify a peer`,
			`spec.ingress[0].from[1]: Forbidden: may not specify both ipBlock and another peer`,
			`spec.ingress[0].from[2].ipBlock.cidr: Required value`,
		}},
		{onCreate, `spec: {ingress: [{from: [{ipBlock: {cidr: 10.0.0.1/8, except: [10.0.0.0/8, 11.0.0.0/16, x]}}]}]}`, []string{
			`spec.ingress[0].from[0].ipBlock.cidr: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length`,
			"spec.ingress[0].from[0].ipBlock.except[0]: Invalid value: \"10.0.0.0/8\": must be a strict subset of `cidr`",
			"spec.ingress[0].from[0].ipBlock.except[1]: Invalid value: \"11.0.0.0/16\": must be a strict subset of `cidr`",
			`spec.ingress[0].from[0].ipBlock.except[2]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)`,
		}},
		{onCreate, `spec: {egress: [{to: [{namespaceSelector: {matchLabels: {a: "b!"}}}], ports: [{protocol: TCP1, port: 0}, {port: 80, endPort: 79}, {endPort: 1}, {port: a--b, endPort: 2}, {port: 1, endPort: 70000}]}]}`, []string{
			`spec.egress[0].ports[0].protocol: Unsupported value: "TCP1": supported values: "TCP", "UDP", "SCTP"`,
			`spec.egress[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive`,
			"spec.egress[0].ports[1].endPort: Invalid value: 80: must be greater than or equal to `port`",
			"spec.egress[0].ports[2].endPort: Invalid value: 1: may not be specified when `port` is not specified",
			"spec.egress[0].ports[3].endPort: Invalid value: 2: may not be specified when `port` is non-numeric",
			`spec.egress[0].ports[3].port: Invalid value: "a--b": must not contain consecutive hyphens`,
			`spec.egress[0].ports[4].endPort: Invalid value: 70000: must be between 1 and 65535, inclusive`,
			`spec.egress[0].to[0].namespaceSelector.matchLabels: Invalid value: "b!": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
		}},
		{onCreate, `spec: {policyTypes: [Ingress, Foo]}`, []string{`spec.policyTypes[1]: Unsupported value: "Foo": supported values: "Ingress", "Egress"`}},
		{onCreate, `spec: {policyTypes: [Ingress, Egress, Ingress]}`, []string{`spec.policyTypes: Invalid value: ["Ingress","Egress","Ingress"]: may not specify more than two policyTypes`}},
		{onUpdate, `spec: {ingress: [{from: [{ipBlock: {cidr: 10.0.0.0/8x}}]}]}`, []string{`spec.ingress[0].from[0].ipBlock.cidr: Invalid value: "10.0.0.0/8x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)`}},
	})
}
