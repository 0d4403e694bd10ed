package validation_test

import "testing"

func TestDeviceClass(t *testing.T) {
	testRejections(t, `apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec: {selectors: [{cel: {expression: "true"}}]}`, []rejection{
		{onCreate, `metadata: {name: G_}`, []string{
			`metadata.name: Invalid value: "G_": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
		}},
		{onCreate, `spec: {selectors: [{}], extendedResourceName: gpu}`, []string{
			`spec.selectors[0].cel: Required value`,
			`spec.extendedResourceName: Invalid value: "gpu": must be a valid extended resource name`,
		}},
		{onCreate, `spec: {selectors: [{cel: {expression: "nope"}}]}`, []string{
			"spec.selectors[0].cel.expression: Invalid value: \"nope\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'nope' (in container '')\n | nope\n | ^",
		}},
		{onCreate, `spec: {config: [{}, {opaque: {driver: D_, parameters: [1]}}, {opaque: {}}]}`, []string{
			`spec.config[0].opaque: Required value`,
			`spec.config[1].opaque.driver: Invalid value: "D_": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
			`spec.config[1].opaque.parameters: Invalid value: "<value omitted>": must be a valid JSON object`,
			`spec.config[2].opaque.driver: Required value`,
			`spec.config[2].opaque.parameters: Required value`,
		}},
		{onUpdate, `spec: {extendedResourceName: "a b"}`, []string{`spec.extendedResourceName: Invalid value: "a b": must be a valid extended resource name`}},
	})
}

func TestResourceClaim(t *testing.T) {
	testRejections(t, `apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c, namespace: default}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}`, []rejection{
		{onCreate, `spec: {devices: {requests: [{name: R_}, {name: a, exactly: {}, firstAvailable: [{name: b, deviceClassName: gpu}]}, {name: a, exactly: {deviceClassName: G_}}]}}`, []string{
			`spec.devices.requests[0].name: Invalid value: "R_": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
			"spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required",
			"spec.devices.requests[1]: Invalid value: null: exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set",
			`spec.devices.requests[2].exactly.deviceClassName: Invalid value: "G_": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
			`spec.devices.requests[2]: Duplicate value: "a"`,
		}},
		{onCreate, `spec: {devices: {requests: [{name: a, firstAvailable: [{name: b, deviceClassName: gpu}, {name: b, deviceClassName: gpu}]}]}}`, []string{`spec.devices.requests[0].firstAvailable[1]: Duplicate value: "b"`}},
		{onCreate, `spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu, allocationMode: All, count: 1}}, {name: s, exactly: {deviceClassName: gpu, count: -1}}, {name: t, exactly: {deviceClassName: gpu, allocationMode: Foo}}]}}`, []string{
			`spec.devices.requests[0].exactly.count: Invalid value: 1: must not be specified when allocationMode is 'All'`,
			`spec.devices.requests[1].exactly.count: Invalid value: -1: must be greater than zero`,
			`spec.devices.requests[2].exactly.allocationMode: Unsupported value: "Foo": supported values: "All", "ExactCount"`,
		}},
		{onCreate, `spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu, tolerations: [{operator: Exists, value: a}, {key: "a b", operator: Equal, value: "b c"}, {operator: Foo, effect: Foo}]}}]}}`, []string{
			"spec.devices.requests[0].exactly.tolerations[0].value: Invalid value: \"a\": must be empty for operator `Exists`",
			`spec.devices.requests[0].exactly.tolerations[1].key: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
			`spec.devices.requests[0].exactly.tolerations[1].value: Invalid value: "b c": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
			`spec.devices.requests[0].exactly.tolerations[2].operator: Unsupported value: "Foo": supported values: "Equal", "Exists"`,
			`spec.devices.requests[0].exactly.tolerations[2].effect: Unsupported value: "Foo": supported values: "NoExecute", "NoSchedule", "None"`,
		}},
		{onCreate, `spec: {devices: {constraints: [{requests: [r, r, s, a/b/c], matchAttribute: a}, {}, {distinctAttribute: "A_/"}, {matchAttribute: /b}]}}`, []string{
			`spec.devices.constraints[0].requests[2]: Invalid value: "s": must be the name of a request in the claim or the name of a request and a subrequest separated by '/'`,
			`spec.devices.constraints[0].requests[3]: Invalid value: "a/b/c": must be the name of a request in the claim or the name of a request and a subrequest separated by '/'`,
			`spec.devices.constraints[0].requests[1]: Duplicate value: "r"`,
			`spec.devices.constraints[0].matchAttribute: Invalid value: "a": a fully qualified name must be a domain and a name separated by a slash`,
			`spec.devices.constraints[1]: Required value: exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set`,
			`spec.devices.constraints[2].distinctAttribute: Invalid value: "A_": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
			`spec.devices.constraints[2].distinctAttribute: Invalid value: "": the name must not be empty`,
			`spec.devices.constraints[3].matchAttribute: Invalid value: "": the domain must not be empty`,
		}},
		{onCreate, `spec: {devices: {config: [{requests: [s], opaque: {driver: d.example.com, parameters: {a: b}}}]}}`, []string{
			`spec.devices.config[0].requests[0]: Invalid value: "s": must be the name of a request in the claim or the name of a request and a subrequest separated by '/'`,
		}},
		{onUpdate, `spec: {devices: {requests: [{name: r, exactly: {deviceClassName: other}}]}}`, []string{
			`spec: Invalid value: {"Devices":{"Requests":[{"Name":"r","Exactly":{"DeviceClassName":"other","Selectors":null,"AllocationMode":"ExactCount","Count":1,"AdminAccess":null,"Tolerations":null,"Capacity":null},"FirstAvailable":null}],"Constraints":null,"Config":null}}: field is immutable`,
		}},
	})
}

func TestResourceClaimTemplate(t *testing.T) {
	testRejections(t, `apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: c, namespace: default}
spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}}`, []rejection{
		{onCreate, `spec: {metadata: {name: x, labels: {"a b": c}}, spec: {devices: {requests: [{name: r}]}}}`, []string{
			`spec.metadata.labels: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
			`spec.metadata.name: Forbidden: cannot be set`,
			"spec.spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required",
		}},
		{onUpdate, `spec: {metadata: {labels: {a: b}}}`, []string{
			`spec: Invalid value: {"labels":{"a":"b"},"Spec":{"Devices":{"Requests":[{"Name":"r","Exactly":{"DeviceClassName":"gpu","Selectors":null,"AllocationMode":"ExactCount","Count":1,"AdminAccess":null,"Tolerations":null,"Capacity":null},"FirstAvailable":null}],"Constraints":null,"Config":null}}}: field is immutable`,
		}},
	})
}

func TestResourceSlice(t *testing.T) {
	testRejections(t, `apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: d.example.com
  pool: {name: p/q, resourceSliceCount: 1}
  nodeName: node-1
  devices: [{name: d}]`, []rejection{
		{onCreate, `spec: {driver: null, pool: {name: A_/b, resourceSliceCount: 0, generation: -1}}`, []string{
			`spec.driver: Required value`,
			`spec.pool.name: Invalid value: "A_": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
			`spec.pool.resourceSliceCount: Invalid value: 0: must be greater than zero`,
			`spec.pool.generation: Invalid value: -1: must be greater than or equal to zero`,
		}},
		{onCreate, `spec: {nodeName: ""}`, []string{
			`spec.nodeName: Invalid value: "": must be either unset or set to a non-empty string`,
			"spec: Required value: exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required",
		}},
		{onCreate, `spec: {nodeName: N_, allNodes: true, perDeviceNodeSelection: false}`, []string{
			`spec.nodeName: Invalid value: "N_": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
			`spec.perDeviceNodeSelection: Invalid value: false: must be either unset or set to true`,
			"spec: Invalid value: \"{`nodeName`, `allNodes`}\": exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required, but multiple fields are set",
		}},
		{onCreate, `spec: {nodeName: null, nodeSelector: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [a]}]}, {}]}}`, []string{
			`spec.nodeSelector.nodeSelectorTerms: Invalid value: [{"MatchExpressions":null,"MatchFields":[{"Key":"metadata.name","Operator":"In","Values":["a"]}]},{"MatchExpressions":null,"MatchFields":null}]: must have exactly one node selector term`,
		}},
		{onCreate, `spec: {sharedCounters: [{}]}`, []string{
			"spec: Invalid value: \"\": only one of `sharedCounters` or `devices` is allowed",
			`spec.sharedCounters[0].name: Required value`,
			`spec.sharedCounters[0].counters: Required value`,
		}},
		{onCreate, `spec: {devices: null, sharedCounters: [{}, {name: A_, counters: {B_: {value: "1"}}}]}`, []string{
			`spec.sharedCounters[0].name: Required value`,
			`spec.sharedCounters[0].counters: Required value`,
			`spec.sharedCounters[1].name: Invalid value: "A_": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
			`spec.sharedCounters[1].counters: Invalid value: "B_": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
		}},
		{onCreate, `spec: {devices: [{name: D_}, {name: d, allNodes: true}, {name: d}]}`, []string{
			`spec.devices[0].name: Invalid value: "D_": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
			"spec.devices[1]: Invalid value: null: `nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec",
			`spec.devices[2]: Duplicate value: "d"`,
		}},
		{onCreate, `spec: {devices: [{name: d, attributes: {a: {}}}]}`, []string{`spec.devices[0].attributes[a]: Invalid value: "": exactly one value must be specified`}},
		{onCreate, `spec: {devices: [{name: d, attributes: {a: {int: 1, bool: true}}}]}`, []string{
			`spec.devices[0].attributes[a]: Invalid value: {"IntValue":1,"BoolValue":true,"StringValue":null,"VersionValue":null,"IntValues":null,"BoolValues":null,"StringValues":null,"VersionValues":null}: exactly one value must be specified`,
		}},
		{onCreate, `spec: {devices: [{name: d, attributes: {"c/d e": {version: "1.2"}}}]}`, []string{
			`spec.devices[0].attributes: Invalid value: "d e": a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')`,
			`spec.devices[0].attributes[c/d e].version: Invalid value: "1.2": must be a string compatible with semver.org spec 2.0.0`,
		}},
		{onCreate, `spec: {devices: [{name: d, attributes: {f/: {string: x}}}]}`, []string{`spec.devices[0].attributes: Invalid value: "": the name must not be empty`}},
		{onCreate, `spec: {devices: [{name: d, taints: [{}, {key: a, value: "b c", effect: Foo}], consumesCounters: [{}, {counterSet: a, counters: {b: {value: "1"}}}]}]}`, []string{
			`spec.devices[0].taints[0].key: Invalid value: "": name part must be non-empty`,
			`spec.devices[0].taints[0].key: Invalid value: "": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
			`spec.devices[0].taints[0].effect: Required value`,
			`spec.devices[0].taints[1].value: Invalid value: "b c": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
			`spec.devices[0].taints[1].effect: Unsupported value: "Foo": supported values: "NoExecute", "NoSchedule", "None"`,
			`spec.devices[0].consumesCounters[0].counterSet: Required value`,
			`spec.devices[0].consumesCounters[0].counters: Required value`,
		}},
		{onCreate, `spec: {devices: [{name: d, bindingConditions: [a, a, "b c"], bindingFailureConditions: [a]}, {name: e, bindingConditions: [a]}, {name: f, bindingFailureConditions: [a]}]}`, []string{
			`spec.devices[0].bindingConditions[2]: Invalid value: "b c": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
			`spec.devices[0].bindingConditions[1]: Duplicate value: "a"`,
			`spec.devices[0].bindingFailureConditions[0]: Invalid value: "a": bindingFailureConditions must not overlap with bindingConditions`,
			`spec.devices[1].bindingFailureConditions: Invalid value: null: bindingFailureConditions are required to use bindingConditions`,
			`spec.devices[2].bindingConditions: Invalid value: null: bindingConditions are required to use bindingFailureConditions`,
		}},
		{onCreate, `spec: {devices: [{name: d, capacity: {m: {value: "1", requestPolicy: {default: "1"}}}}]}`, []string{
			`spec.devices[0].capacity[m].requestPolicy: Forbidden: allowMultipleAllocations must be true`,
		}},
		{onCreate, `spec: {devices: [{name: d, allowMultipleAllocations: true, capacity: {m: {value: "10", requestPolicy: {default: "3", validValues: ["2", "1", "11"]}}}}]}`, []string{
			`spec.devices[0].capacity[m].requestPolicy.validValues[1]: Invalid value: "1": values must be sorted in ascending order`,
			`spec.devices[0].capacity[m].requestPolicy.validValues[2]: Invalid value: "11": option is larger than capacity value: 10`,
			`spec.devices[0].capacity[m].requestPolicy.validValues: Invalid value: "3": default value is not valid according to the requestPolicy`,
		}},
		{onCreate, `spec: {devices: [{name: d, allowMultipleAllocations: true, capacity: {m: {value: "10", requestPolicy: {validRange: {min: "1"}}}}}]}`, []string{
			`spec.devices[0].capacity[m].requestPolicy.default: Required value: required when validRange is defined`,
		}},
		{onCreate, `spec: {devices: [{name: d, allowMultipleAllocations: true, capacity: {m: {value: "10", requestPolicy: {default: "0", validRange: {min: "1", max: "12", step: "10"}}}}}]}`, []string{
			`spec.devices[0].capacity[m].requestPolicy.validRange.min: Invalid value: "0": default is less than min: 1`,
			`spec.devices[0].capacity[m].requestPolicy.validRange.max: Invalid value: "12": max is larger than capacity value: 10`,
			`spec.devices[0].capacity[m].requestPolicy.validRange.step: Invalid value: "10": one step 11 is larger than capacity value: 10`,
			`spec.devices[0].capacity[m].requestPolicy.validRange.step: Invalid value: "0": value is not a multiple of a given step (10) from (1)`,
			`spec.devices[0].capacity[m].requestPolicy.validRange.step: Invalid value: "12": value is not a multiple of a given step (10) from (1)`,
		}},
		{onCreate, `spec: {nodeName: null, perDeviceNodeSelection: true, devices: [{name: d}, {name: e, nodeName: node-1, allNodes: true}, {name: f, nodeName: "", allNodes: false}]}`, []string{
			"spec.devices[0]: Required value: exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec",
			"spec.devices[1]: Invalid value: \"{`nodeName`, `allNodes`}\": exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec",
			`spec.devices[2].nodeName: Invalid value: "": must not be empty`,
			`spec.devices[2].allNodes: Invalid value: false: must be either unset or set to true`,
			"spec.devices[2]: Required value: exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec",
		}},
		{onUpdate, `spec: {driver: e.example.com, pool: {name: p}, nodeName: node-2}`, []string{
			`spec.pool.name: Invalid value: "p": field is immutable`,
			`spec.driver: Invalid value: "e.example.com": field is immutable`,
			`spec.nodeName: Invalid value: "node-2": field is immutable`,
		}},
	})
}
