package validation_test

import "testing"

// The texts are those of a kube-apiserver 1.36.3.

func TestIPAddress(t *testing.T) {
	testRejections(t, `apiVersion: networking.k8s.io/v1
kind: IPAddress
metadata: {name: 10.0.66.1}
spec: {parentRef: {resource: services, name: s, namespace: default}}`, []rejection{
		{onCreate, `spec: null`, []string{`spec.parentRef: Required value`}},
		{onCreate, `metadata: {name: 10.0.66.01}`, []string{`metadata.name: Invalid value: "10.0.66.01": must not have leading 0s`}},
		{onCreate, `metadata: {name: "2001:0db8::1"}`, []string{`metadata.name: Invalid value: "2001:0db8::1": must be in canonical form ("2001:db8::1")`}},
		{onCreate, `metadata: {name: x}`, []string{`metadata.name: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)`}},
		{onCreate, `spec: {parentRef: {group: A, resource: a/b, name: null, namespace: a%b}}`, []string{
			`spec.parentRef.group: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
			`spec.parentRef.resource: Invalid value: "a/b": may not contain '/'`,
			`spec.parentRef.name: Required value`,
			`spec.parentRef.namespace: Invalid value: "a%b": may not contain '%'`,
		}},
		{onUpdate, `spec: {parentRef: {name: other}}`, []string{`spec.parentRef: Invalid value: {"Group":"","Resource":"services","Namespace":"default","Name":"other"}: field is immutable`}},
		{onUpdate, `spec: {parentRef: null}`, []string{
			`spec.parentRef: Required value`,
			`spec.parentRef: Invalid value: null: field is immutable`,
		}},
	})
}

func TestServiceCIDR(t *testing.T) {
	testRejections(t, `apiVersion: networking.k8s.io/v1
kind: ServiceCIDR
metadata: {name: more}
spec: {cidrs: [10.9.0.0/16]}`, []rejection{
		{onCreate, `spec: null`, []string{`spec.cidrs: Required value: at least one CIDR required`}},
		{onCreate, `spec: {cidrs: [10.9.0.0/16, 10.8.0.0/16]}`, []string{`spec.cidrs: Invalid value: ["10.9.0.0/16","10.8.0.0/16"]: may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64`}},
		{onCreate, `spec: {cidrs: [10.9.0.0/16, 10.8.0.0/16, "2001:db8::/64"]}`, []string{`spec.cidrs: Invalid value: {"CIDRs":["10.9.0.0/16","10.8.0.0/16","2001:db8::/64"]}: may only hold up to 2 values`}},
		{onCreate, `spec: {cidrs: [10.9.0.1/16, "2001:0db8::/64"]}`, []string{
			`spec.cidrs[0]: Invalid value: "10.9.0.1/16": must not have bits set beyond the prefix length`,
			`spec.cidrs[1]: Invalid value: "2001:0db8::/64": must be in canonical form ("2001:db8::/64")`,
		}},
		{onCreate, `spec: {cidrs: [10.9.0.0/016]}`, []string{`spec.cidrs[0]: Invalid value: "10.9.0.0/016": must not have leading 0s in IP or prefix length`}},
		{onCreate, `spec: {cidrs: ["::ffff:10.9.0.0/112"]}`, []string{`spec.cidrs[0]: Invalid value: "::ffff:10.9.0.0/112": must not have an IPv4-mapped IPv6 address`}},
		{onUpdate, `spec: {cidrs: [10.8.0.0/16]}`, []string{`spec.cidrs[0]: Invalid value: "10.8.0.0/16": field is immutable`}},
		{onUpdate, `spec: {cidrs: [10.8.0.0/16, "2001:db8::/64"]}`, []string{`spec.cidrs[0]: Invalid value: "10.8.0.0/16": field is immutable`}},
		{onUpdate, `spec: {cidrs: [10.9.0.0/16, "2001:db8::/64"]}`, nil},
		{onUpdate, `spec: {cidrs: [10.9.0.0/16, 10.8.0.0/16, "2001:db8::/64"]}`, []string{`spec.cidrs: Invalid value: ["10.9.0.0/16","10.8.0.0/16","2001:db8::/64"]: field is immutable`}},
	})
}
