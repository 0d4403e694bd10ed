package validation_test

import "testing"

func TestDisruptionBudget(t *testing.T) {
	testRejections(t, `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web, namespace: default}
spec: {minAvailable: 1, selector: {matchLabels: {app: a}}}`, []rejection{
		{onCreate, `spec: {maxUnavailable: 1}`, []string{
			`spec: Invalid value: {"MinAvailable":1,"Selector":{"matchLabels":{"app":"a"}},"MaxUnavailable":1,"UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set`,
		}},
		{onCreate, `spec: {minAvailable: 101%}`, []string{`spec.minAvailable: Invalid value: "101%": must not be greater than 100%`}},
		{onCreate, `spec: {minAvailable: -1}`, []string{`spec.minAvailable: Invalid value: -1: must be greater than or equal to 0`}},
		{onCreate, `spec: {minAvailable: null, maxUnavailable: abc}`, []string{
			`spec.maxUnavailable: Invalid value: "abc": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')`,
		}},
		{onCreate, `spec: {selector: {matchLabels: {app: "b!"}, matchExpressions: [{key: a, operator: In}]}}`, []string{
			`spec.selector.matchLabels: Invalid value: "b!": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
			"spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
		}},
		{onCreate, `spec: {unhealthyPodEvictionPolicy: Foo}`, []string{
			`spec.unhealthyPodEvictionPolicy: Unsupported value: "Foo": supported values: "AlwaysAllow", "IfHealthyBudget"`,
		}},
		{onCreate, `metadata: {name: We/b}`, []string{`metadata.name: Invalid value: "We/b": may not contain '/'`}},
		{onUpdate, `spec: {minAvailable: 1%, selector: {matchLabels: {app: b}}}`, nil},
		{onUpdate, `spec: {minAvailable: x, unhealthyPodEvictionPolicy: ""}`, []string{
			`spec.minAvailable: Invalid value: "x": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')`,
			`spec.unhealthyPodEvictionPolicy: Unsupported value: "": supported values: "AlwaysAllow", "IfHealthyBudget"`,
		}},
	})
}
