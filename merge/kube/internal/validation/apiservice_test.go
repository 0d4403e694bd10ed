package validation_test

import "testing"

// The texts are those of a kube-apiserver 1.36.3.

func TestAPIService(t *testing.T) {
	testRejections(t, `apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1.metrics.example.org}
spec: {group: metrics.example.org, version: v1, groupPriorityMinimum: 100, versionPriority: 10, service: {name: s, namespace: ns}, insecureSkipTLSVerify: true}`, []rejection{
		{onCreate, `metadata: {name: v2.metrics.example.org}`, []string{"metadata.name: Invalid value: \"v2.metrics.example.org\": must be `spec.version+\".\"+spec.group`: \"v1.metrics.example.org\""}},
		{onCreate, `spec: {group: null, version: 1v, groupPriorityMinimum: 20001, versionPriority: 0}`, []string{
			"metadata.name: Invalid value: \"v1.metrics.example.org\": must be `spec.version+\".\"+spec.group`: \"1v.\"",
			`spec.group: Required value: only v1 may have an empty group and it better be legacy kube`,
			`spec.version: Invalid value: "1v": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
			`spec.groupPriorityMinimum: Invalid value: 20001: must be positive and less than 20000`,
			`spec.versionPriority: Invalid value: 0: must be positive and less than 1000`,
		}},
		{onCreate, `spec: {service: null}`, []string{`spec.insecureSkipTLSVerify: Invalid value: true: local APIServices may not have insecureSkipTLSVerify`}},
		{onCreate, `spec: {service: null, insecureSkipTLSVerify: null, caBundle: eA==}`, []string{`spec.caBundle: Invalid value: "1 bytes": local APIServices may not have a caBundle`}},
		{onCreate, `spec: {service: {name: null, namespace: null, port: 70000}, caBundle: eA==}`, []string{
			`spec.service.namespace: Required value`,
			`spec.service.name: Required value`,
			`spec.service.port: Invalid value: 70000: port is not valid: must be between 1 and 65535, inclusive`,
			`spec.insecureSkipTLSVerify: Invalid value: true: may not be true if caBundle is present`,
		}},
		{onUpdate, `spec: {versionPriority: -1}`, []string{`spec.versionPriority: Invalid value: -1: must be positive and less than 1000`}},
	})
}
