package validation_test

import "testing"

func TestConfigMap(t *testing.T) {
	testRejections(t, `apiVersion: v1
kind: ConfigMap
metadata: {name: c, namespace: default}
data: {a: b}
binaryData: {x: eA==}`, []rejection{
		{onCreate, `data: {"..": a}`, []string{`data[..]: Invalid value: "..": must not be '..'`}},
		{onCreate, `data: {"a b": a}`, []string{
			`data[a b]: Invalid value: "a b": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')`,
		}},
		{onCreate, `data: {x: y}`, []string{`data[x]: Invalid value: "x": duplicate of key present in binaryData`}},
		{onCreate, `binaryData: {"a/b": eA==}`, []string{
			`binaryData[a/b]: Invalid value: "a/b": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')`,
		}},
		{onUpdate, `immutable: true`, nil},
		{onUpdate, `data: {"a:b": c}`, []string{
			`data[a:b]: Invalid value: "a:b": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')`,
		}},
	})
}

func TestImmutableConfigMap(t *testing.T) {
	testRejections(t, `apiVersion: v1
kind: ConfigMap
metadata: {name: i, namespace: default}
immutable: true
data: {a: b}
binaryData: {x: eA==}`, []rejection{
		{onUpdate, `{immutable: false, data: {a: c}, binaryData: {x: eQ==}}`, []string{
			"immutable: Forbidden: field is immutable when `immutable` is set",
			"data: Forbidden: field is immutable when `immutable` is set",
			"binaryData: Forbidden: field is immutable when `immutable` is set",
		}},
		{onUpdate, `metadata: {labels: {a: b}}`, nil},
	})
}

func TestSecret(t *testing.T) {
	testRejections(t, `apiVersion: v1
kind: Secret
metadata: {name: s, namespace: default}
data: {a: Yg==}`, []rejection{
		{onCreate, `data: {"a b": Yg==}`, []string{
			`data[a b]: Invalid value: "a b": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')`,
		}},
		{onCreate, `type: kubernetes.io/tls`, []string{
			`data[tls.crt]: Required value`,
			`data[tls.key]: Required value`,
		}},
		{onCreate, `type: kubernetes.io/basic-auth`, []string{
			`data[username]: Required value`,
			`data[password]: Required value`,
		}},
		{onCreate, `type: kubernetes.io/ssh-auth`, []string{`data[ssh-privatekey]: Required value`}},
		{onCreate, `type: kubernetes.io/dockercfg`, []string{`data[.dockercfg]: Required value`}},
		{onCreate, `{type: kubernetes.io/dockercfg, data: {.dockercfg: eA==}}`, []string{
			`data[.dockercfg]: Invalid value: "<secret contents redacted>": invalid character 'x' looking for beginning of value`,
		}},
		{onCreate, `{type: kubernetes.io/dockerconfigjson, data: {.dockerconfigjson: ""}}`, []string{
			`data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": unexpected end of JSON input`,
		}},
		{onCreate, `{type: kubernetes.io/dockerconfigjson, data: {.dockerconfigjson: W10=}}`, []string{
			`data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": json: cannot unmarshal array into Go value of type map[string]interface {}`,
		}},
		{onCreate, `type: kubernetes.io/service-account-token`, []string{`metadata.annotations[kubernetes.io/service-account.name]: Required value`}},
		{onCreate, `type: example.com/any`, nil},
		{onUpdate, `type: example.com/any`, []string{`type: Invalid value: "example.com/any": field is immutable`}},
	})
}

func TestImmutableSecret(t *testing.T) {
	testRejections(t, `apiVersion: v1
kind: Secret
metadata: {name: si, namespace: default}
immutable: true
data: {a: Yg==}`, []rejection{
		{onUpdate, `{immutable: null, data: {b: Yg==}}`, []string{
			"immutable: Forbidden: field is immutable when `immutable` is set",
			"data: Forbidden: field is immutable when `immutable` is set",
		}},
	})
}

func TestServiceAccount(t *testing.T) {
	testRejections(t, `apiVersion: v1
kind: ServiceAccount
metadata: {name: sa, namespace: default}`, []rejection{
		{onCreate, `metadata: {name: S_A}`, []string{
			`metadata.name: Invalid value: "S_A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
		}},
		{onUpdate, `metadata: {labels: {a: "b!"}}`, []string{
			`metadata.labels: Invalid value: "b!": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
		}},
	})
}
