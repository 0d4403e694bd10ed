package validation_test

import "testing"

// gears is a definition that others are made of.
const gears = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gears.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: gears, kind: Gear}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
status: {conditions: [{type: Established, status: "True"}], storedVersions: [v1]}`

// The texts are those of a kube-apiserver 1.36.3.

func TestCustomResourceDefinition(t *testing.T) {
	testRejections(t, gears, []rejection{
		{onCreate, `metadata: {name: gears.example.org}`, []string{`metadata.name: Invalid value: "gears.example.org": must be spec.names.plural+"."+spec.group`}},
		{onCreate, `spec: {group: null, scope: null, names: null}`, []string{
			`metadata.name: Invalid value: "gears.example.com": must be spec.names.plural+"."+spec.group`,
			`spec.group: Required value`,
			`spec.scope: Required value`,
			`spec.names.plural: Required value`,
			`spec.names.singular: Required value`,
			`spec.names.kind: Required value`,
			`spec.names.listKind: Required value`,
		}},
		{onCreate, `spec: {group: a_b}`, []string{
			`metadata.name: Invalid value: "gears.example.com": must be spec.names.plural+"."+spec.group`,
			`spec.group: Invalid value: "a_b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
		}},
		{onCreate, `spec: {group: example, scope: Foo}`, []string{
			`metadata.name: Invalid value: "gears.example.com": must be spec.names.plural+"."+spec.group`,
			`spec.group: Invalid value: "example": should be a domain with at least one dot`,
			`spec.scope: Unsupported value: "Foo": supported values: "Cluster", "Namespaced"`,
		}},
		{onCreate, `spec: {names: {plural: 1a, singular: B, kind: A b, listKind: "1", shortNames: [A], categories: [b_c]}}`, []string{
			`metadata.name: Invalid value: "gears.example.com": must be spec.names.plural+"."+spec.group`,
			`spec.names.plural: Invalid value: "1a": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
			`spec.names.singular: Invalid value: "B": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
			`spec.names.kind: Invalid value: "A b": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
			`spec.names.listKind: Invalid value: "1": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
			`spec.names.shortNames[0]: Invalid value: "A": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
			`spec.names.categories[0]: Invalid value: "b_c": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
		}},
		{onCreate, `spec: {names: {listKind: Gear}}`, []string{`spec.names.listKind: Invalid value: "Gear": kind and listKind may not be the same`}},
		{onCreate, `{spec: {versions: null}, status: null}`, []string{
			`spec.versions: Invalid value: null: must have exactly one version marked as storage version`,
			`status.storedVersions: Invalid value: null: must have at least one stored version`,
		}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true}, {name: v1, served: true, storage: true}, {name: 2v, served: true, storage: false}]}`, []string{
			`spec.versions[0].schema.openAPIV3Schema: Required value`,
			`spec.versions[1].schema.openAPIV3Schema: Required value`,
			`spec.versions[2].schema.openAPIV3Schema: Required value`,
			`spec.versions[2].name: Invalid value: "2v": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
			`spec.versions: Invalid value: [{"Name":"v1","Served":true,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null},{"Name":"v1","Served":true,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null},{"Name":"2v","Served":true,"Storage":false,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]: must contain unique version names`,
			`spec.versions: Invalid value: [{"Name":"v1","Served":true,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null},{"Name":"v1","Served":true,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null},{"Name":"2v","Served":true,"Storage":false,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]: must have exactly one version marked as storage version`,
			`status.storedVersions: Invalid value: ["v1"]: must have the storage version v1`,
		}},
		{onCreate, `spec: {preserveUnknownFields: true}`, []string{`spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead`}},
		{onCreate, `{metadata: {name: gears.x.k8s.io}, spec: {group: x.k8s.io}}`, []string{`metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111`}},
		{onCreate, `{metadata: {name: gears.x.k8s.io, annotations: {api-approved.kubernetes.io: foo}}, spec: {group: x.k8s.io}}`, []string{`metadata.annotations[api-approved.kubernetes.io]: Invalid value: "foo": protected groups must have approval annotation "api-approved.kubernetes.io" with either a URL or a reason starting with "unapproved", see https://github.com/kubernetes/enhancements/pull/1111`}},
		{onCreate, `{metadata: {name: gears.x.k8s.io, annotations: {api-approved.kubernetes.io: unapproved}}, spec: {group: x.k8s.io}}`, nil},
		{onCreate, `spec: {conversion: {strategy: Foo}}`, []string{`spec.conversion.strategy: Unsupported value: "Foo": supported values: "None", "Webhook"`}},
		{onCreate, `spec: {conversion: {strategy: Webhook}}`, []string{
			`spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook`,
			`spec.conversion.conversionReviewVersions: Required value`,
		}},
		{onCreate, `spec: {conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v2, v2], clientConfig: {}}}}`, []string{
			`spec.conversion.webhookClientConfig: Required value: exactly one of url or service is required`,
			`spec.conversion.conversionReviewVersions[1]: Invalid value: "v2": duplicate version`,
			`spec.conversion.conversionReviewVersions: Invalid value: ["v2","v2"]: must include at least one of v1, v1beta1`,
		}},
		{onCreate, `spec: {conversion: {strategy: None, webhook: {conversionReviewVersions: [v1], clientConfig: {url: "https://a"}}}}`, []string{
			`spec.conversion.webhookClientConfig: Forbidden: should not be set when strategy is not set to Webhook`,
			`spec.conversion.conversionReviewVersions: Forbidden: should not be set when strategy is not set to Webhook`,
		}},
		{onUpdate, `spec: {scope: Cluster, names: {kind: Other}}`, []string{
			`spec.scope: Invalid value: "Cluster": field is immutable`,
			`spec.names.kind: Invalid value: "Other": field is immutable`,
		}},
		{onUpdate, `spec: {names: {plural: others}}`, []string{`spec.names.plural: Invalid value: "others": field is immutable`}},
		{onUpdate, `spec: {versions: [{name: v2, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}`, []string{`status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions`}},
		{onUpdate, `spec: {versions: [{name: v1, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}, {name: v2, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}`, nil},
	})
}
