package validation_test

import "testing"

func TestLease(t *testing.T) {
	testRejections(t, `apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: l, namespace: default}
spec: {holderIdentity: me}`, []rejection{
		{onCreate, `spec: {leaseDurationSeconds: 0, leaseTransitions: -1}`, []string{
			`spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0`,
			`spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0`,
		}},
		{onCreate, `metadata: {name: L}`, []string{
			`metadata.name: Invalid value: "L": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
		}},
		{onUpdate, `spec: {holderIdentity: you, leaseDurationSeconds: -1}`, []string{`spec.leaseDurationSeconds: Invalid value: -1: must be greater than 0`}},
	})
}
