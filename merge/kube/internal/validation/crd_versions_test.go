package validation_test

import "testing"

// The texts are those of a kube-apiserver 1.36.3.

func TestCRDVersions(t *testing.T) {
	testRejections(t, gears, []rejection{
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, deprecationWarning: x, schema: {openAPIV3Schema: {type: object}}}]}`, []string{`spec.versions[0].deprecationWarning: Invalid value: "x": can only be set for deprecated versions`}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, deprecated: true, deprecationWarning: "a\u0001", schema: {openAPIV3Schema: {type: object}}}]}`, []string{`spec.versions[0].deprecationWarning: Invalid value: "a\u0001": must only contain printable UTF-8 characters; non-printable character found at index 1`}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, subresources: {scale: {}}, schema: {openAPIV3Schema: {type: object}}}]}`, []string{
			`spec.subresources.scale.specReplicasPath: Required value`,
			`spec.subresources.scale.statusReplicasPath: Required value`,
		}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, subresources: {scale: {specReplicasPath: spec, statusReplicasPath: .spec.x, labelSelectorPath: .foo}}, schema: {openAPIV3Schema: {type: object}}}]}`, []string{
			`spec.subresources.scale.specReplicasPath: Invalid value: "spec": must be a simple json path starting with .`,
			`spec.subresources.scale.statusReplicasPath: Invalid value: ".spec.x": should be a json path under .status`,
			`spec.subresources.scale.labelSelectorPath: Invalid value: ".foo": should be a json path under either .spec or .status`,
		}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, additionalPrinterColumns: [{}, {name: a, type: Foo, format: x, jsonPath: a}], schema: {openAPIV3Schema: {type: object}}}]}`, []string{
			`spec.additionalPrinterColumns[0].name: Required value`,
			`spec.additionalPrinterColumns[0].type: Required value: must be one of boolean,date,integer,number,string`,
			`spec.additionalPrinterColumns[0].JSONPath: Required value`,
			`spec.additionalPrinterColumns[1].type: Invalid value: "Foo": must be one of boolean,date,integer,number,string`,
			`spec.additionalPrinterColumns[1].format: Invalid value: "x": must be one of byte,date,date-time,double,float,int32,int64,password`,
			`spec.additionalPrinterColumns[1].JSONPath: Invalid value: "a": must be a simple json path starting with .`,
		}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, selectableFields: [{jsonPath: ""}, {jsonPath: .b}, {jsonPath: .a}, {jsonPath: .a}, {jsonPath: .o}, {jsonPath: "a"}, {jsonPath: "[a"}, {jsonPath: .}, {jsonPath: .metadata}], schema: {openAPIV3Schema: {type: object, properties: {a: {type: string}, o: {type: object}, metadata: {type: object}}}}}]}`, []string{
			`spec.selectableFields[0].jsonPath: Required value`,
			`spec.selectableFields[1].jsonPath: Invalid value: ".b": is an invalid path: does not refer to a valid field`,
			`spec.selectableFields[3].jsonPath: Duplicate value: ".a"`,
			`spec.selectableFields[4].jsonPath: Invalid value: ".o": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.`,
			`spec.selectableFields[5].jsonPath: Invalid value: "a": is an invalid path: expected [ or . but got: a`,
			`spec.selectableFields[6].jsonPath: Invalid value: "[a": is an invalid path: array notation is not allowed`,
			`spec.selectableFields[7].jsonPath: Invalid value: ".": is an invalid path: unexpected end of JSON path`,
			`spec.selectableFields[8].jsonPath: Invalid value: ".metadata": must not point to fields in metadata`,
			`spec.selectableFields[8].jsonPath: Invalid value: ".metadata": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.`,
		}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, subresources: {status: {}}, schema: {openAPIV3Schema: {type: object, nullable: true}}}]}`, []string{
			`spec.validation.openAPIV3Schema: Invalid value: {"ID":"","Schema":"","Ref":null,"Description":"","Ty… the root of the schema if the status subresource is enabled`,
			`spec.validation.openAPIV3Schema.nullable: Forbidden: nullable cannot be true at the root`,
		}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, subresources: {status: {}}, schema: {openAPIV3Schema: {type: string}}}]}`, []string{
			`spec.validation.openAPIV3Schema.type: Invalid value: "string": only "object" is allowed as the type at the root of the schema if the status subresource is enabled`,
			`spec.validation.openAPIV3Schema.type: Invalid value: "string": must be object at the root`,
		}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, additionalPrinterColumns: [{name: a, type: b, jsonPath: .c}], schema: {openAPIV3Schema: {type: object}}}, {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object, properties: {a: {type: foo}}}}}]}`, []string{
			`spec.versions[0].additionalPrinterColumns[0].type: Invalid value: "b": must be one of boolean,date,integer,number,string`,
			`spec.versions[1].schema.openAPIV3Schema.properties[a].type: Unsupported value: "foo": supported values: "array", "boolean", "integer", "number", "object", "string"`,
		}},
	})
}

const conversion = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: cogs.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: cogs, kind: Cog}
  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {url: "https://a"}}}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
status: {conditions: [{type: Established, status: "True"}], storedVersions: [v1]}`

func TestConversionBundle(t *testing.T) {
	testRejections(t, conversion, []rejection{
		{onCreate, `spec: {conversion: {webhook: {clientConfig: {caBundle: eA==}}}}`, nil},
		{onUpdate, `spec: {conversion: {webhook: {clientConfig: {caBundle: eA==}}}}`, []string{`spec.conversion.webhookClientConfig.caBundle: Invalid value: "eA==": unable to load root certificates: unable to parse bytes as PEM block`}},
		{onUpdate, `spec: {conversion: {webhook: {clientConfig: {caBundle: LS0tLS1CRUdJTiBGT08tLS0tLQplQT09Ci0tLS0tRU5EIEZPTy0tLS0tCg==}}}}`, []string{`spec.conversion.webhookClientConfig.caBundle: Invalid value: "LS0tLS1CRUdJTiBGT08tLS0tLQplQT09Ci0tLS0tRU5EIEZPTy0tLS0tCg==": unable to load root certificates: no valid certificate authority data seen`}},
		{onUpdate, `spec: {conversion: {webhook: {conversionReviewVersions: [v3]}}}`, []string{`spec.conversion.conversionReviewVersions: Invalid value: ["v3"]: must include at least one of v1, v1beta1`}},
	})
}
