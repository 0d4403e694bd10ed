package validation

import "testing"

func TestNamespace(t *testing.T) {
	testRejections(t, `apiVersion: v1
kind: Namespace
metadata: {name: shop, labels: {pod-security.kubernetes.io/enforce: baseline}}`, []rejection{
		{onCreate, `metadata: {name: sh.op}`, []string{`metadata.name: Invalid value: "sh.op": must not contain dots`}},
		{onCreate, `spec: {finalizers: [foo]}`, []string{
			`spec.finalizers: Invalid value: "foo": name is neither a standard finalizer name nor is it fully qualified`,
		}},
		{onCreate, `metadata: {labels: {pod-security.kubernetes.io/enforce: baseline1, pod-security.kubernetes.io/audit: "", pod-security.kubernetes.io/warn: Restricted}}`, []string{
			`metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "baseline1": must be one of privileged, baseline, restricted`,
			`metadata.labels[pod-security.kubernetes.io/audit]: Invalid value: "": must be one of privileged, baseline, restricted`,
			`metadata.labels[pod-security.kubernetes.io/warn]: Invalid value: "Restricted": must be one of privileged, baseline, restricted`,
		}},
		{onCreate, `metadata: {labels: {pod-security.kubernetes.io/enforce-version: v2.0, pod-security.kubernetes.io/audit-version: v1.01, pod-security.kubernetes.io/warn-version: latest}}`, []string{
			`metadata.labels[pod-security.kubernetes.io/enforce-version]: Invalid value: "v2.0": must be "latest" or "v1.x"`,
			`metadata.labels[pod-security.kubernetes.io/audit-version]: Invalid value: "v1.01": must be "latest" or "v1.x"`,
		}},
		{onUpdate, `metadata: {labels: {pod-security.kubernetes.io/enforce: baseline1}}`, []string{
			`metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "baseline1": must be one of privileged, baseline, restricted`,
		}},
		{onUpdate, `metadata: {labels: {a: "b!"}}`, []string{
			`metadata.labels: Invalid value: "b!": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
		}},
	})
}
