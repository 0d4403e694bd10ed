package validation_test

import "testing"

// The texts are those of a kube-apiserver 1.36.3.

func TestIngress(t *testing.T) {
	testRejections(t, `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: i, namespace: default}
spec:
  ingressClassName: nginx
  rules: [{host: a.example.com, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: s, port: {number: 80}}}}]}}]`, []rejection{
		{onCreate, `spec: {rules: null}`, []string{"spec: Invalid value: null: either `defaultBackend` or `rules` must be specified"}},
		{onCreate, `spec: {ingressClassName: A_b}`, []string{`spec.ingressClassName: Invalid value: "A_b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`}},
		{onCreate, `metadata: {annotations: {kubernetes.io/ingress.class: other}}`, []string{"annotations.kubernetes.io/ingress.class: Invalid value: \"other\": must match `ingressClassName` when both are specified"}},
		{onCreate, `spec: {tls: [{hosts: ["*.a.com", "*a.com", A.com], secretName: a_b}]}`, []string{
			`spec.tls[0].hosts[1]: Invalid value: "*a.com": a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\*\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
			`spec.tls[0].hosts[2]: Invalid value: "A.com": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
			`spec.tls[0].secretName: Invalid value: "a_b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
		}},
		{onCreate, `spec: {rules: [{host: 1.2.3.4}, {host: "http://a"}, {host: "a.*.com"}, {http: {}}]}`, []string{
			`spec.rules[0].host: Invalid value: "1.2.3.4": must be a DNS name, not an IP address`,
			`spec.rules[1].host: Invalid value: "http://a": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
			`spec.rules[2].host: Invalid value: "a.*.com": a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\*\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
			`spec.rules[3].http.paths: Required value`,
		}},
		{onCreate, `spec: {rules: [{http: {paths: [{backend: {}}, {pathType: Prefix1, path: a, backend: {}}, {pathType: Exact, path: a//b/., backend: {service: {port: {name: a, number: 1}}, resource: {kind: a, name: b}}}]}}]}`, []string{
			`spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified`,
			`spec.rules[0].http.paths[1].pathType: Unsupported value: "Prefix1": supported values: "Exact", "ImplementationSpecific", "Prefix"`,
			`spec.rules[0].http.paths[1].backend: Invalid value: "": resource or service backend is required`,
			`spec.rules[0].http.paths[2].path: Invalid value: "a//b/.": must be an absolute path`,
			`spec.rules[0].http.paths[2].path: Invalid value: "a//b/.": must not contain '//'`,
			`spec.rules[0].http.paths[2].path: Invalid value: "a//b/.": cannot end with '/.'`,
			`spec.rules[0].http.paths[2].backend: Invalid value: "": cannot set both resource and service backends`,
		}},
		{onCreate, `spec: {rules: [{http: {paths: [{pathType: ImplementationSpecific, path: a, backend: {service: {name: a.b, port: {}}}}, {pathType: Prefix, path: /a/%2fb/.., backend: {resource: {apiGroup: a_b, kind: a/b}}}]}}]}`, []string{
			`spec.rules[0].http.paths[0].path: Invalid value: "a": must be an absolute path`,
			`spec.rules[0].http.paths[0].backend.service.name: Invalid value: "a.b": must not contain dots`,
			`spec.rules[0].http.paths[0].backend: Required value: port name or number is required`,
			`spec.rules[0].http.paths[1].path: Invalid value: "/a/%2fb/..": must not contain '%2f'`,
			`spec.rules[0].http.paths[1].path: Invalid value: "/a/%2fb/..": cannot end with '/..'`,
			`spec.rules[0].http.paths[1].backend.resource.apiGroup: Invalid value: "a_b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
			`spec.rules[0].http.paths[1].backend.resource.kind: Invalid value: "a/b": may not contain '/'`,
			`spec.rules[0].http.paths[1].backend.resource.name: Required value`,
		}},
		{onCreate, `spec: {defaultBackend: {service: {port: {name: a, number: 1}}}}`, []string{
			`spec.defaultBackend.service.name: Required value`,
			`spec.defaultBackend: Invalid value: "": cannot set both port name & port number`,
		}},
		{onCreate, `spec: {defaultBackend: {service: {name: a, port: {name: "--"}}}}`, []string{
			`spec.defaultBackend.service.port.name: Invalid value: "--": must contain at least one letter (a-z)`,
			`spec.defaultBackend.service.port.name: Invalid value: "--": must not contain consecutive hyphens`,
			`spec.defaultBackend.service.port.name: Invalid value: "--": must not begin or end with a hyphen`,
		}},
		{onCreate, `spec: {defaultBackend: {service: {name: a, port: {number: 70000}}}}`, []string{`spec.defaultBackend.service.port.number: Invalid value: 70000: must be between 1 and 65535, inclusive`}},
		{onUpdate, `spec: {rules: []}`, []string{"spec: Invalid value: []: either `defaultBackend` or `rules` must be specified"}},
		{onUpdate, `metadata: {annotations: {kubernetes.io/ingress.class: other}}`, nil},
	})
}

func TestIngressClass(t *testing.T) {
	testRejections(t, `apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: {name: c}
spec:
  controller: example.com/c
  parameters: {kind: K, name: params, scope: Namespace, namespace: ns}`, []rejection{
		{onCreate, `spec: {controller: null}`, []string{`spec.controller: Required value`}},
		{onCreate, `spec: {controller: example.com}`, []string{`spec.controller: Invalid value: "example.com": must be a domain-prefixed path (such as "acme.io/foo")`}},
		{onCreate, `spec: {controller: "a_b/c d"}`, []string{
			`spec.controller: Invalid value: "a_b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
			`spec.controller: Invalid value: "c d": Invalid path (regex used for validation is '[A-Za-z0-9/\-._~%!$&'()*+,;=:]+')`,
		}},
		{onCreate, `spec: {parameters: {kind: null, name: a/b, apiGroup: A}}`, []string{
			`spec.parameters.apiGroup: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
			`spec.parameters.kind: Required value`,
			`spec.parameters.name: Invalid value: "a/b": may not contain '/'`,
		}},
		{onCreate, `spec: {parameters: {scope: Namespacex}}`, []string{`spec.parameters.scope: Unsupported value: "Namespacex": supported values: "Cluster", "Namespace"`}},
		{onCreate, `spec: {parameters: {namespace: null}}`, []string{"spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'"}},
		{onCreate, `spec: {parameters: {namespace: a.b}}`, []string{`spec.parameters.namespace: Invalid value: "a.b": must not contain dots`}},
		{onCreate, `spec: {parameters: {scope: Cluster}}`, []string{"spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'"}},
		{onUpdate, `spec: {controller: example.com/d}`, []string{`spec.controller: Invalid value: "example.com/d": field is immutable`}},
	})
}
