package validation_test

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"testing"
)

// The texts are those of a kube-apiserver 1.36.3.

func TestValidatingWebhooks(t *testing.T) {
	testRejections(t, `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: w}
webhooks:
- name: a.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {service: {name: s, namespace: ns}}
  rules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]`, []rejection{
		{onCreate, `webhooks: [{}]`, []string{
			`webhooks[0].name: Required value`,
			`webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun`,
			`webhooks[0].clientConfig: Required value: exactly one of url or service is required`,
			`webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1`,
		}},
		{onCreate, `webhooks: [{name: a.b, admissionReviewVersions: [v11, v11, 1v], sideEffects: Some, failurePolicy: Fail1, matchPolicy: X, timeoutSeconds: 31, clientConfig: {}}]`, []string{
			`webhooks[0].name: Invalid value: "a.b": should be a domain with at least three segments separated by dots`,
			`webhooks[0].failurePolicy: Unsupported value: "Fail1": supported values: "Fail", "Ignore"`,
			`webhooks[0].matchPolicy: Unsupported value: "X": supported values: "Equivalent", "Exact"`,
			`webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"`,
			`webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds`,
			`webhooks[0].clientConfig: Required value: exactly one of url or service is required`,
			`webhooks[0].admissionReviewVersions[1]: Invalid value: "v11": duplicate version`,
			`webhooks[0].admissionReviewVersions[2]: Invalid value: "1v": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
			`webhooks[0].admissionReviewVersions: Invalid value: ["v11","v11","1v"]: must include at least one of v1, v1beta1`,
		}},
		{onCreate, `webhooks: [{name: a.b.c, admissionReviewVersions: [v1], sideEffects: None, clientConfig: {url: "http://u:p@/x?y#z"}}, {name: a.b.c, admissionReviewVersions: [v1], sideEffects: None, clientConfig: {service: {name: "", namespace: ns, path: a//B/, port: 70000}}}]`, []string{
			`webhooks[0].clientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]`,
			`webhooks[0].clientConfig.url: Invalid value: "": host must be specified; desired format: https://host[/path]`,
			`webhooks[0].clientConfig.url: Invalid value: "u:p": user information is not permitted in the URL`,
			`webhooks[0].clientConfig.url: Invalid value: "z": fragments are not permitted in the URL`,
			`webhooks[0].clientConfig.url: Invalid value: "y": query parameters are not permitted in the URL`,
			`webhooks[1].clientConfig.service.namespace: Required value`,
			`webhooks[1].clientConfig.service.port: Invalid value: 70000: port is not valid: must be between 1 and 65535, inclusive`,
			`webhooks[1].clientConfig.service.path: Invalid value: "a//B/": must start with a '/'`,
			`webhooks[1].clientConfig.service.path: Invalid value: "a//B/": segment[0] may not be empty`,
			`webhooks[1].clientConfig.service.path: Invalid value: "a//B/": segment[1] may not be empty`,
			`webhooks[1].clientConfig.service.path: Invalid value: "a//B/": segment[2]: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
			`webhooks[1].name: Duplicate value: "a.b.c"`,
		}},
		{onCreate, `webhooks: [{name: a.b.c, admissionReviewVersions: [v1], sideEffects: None, clientConfig: {url: "https://a"}, namespaceSelector: {matchLabels: {a: "!"}}, matchConditions: [{name: "", expression: ""}, {name: a, expression: "true"}, {name: a, expression: "true"}]}]`, []string{
			`webhooks[0].namespaceSelector.matchLabels: Invalid value: "!": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
			`webhooks[0].matchConditions[0].expression: Required value`,
			`webhooks[0].matchConditions[0].name: Required value`,
			`webhooks[0].matchConditions[2].name: Duplicate value: "a"`,
		}},
		{onCreate, `webhooks: [{name: a.b.c, admissionReviewVersions: [v1], sideEffects: None, clientConfig: {url: "https://a"}, rules: [{}, {apiGroups: ["*", a], apiVersions: ["*", ""], operations: ["*", Foo], resources: ["*/*", "*", pods, "", pods/*, pods/log, "*/x", a/x], scope: Foo}]}]`, []string{
			`webhooks[0].rules[0].operations: Required value`,
			`webhooks[0].rules[0].apiGroups: Required value`,
			`webhooks[0].rules[0].apiVersions: Required value`,
			`webhooks[0].rules[0].resources: Required value`,
			`webhooks[0].rules[1].operations: Invalid value: ["*","Foo"]: if '*' is present, must not specify other operations`,
			`webhooks[0].rules[1].operations[1]: Unsupported value: "Foo": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"`,
			`webhooks[0].rules[1].apiGroups: Invalid value: ["*","a"]: if '*' is present, must not specify other API groups`,
			`webhooks[0].rules[1].apiVersions: Invalid value: ["*",""]: if '*' is present, must not specify other API versions`,
			`webhooks[0].rules[1].apiVersions[1]: Required value`,
			`webhooks[0].rules[1].resources[3]: Required value`,
			`webhooks[0].rules[1].resources[4]: Invalid value: "pods/*": if '*/*' is present, must not specify pods/*`,
			`webhooks[0].rules[1].resources[5]: Invalid value: "pods/log": if 'pods/*' is present, must not specify pods/log`,
			`webhooks[0].rules[1].resources[6]: Invalid value: "*/x": if '*/*' is present, must not specify */x`,
			`webhooks[0].rules[1].resources[7]: Invalid value: "a/x": if '*/x' is present, must not specify a/x`,
			`webhooks[0].rules[1].resources: Invalid value: ["*/*","*","pods","","pods/*","pods/log","*/x","a/x"]: if '*/*' is present, must not specify other resources`,
			`webhooks[0].rules[1].resources: Invalid value: ["*/*","*","pods","","pods/*","pods/log","*/x","a/x"]: if '*' is present, must not specify other resources without subresources`,
			`webhooks[0].rules[1].scope: Unsupported value: "Foo": supported values: "*", "Cluster", "Namespaced"`,
		}},
		{onUpdate, `webhooks: [{name: a.example.com, admissionReviewVersions: [v2], sideEffects: Some, clientConfig: {service: {name: s, namespace: ns}}}]`, []string{
			`webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"`,
			`webhooks[0].admissionReviewVersions: Invalid value: ["v2"]: must include at least one of v1, v1beta1`,
		}},
	})
}

func TestMutatingWebhooks(t *testing.T) {
	testRejections(t, `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: w}
webhooks: [{name: a.example.com, admissionReviewVersions: [v1], sideEffects: None, clientConfig: {url: "https://a"}}]`, []rejection{
		{onCreate, `webhooks: [{name: a.example.com, admissionReviewVersions: [v1], sideEffects: None, clientConfig: {url: "https://a", service: {name: a, namespace: b}}, reinvocationPolicy: Foo}]`, []string{
			`webhooks[0].reinvocationPolicy: Unsupported value: "Foo": supported values: "IfNeeded", "Never"`,
			`webhooks[0].clientConfig: Required value: exactly one of url or service is required`,
		}},
		{onUpdate, `webhooks: [{name: a.example.com, admissionReviewVersions: null, sideEffects: null, clientConfig: {url: "https://a"}}]`, []string{
			`webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun`,
			`webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1`,
		}},
	})
}

func TestCABundle(t *testing.T) {
	const unreadable = `spec.conversion.webhookClientConfig.caBundle: Invalid value: "%s": unable to load root certificates: unable to parse bytes as PEM block`
	const none = `spec.conversion.webhookClientConfig.caBundle: Invalid value: "%s": unable to load root certificates: no valid certificate authority data seen`
	block := func(typ, headers string) string {
		return "-----BEGIN " + typ + "-----\n" + headers + "TU8=\n-----END " + typ + "-----\n"
	}
	for text, want := range map[string]string{
		"":                               "",
		"x":                              unreadable,
		block("CERTIFICATE", ""):         "",
		block("CERTIFICATE", "A: b\n\n"): none,
		block("X", ""):                   none,
		block("X", "") + "x":             unreadable,
		block("X", "") + block("X", ""):  none,
		block("CERTIFICATE", "") + "x":   "",
		block("X", "") + block("CERTIFICATE", ""): "",
	} {
		bundle := base64.StdEncoding.EncodeToString([]byte(text))
		if want != "" {
			want = fmt.Sprintf(want, bundle)
		}
		got := ""
		patch := "spec: {conversion: {webhook: {clientConfig: {caBundle: " + strconv.Quote(bundle) + "}}}}"
		for _, err := range validated(requestOf(t, conversion, rejection{onUpdate, patch, nil})) {
			got += err.Error()
		}
		if got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}
