package validation_test

import "testing"

// The texts are those of a kube-apiserver 1.36.3.

func TestSchemaDefaults(t *testing.T) {
	testRejections(t, gears, []rejection{
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {type: string, enum: [p, q], default: r}}}}}]}`, []string{`spec.validation.openAPIV3Schema.properties[a].default: Unsupported value: "r": supported values: "p", "q"`}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {type: integer, default: "3"}}}}}]}`, []string{`spec.validation.openAPIV3Schema.properties[a].default: Invalid value: "string":  in body must be of type integer: "string"`}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {type: integer, maximum: 4, default: 5}}}}}]}`, []string{`spec.validation.openAPIV3Schema.properties[a].default: Invalid value: 5:  in body should be less than or equal to 4`}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {type: object, default: {k: 1, u: 2}, properties: {k: {type: string}, l: {type: integer, default: 3}}, required: [l]}}}}}]}`, []string{
			`spec.validation.openAPIV3Schema.properties[a].default: Invalid value: {"k":1,"u":2}: must not have unknown fields`,
			`spec.validation.openAPIV3Schema.properties[a].default.k: Invalid value: "integer": k in body must be of type string: "integer"`,
			`spec.validation.openAPIV3Schema.properties[a].default.l: Required value`,
		}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {type: array, default: [1, a], items: {type: integer}}}}}}]}`, []string{`spec.validation.openAPIV3Schema.properties[a].default.[1]: Invalid value: "string": [1] in body must be of type integer: "string"`}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {type: integer1, format: int32, default: 1}}}}}]}`, []string{
			`spec.validation.openAPIV3Schema.properties[a].default: Invalid value: "int64":  in body must be of type int32: "int64"`,
			`spec.validation.openAPIV3Schema.properties[a].type: Unsupported value: "integer1": supported values: "array", "boolean", "integer", "number", "object", "string"`,
		}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {type: string, default: abc, pattern: "^a"}}}}}]}`, nil},
	})
}
