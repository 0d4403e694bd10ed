package validation_test

import "testing"

func TestNode(t *testing.T) {
	testRejections(t, `apiVersion: v1
kind: Node
metadata: {name: node-1}
spec: {podCIDR: 10.1.0.0/24, podCIDRs: [10.1.0.0/24], providerID: "x://1"}`, []rejection{
		{onCreate, `metadata: {name: Node}`, []string{
			`metadata.name: Invalid value: "Node": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
		}},
		{onCreate, `spec: {taints: [{}, {key: a, value: "b c", effect: Foo}, {key: b, effect: NoSchedule}, {key: b, value: x, effect: NoSchedule}]}`, []string{
			`metadata.taints[0].key: Invalid value: "": name part must be non-empty`,
			`metadata.taints[0].key: Invalid value: "": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
			`metadata.taints[0].effect: Required value`,
			`metadata.taints[1].value: Invalid value: "b c": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
			`metadata.taints[1].effect: Unsupported value: "Foo": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"`,
			`metadata.taints[3]: Duplicate value: {"Key":"b","Value":"x","Effect":"NoSchedule","TimeAdded":null}: taints must be unique by key and effect pair`,
		}},
		{onCreate, `spec: {podCIDRs: [10.1.0.0/24, 10.2.0.0/24]}`, []string{
			`spec.podCIDRs: Invalid value: ["10.1.0.0/24","10.2.0.0/24"]: may specify no more than one CIDR for each IP family`,
		}},
		{onCreate, `spec: {podCIDRs: [10.1.0.0/24, "fd00::/64"]}`, nil},
		{onCreate, `spec: {podCIDRs: [10.1.0.0/24, "fd00::/164"]}`, []string{
			`spec.podCIDRs[1]: Invalid value: "fd00::/164": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)`,
			`spec.podCIDRs: Internal error: invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR[1]: <nil> (invalid CIDR address: fd00::/164)`,
			`spec.podCIDRs: Invalid value: ["10.1.0.0/24","fd00::/164"]: may specify no more than one CIDR for each IP family`,
		}},
		{onCreate, `spec: {podCIDR: 10.1.0.0/33}`, []string{
			`spec.podCIDRs[0]: Invalid value: "10.1.0.0/33": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)`,
		}},
		{onUpdate, `spec: {podCIDR: 10.2.0.0/24}`, []string{`spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid`}},
		{onUpdate, `spec: {providerID: "x://2", externalID: e}`, []string{
			`spec.providerID: Forbidden: node updates may not change providerID except from "" to valid`,
			`spec.externalID: Forbidden: may not be updated`,
		}},
		{onUpdate, `spec: {unschedulable: true, taints: [{key: a, effect: NoExecute}]}`, nil},
	})
}

func TestRuntimeClass(t *testing.T) {
	testRejections(t, `apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: r}
handler: runc`, []rejection{
		{onCreate, `handler: ""`, []string{`handler: Required value`}},
		{onCreate, `handler: Run_C`, []string{
			`handler: Invalid value: "Run_C": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
		}},
		{onCreate, `overhead: {podFixed: {foo: "1"}}`, []string{
			`overhead.limits[foo]: Invalid value: "foo": must be a standard resource type or fully qualified`,
			`overhead.limits[foo]: Invalid value: "foo": must be a standard resource for containers`,
		}},
		{onCreate, `overhead: {podFixed: {cpu: "-1"}}`, []string{`overhead.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0`}},
		{onCreate, `scheduling: {nodeSelector: {"a b": "c d"}, tolerations: [{key: k, operator: Equal, effect: NoSchedule}, {key: k, operator: Equal, effect: NoSchedule}]}`, []string{
			`scheduling.nodeSelector: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
			`scheduling.nodeSelector: Invalid value: "c d": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
			`scheduling.tolerations[1]: Duplicate value: {"Key":"k","Operator":"Equal","Value":"","Effect":"NoSchedule","TolerationSeconds":null}`,
		}},
		{onUpdate, `handler: gvisor`, []string{`handler: Invalid value: "gvisor": field is immutable`}},
	})
}
