package validation_test

import "testing"

// The texts are those of a kube-apiserver 1.36.3.

func TestCRDSchema(t *testing.T) {
	testRejections(t, gears, []rejection{
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {type: stringx}}}}}]}`, []string{`spec.validation.openAPIV3Schema.properties[a].type: Unsupported value: "stringx": supported values: "array", "boolean", "integer", "number", "object", "string"`}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {b: {type: "null"}}}}}]}`, []string{
			`spec.validation.openAPIV3Schema.properties[b].type: Unsupported value: "null": supported values: "array", "boolean", "integer", "number", "object", "string"`,
			`spec.validation.openAPIV3Schema.properties[b].type: Forbidden: type cannot be set to null, use nullable as an alternative`,
		}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {type: array, uniqueItems: true, items: [{type: string}]}}}}}]}`, []string{
			`spec.validation.openAPIV3Schema.properties[a].items: Forbidden: items must be a schema object and not an array`,
			`spec.validation.openAPIV3Schema.properties[a].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`,
		}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {type: object, additionalProperties: {type: string}, properties: {b: {type: string}}}}}}}]}`, []string{`spec.validation.openAPIV3Schema.properties[a].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive`}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {id: x, type: string, patternProperties: {b: {}}, definitions: {c: {}}, dependencies: {d: [e]}, $ref: f, additionalItems: true}}}}}]}`, []string{
			`spec.validation.openAPIV3Schema.properties[a].id: Forbidden: id is not supported`,
			`spec.validation.openAPIV3Schema.properties[a].additionalItems: Forbidden: additionalItems is not supported`,
			`spec.validation.openAPIV3Schema.properties[a].patternProperties: Forbidden: patternProperties is not supported`,
			`spec.validation.openAPIV3Schema.properties[a].definitions: Forbidden: definitions is not supported`,
			`spec.validation.openAPIV3Schema.properties[a].dependencies: Forbidden: dependencies is not supported`,
			`spec.validation.openAPIV3Schema.properties[a].$ref: Forbidden: $ref is not supported`,
		}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {metadata: {type: object, properties: {name: {type: string, default: a}}}}}}}]}`, []string{`spec.validation.openAPIV3Schema.properties[metadata].properties[name].default: Forbidden: must not be set in top-level metadata`}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {type: string, x-kubernetes-map-type: foo, x-kubernetes-list-type: bar}}}}}]}`, []string{
			`spec.validation.openAPIV3Schema.properties[a].type: Invalid value: "string": must be object if x-kubernetes-map-type is specified`,
			`spec.validation.openAPIV3Schema.properties[a].x-kubernetes-map-type: Unsupported value: "foo": supported values: "atomic", "granular"`,
			`spec.validation.openAPIV3Schema.properties[a].type: Invalid value: "string": must be array if x-kubernetes-list-type is specified`,
			`spec.validation.openAPIV3Schema.properties[a].x-kubernetes-list-type: Unsupported value: "bar": supported values: "atomic", "set", "map"`,
		}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {x-kubernetes-preserve-unknown-fields: true, x-kubernetes-map-type: atomic, x-kubernetes-list-type: set}}}}}]}`, []string{
			`spec.validation.openAPIV3Schema.properties[a].type: Required value: must be object if x-kubernetes-map-type is specified`,
			`spec.validation.openAPIV3Schema.properties[a].type: Required value: must be array if x-kubernetes-list-type is specified`,
		}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {type: array, x-kubernetes-list-type: set, items: {type: object}}}}}}]}`, []string{`spec.validation.openAPIV3Schema.properties[a].items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set`}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {b: {type: array, x-kubernetes-list-type: set, items: {type: array, x-kubernetes-list-type: map, items: {type: string}}}}}}}]}`, []string{
			`spec.validation.openAPIV3Schema.properties[b].items.x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map`,
			`spec.validation.openAPIV3Schema.properties[b].items.items.type: Invalid value: "string": must be object if parent array's x-kubernetes-list-type is map`,
			`spec.validation.openAPIV3Schema.properties[b].items.x-kubernetes-list-type: Invalid value: "map": must be atomic as item of a list with x-kubernetes-list-type=set`,
		}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {type: array, x-kubernetes-list-type: map, items: {type: string}}}}}}]}`, []string{
			`spec.validation.openAPIV3Schema.properties[a].x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map`,
			`spec.validation.openAPIV3Schema.properties[a].items.type: Invalid value: "string": must be object if parent array's x-kubernetes-list-type is map`,
		}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {b: {type: array, x-kubernetes-list-map-keys: [a], items: {type: string}}}}}}]}`, []string{`spec.validation.openAPIV3Schema.properties[b].x-kubernetes-list-type: Required value: must be map if x-kubernetes-list-map-keys is non-empty`}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k, k, m, o], items: {type: object, nullable: true, properties: {k: {type: string, nullable: true}, m: {type: object}}}}}}}}]}`, []string{
			`spec.validation.openAPIV3Schema.properties[a].x-kubernetes-list-map-keys: Invalid value: ["k","k","m","o"]: must not contain duplicate entries`,
			`spec.validation.openAPIV3Schema.properties[a].items.properties[m].type: Invalid value: "object": must be a scalar type if parent array's x-kubernetes-list-type is map`,
			`spec.validation.openAPIV3Schema.properties[a].x-kubernetes-list-map-keys: Invalid value: ["k","k","m","o"]: entries must all be names of item properties`,
			`spec.validation.openAPIV3Schema.properties[a].items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is map`,
			`spec.validation.openAPIV3Schema.properties[a].items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property`,
			`spec.validation.openAPIV3Schema.properties[a].items.properties[k].nullable: Forbidden: this property is in x-kubernetes-list-map-keys, so it cannot be nullable`,
			`spec.validation.openAPIV3Schema.properties[a].items.properties[m].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property`,
		}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {type: object, x-kubernetes-validations: [{rule: ""}, {rule: "true", message: " "}, {rule: "true", message: "a\nb", reason: Foo, messageExpression: " "}, {rule: "true\n"}, {rule: "true", fieldPath: .x}]}}}}}]}`, []string{
			`spec.validation.openAPIV3Schema.properties[a].x-kubernetes-validations[0].rule: Required value: rule is not specified`,
			`spec.validation.openAPIV3Schema.properties[a].x-kubernetes-validations[1].message: Invalid value: " ": must be non-empty if specified`,
			`spec.validation.openAPIV3Schema.properties[a].x-kubernetes-validations[2].message: Invalid value: "a\nb": must not contain line breaks`,
			`spec.validation.openAPIV3Schema.properties[a].x-kubernetes-validations[2].messageExpression: Required value: messageExpression must be non-empty if specified`,
			`spec.validation.openAPIV3Schema.properties[a].x-kubernetes-validations[2].reason: Unsupported value: "Foo": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"`,
			`spec.validation.openAPIV3Schema.properties[a].x-kubernetes-validations[4].fieldPath: Invalid value: ".x": must be a valid path`,
		}},
	})
}
