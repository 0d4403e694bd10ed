package validation_test

import "testing"

func TestNamespace(t *testing.T) {
	testRejections(t, `apiVersion: v1
kind: Namespace
metadata: {name: shop}`, []rejection{
		{onCreate, `metadata: {name: sh.op}`, []string{`metadata.name: Invalid value: "sh.op": must not contain dots`}},
		{onCreate, `spec: {finalizers: [foo]}`, []string{
			`spec.finalizers: Invalid value: "foo": name is neither a standard finalizer name nor is it fully qualified`,
		}},
		{onUpdate, `metadata: {labels: {a: "b!"}}`, []string{
			`metadata.labels: Invalid value: "b!": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
		}},
	})
}
