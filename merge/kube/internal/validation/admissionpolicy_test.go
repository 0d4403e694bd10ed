package validation_test

import "testing"

// The texts are those of a kube-apiserver 1.36.3.

func TestValidatingAdmissionPolicy(t *testing.T) {
	testRejections(t, `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]}
  validations: [{expression: "true"}]`, []rejection{
		{onCreate, `spec: {failurePolicy: Foo, matchConstraints: null, validations: null}`, []string{
			`spec.failurePolicy: Unsupported value: "Foo": supported values: "Fail", "Ignore"`,
			`spec.matchConstraints: Required value`,
			`spec.validations: Required value: validations or auditAnnotations must contain at least one item`,
			`spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item`,
		}},
		{onCreate, `spec: {paramKind: {apiVersion: a/b/c, kind: A_b}}`, []string{
			`spec.paramKind.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c`,
			`spec.paramKind.kind: Invalid value: "A_b": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
		}},
		{onCreate, `spec: {paramKind: {apiVersion: A/1, kind: null}}`, []string{
			`spec.paramKind.apiVersion: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
			`spec.paramKind.apiVersion: Invalid value: "1": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
			`spec.paramKind.kind: Required value`,
		}},
		{onCreate, `spec: {paramKind: {apiVersion: a/, kind: A}}`, []string{`spec.paramKind.apiVersion: Invalid value: "a/": version must be specified`}},
		{onCreate, `spec: {matchConstraints: {matchPolicy: Foo, resourceRules: [], excludeResourceRules: [{apiGroups: [a], apiVersions: [v1], operations: [X], resources: [b], resourceNames: [a/b, c, c]}]}}`, []string{
			`spec.matchConstraints.matchPolicy: Unsupported value: "Foo": supported values: "Equivalent", "Exact"`,
			`spec.matchConstraints.excludeResourceRules[0].resourceNames[0]: Invalid value: "a/b": may not contain '/'`,
			`spec.matchConstraints.excludeResourceRules[0].resourceNames[2]: Duplicate value: "c"`,
			`spec.matchConstraints.excludeResourceRules[0].operations[0]: Unsupported value: "X": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"`,
			`spec.matchConstraints.resourceRules: Required value`,
		}},
		{onCreate, `spec: {variables: [{name: "", expression: ""}, {name: in, expression: "1"}]}`, []string{
			`spec.variables[0].name: Required value: name is not specified`,
			`spec.variables[0].expression: Required value: expression is not specified`,
			`spec.variables[1].name: Invalid value: "in": must be a valid CEL identifier`,
		}},
		{onCreate, `spec: {validations: [{expression: " ", message: " ", messageExpression: " ", reason: Foo}, {expression: "true", message: "a\nb"}]}`, []string{
			`spec.validations[0].expression: Required value: expression is not specified`,
			`spec.validations[0].messageExpression: Invalid value: " ": must be non-empty if specified`,
			`spec.validations[0].message: Invalid value: " ": must be non-empty if specified`,
			`spec.validations[0].reason: Unsupported value: "Foo": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"`,
			`spec.validations[1].message: Invalid value: "a\nb": must not contain line breaks`,
		}},
		{onCreate, `spec: {auditAnnotations: [{key: "", valueExpression: ""}, {key: a, valueExpression: "'a'"}, {key: a, valueExpression: "'a'"}]}`, []string{
			`spec.auditAnnotations[0].key: Invalid value: "p/": name part must be non-empty`,
			`spec.auditAnnotations[0].key: Invalid value: "p/": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
			`spec.auditAnnotations[0].valueExpression: Required value: valueExpression is not specified`,
			`spec.auditAnnotations[2].key: Duplicate value: "a"`,
		}},
		{onCreate, `spec: {matchConditions: [{name: a b, expression: " "}]}`, []string{
			`spec.matchConditions[0].expression: Required value`,
			`spec.matchConditions[0].name: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
		}},
		{onUpdate, `spec: {failurePolicy: Failx}`, []string{`spec.failurePolicy: Unsupported value: "Failx": supported values: "Fail", "Ignore"`}},
	})
}

func TestValidatingAdmissionPolicyBinding(t *testing.T) {
	testRejections(t, `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: b}
spec: {policyName: p, validationActions: [Deny]}`, []rejection{
		{onCreate, `spec: {policyName: null, validationActions: null}`, []string{
			`spec.policyName: Required value`,
			`spec.validationActions: Required value: at least one validation action is required`,
		}},
		{onCreate, `spec: {policyName: A, validationActions: [Deny, Warn, Warn, Foo]}`, []string{
			`spec.policyName: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
			`spec.validationActions[2]: Duplicate value: "Warn"`,
			`spec.validationActions[3]: Unsupported value: "Foo": supported values: "Audit", "Deny", "Warn"`,
			`spec.validationActions: Invalid value: ["Deny","Warn","Warn","Foo"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)`,
		}},
		{onCreate, `spec: {paramRef: {}}`, []string{
			`spec.paramRef: Required value: one of name or selector must be specified`,
			`spec.paramRef.parameterNotFoundAction: Required value`,
		}},
		{onCreate, `spec: {paramRef: {name: a/b, selector: {}, parameterNotFoundAction: Foo}}`, []string{
			`spec.paramRef.name: Invalid value: "a/b": may not contain '/'`,
			`spec.paramRef.name: Forbidden: name and selector are mutually exclusive`,
			`spec.paramRef.selector: Forbidden: name and selector are mutually exclusive`,
			`spec.paramRef.parameterNotFoundAction: Unsupported value: "Foo": supported values: "Deny", "Allow"`,
		}},
		{onCreate, `spec: {matchResources: {matchPolicy: X}}`, []string{`spec.matchResources.matchPolicy: Unsupported value: "X": supported values: "Equivalent", "Exact"`}},
	})
}

func TestMutatingAdmissionPolicy(t *testing.T) {
	testRejections(t, `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: m}
spec:
  reinvocationPolicy: Never
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]}
  mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: "Object{}"}}]`, []rejection{
		{onCreate, `spec: {mutations: null, reinvocationPolicy: Foo}`, []string{
			`spec.mutations: Required value: mutations must contain at least one item`,
			`spec.reinvocationPolicy: Unsupported value: "Foo": supported values: "IfNeeded", "Never"`,
		}},
		{onCreate, `spec: {mutations: [{patchType: X}, {}, {patchType: JSONPatch, applyConfiguration: {expression: a}}, {patchType: ApplyConfiguration, jsonPatch: {expression: a}, applyConfiguration: {expression: " "}}]}`, []string{
			`spec.mutations[0].patchType: Unsupported value: "X": supported values: "ApplyConfiguration", "JSONPatch"`,
			`spec.mutations[1].patchType: Required value`,
			`spec.mutations[2].jsonPatch: Required value: must be specified when patchType is JSONPatch`,
			`spec.mutations[2].applyConfiguration: Invalid value: "{applyConfiguration}": must not be specified when patchType is JSONPatch`,
			`spec.mutations[3].applyConfiguration.expression: Required value`,
			`spec.mutations[3].jsonPatch: Invalid value: "{jsonPatch}": must not be specified when patchType is ApplyConfiguration`,
		}},
		{onCreate, `spec: {matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [DELETE], resources: [deployments]}]}}`, []string{`spec.matchConstraints.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"`}},
		{onUpdate, `spec: {reinvocationPolicy: IfNeededx, matchConditions: [{name: a, expression: " "}]}`, []string{
			`spec.matchConditions[0].expression: Required value`,
			`spec.reinvocationPolicy: Unsupported value: "IfNeededx": supported values: "IfNeeded", "Never"`,
		}},
	})
}

func TestMutatingAdmissionPolicyBinding(t *testing.T) {
	testRejections(t, `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: b}
spec: {policyName: p}`, []rejection{
		{onCreate, `spec: {policyName: null}`, []string{`spec.policyName: Required value`}},
		{onCreate, `spec: {matchResources: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [DELETE], resources: [deployments]}]}}`, []string{`spec.matchResources.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"`}},
	})
}
