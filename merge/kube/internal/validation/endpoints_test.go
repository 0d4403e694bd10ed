package validation_test

import "testing"

// The texts are those of a kube-apiserver 1.36.3.

func TestEndpoints(t *testing.T) {
	testRejections(t, `apiVersion: v1
kind: Endpoints
metadata: {name: e, namespace: default}
subsets:
- addresses: [{ip: 10.0.0.1}]
  ports: [{name: a, port: 80}]`, []rejection{
		{onCreate, `subsets: [{}]`, []string{"subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`"}},
		{onCreate, `subsets: [{addresses: [{ip: 127.0.0.1, hostname: a.b, nodeName: a_b}], notReadyAddresses: [{ip: x}]}]`, []string{
			`subsets[0].addresses[0].hostname: Invalid value: "a.b": must not contain dots`,
			`subsets[0].addresses[0].nodeName: Invalid value: "a_b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
			`subsets[0].addresses[0].ip: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)`,
			`subsets[0].notReadyAddresses[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)`,
			`subsets[0].notReadyAddresses[0].ip: Invalid value: "x": must be a valid IP address`,
		}},
		{onCreate, `subsets: [{addresses: [{ip: 10.0.0.1}], ports: [{port: 0, protocol: TCPx}, {name: A, port: 1, appProtocol: "!"}]}]`, []string{
			`subsets[0].ports[0].name: Required value`,
			`subsets[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive`,
			`subsets[0].ports[0].protocol: Unsupported value: "TCPx": supported values: "SCTP", "TCP", "UDP"`,
			`subsets[0].ports[1].name: Invalid value: "A": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
			`subsets[0].ports[1].appProtocol: Invalid value: "!": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
		}},
		{onUpdate, `subsets: [{addresses: [{ip: 10.0.0.1x}]}]`, []string{
			`subsets[0].addresses[0].ip: Invalid value: "10.0.0.1x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)`,
			`subsets[0].addresses[0].ip: Invalid value: "10.0.0.1x": must be a valid IP address`,
		}},
	})
}

func TestEndpointSlice(t *testing.T) {
	testRejections(t, `apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: e, namespace: default}
addressType: IPv4
endpoints: [{addresses: [10.0.0.1], hints: {forZones: [{name: a}]}}]
ports: [{name: a, port: 80}]`, []rejection{
		{onCreate, `addressType: null`, []string{`addressType: Required value`}},
		{onCreate, `addressType: IPv4x`, []string{`addressType: Unsupported value: "IPv4x": supported values: "FQDN", "IPv4", "IPv6"`}},
		{onCreate, `endpoints: [{addresses: []}, {addresses: [x, 127.0.0.1, "2001:db8::1"], hostname: A, nodeName: b_c}]`, []string{
			`endpoints[0].addresses: Required value: must contain at least 1 address`,
			`endpoints[1].addresses[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)`,
			`endpoints[1].addresses[1]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)`,
			`endpoints[1].addresses: Invalid value: "2001:db8::1": must be an IPv4 address`,
			`endpoints[1].nodeName: Invalid value: "b_c": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
			`endpoints[1].hostname: Invalid value: "A": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
		}},
		{onCreate, `{addressType: IPv6, endpoints: [{addresses: ["2001:DB8::1", 10.0.0.1]}]}`, []string{
			`endpoints[0].addresses[0]: Invalid value: "2001:DB8::1": must be in canonical form ("2001:db8::1")`,
			`endpoints[0].addresses: Invalid value: "10.0.0.1": must be an IPv6 address`,
		}},
		{onCreate, `{addressType: FQDN, endpoints: [{addresses: ["", a, a.B, a.example.com., "a23456789012345678901234567890123456789012345678901234567890123456789.b"]}]}`, []string{
			`endpoints[0].addresses[0]: Required value`,
			`endpoints[0].addresses[1]: Invalid value: "a": should be a domain with at least two segments separated by dots`,
			`endpoints[0].addresses[2]: Invalid value: "a.B": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
			`endpoints[0].addresses[4]: Invalid value: "a23456789012345678901234567890123456789012345678901234567890123456789": must be no more than 63 characters`,
		}},
		{onCreate, `endpoints: [{addresses: [10.0.0.1], hints: {forZones: [{name: a}, {name: a}, {name: "a b"}], forNodes: [{name: A}, {name: m}, {name: m}]}}]`, []string{
			`endpoints[0].hints.forZones[1].name: Duplicate value: "a"`,
			`endpoints[0].hints.forZones[2].name: Invalid value: "a b": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
			`endpoints[0].hints.forNodes[0].name: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
			`endpoints[0].hints.forNodes[2].name: Duplicate value: "m"`,
		}},
		{onCreate, `ports: [{name: a}, {name: a, protocol: Foo}, {name: B, appProtocol: "-"}]`, []string{
			`ports[1].name: Duplicate value: "a"`,
			`ports[1].protocol: Unsupported value: "Foo": supported values: "SCTP", "TCP", "UDP"`,
			`ports[2].name: Invalid value: "B": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
			`ports[2].appProtocol: Invalid value: "-": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
		}},
		{onUpdate, `addressType: IPv6`, []string{`addressType: Invalid value: "IPv6": field is immutable`}},
	})
}
