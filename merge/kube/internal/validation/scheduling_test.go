package validation_test

import "testing"

func TestPriorityClass(t *testing.T) {
	testRejections(t, `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: high}
value: 100`, []rejection{
		{onCreate, `metadata: {name: High}`, []string{
			`metadata.name: Invalid value: "High": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
		}},
		{onCreate, `value: 1000000001`, []string{`value: Forbidden: maximum allowed value of a user defined priority is 1000000000`}},
		{onCreate, `preemptionPolicy: Foo`, []string{
			`preemptionPolicy: Unsupported value: "Foo": supported values: "PreemptLowerPriority", "Never"`,
		}},
		{onCreate, `metadata: {name: system-foo}`, []string{
			`metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-foo is not a known system priority class`,
		}},
		{onCreate, `metadata: {name: system-node-critical}`, []string{
			`metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: value of system-node-critical PriorityClass must be 2000001000`,
		}},
		{onCreate, `{metadata: {name: system-cluster-critical}, value: 2000000000, globalDefault: true}`, []string{
			`metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: globalDefault of system-cluster-critical PriorityClass must be false`,
		}},
		{onCreate, `{metadata: {name: system-cluster-critical}, value: 2000000000}`, nil},
		{onCreate, `{metadata: {name: system-node-critical}, value: 2000001000}`, nil},
		{onUpdate, `value: 101`, []string{`value: Forbidden: may not be changed in an update.`}},
		{onUpdate, `preemptionPolicy: Never`, []string{`preemptionPolicy: Invalid value: "Never": field is immutable`}},
		{onUpdate, `{description: other, globalDefault: true}`, nil},
	})
}
