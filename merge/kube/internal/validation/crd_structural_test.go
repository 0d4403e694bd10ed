package validation_test

import "testing"

// The texts are those of a kube-apiserver 1.36.3.

func TestStructuralSchema(t *testing.T) {
	testRejections(t, gears, []rejection{
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {}}}]}`, []string{`spec.validation.openAPIV3Schema.type: Required value: must not be empty at the root`}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: string}}}]}`, []string{`spec.validation.openAPIV3Schema.type: Invalid value: "string": must be object at the root`}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, additionalProperties: {type: string}}}}]}`, []string{`spec.validation.openAPIV3Schema.additionalProperties: Forbidden: must not be used at the root`}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {}, b: {type: array}, c: {type: array, items: {}}, d: {type: object, properties: {e: {description: x}}}}}}}]}`, []string{
			`spec.validation.openAPIV3Schema.properties[a].type: Required value: must not be empty for specified object fields`,
			`spec.validation.openAPIV3Schema.properties[b].items: Required value: must be specified`,
			`spec.validation.openAPIV3Schema.properties[c].items.type: Required value: must not be empty for specified array items`,
			`spec.validation.openAPIV3Schema.properties[d].properties[e].type: Required value: must not be empty for specified object fields`,
		}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {x-kubernetes-int-or-string: true, x-kubernetes-preserve-unknown-fields: true, x-kubernetes-embedded-resource: true}}}}}]}`, []string{
			`spec.validation.openAPIV3Schema.properties[a].type: Required value: must be object if x-kubernetes-embedded-resource is true`,
			`spec.validation.openAPIV3Schema.properties[a].x-kubernetes-embedded-resource: Invalid value: true: must be false if x-kubernetes-int-or-string is true`,
			`spec.validation.openAPIV3Schema.properties[a].x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if x-kubernetes-int-or-string is true`,
		}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {x-kubernetes-embedded-resource: true}, b: {type: string, x-kubernetes-embedded-resource: true}, c: {type: object, x-kubernetes-embedded-resource: true, additionalProperties: true, properties: {kind: {type: integer}, metadata: {type: string}}}}}}}]}`, []string{
			`spec.validation.openAPIV3Schema.properties[a].properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields`,
			`spec.validation.openAPIV3Schema.properties[a].type: Required value: must be object if x-kubernetes-embedded-resource is true`,
			`spec.validation.openAPIV3Schema.properties[b].properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields`,
			`spec.validation.openAPIV3Schema.properties[b].type: Invalid value: "string": must be object if x-kubernetes-embedded-resource is true`,
			`spec.validation.openAPIV3Schema.properties[c].additionalProperties: Forbidden: must not be used if x-kubernetes-embedded-resource is set`,
			`spec.validation.openAPIV3Schema.properties[c].properties[kind].type: Invalid value: "integer": must be string`,
			`spec.validation.openAPIV3Schema.properties[c].properties[metadata].type: Invalid value: "string": must be object`,
		}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {kind: {type: integer}, apiVersion: {type: object}, metadata: {type: string, description: x}}}}}]}`, []string{
			`spec.validation.openAPIV3Schema.properties[apiVersion].type: Invalid value: "object": must be string`,
			`spec.validation.openAPIV3Schema.properties[kind].type: Invalid value: "integer": must be string`,
			`spec.validation.openAPIV3Schema.properties[metadata].type: Invalid value: "string": must be object`,
			`spec.validation.openAPIV3Schema.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified`,
		}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {metadata: {type: object, properties: {name: {type: string, pattern: a}, labels: {type: object}}}}}}}]}`, []string{`spec.validation.openAPIV3Schema.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified`}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {metadata: {type: object, properties: {name: {type: string, pattern: a}}}}}}}]}`, nil},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {type: string, pattern: "("}}}}}]}`, []string{"spec.validation.openAPIV3Schema.properties[a].pattern: Invalid value: \"(\": must be a valid regular expression, but isn't: error parsing regexp: missing closing ): `(`"}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {anyOf: [{type: integer}, {type: string}], x-kubernetes-int-or-string: true}, b: {allOf: [{anyOf: [{type: integer}, {type: string}]}, {pattern: a}], x-kubernetes-int-or-string: true}}}}}]}`, nil},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {type: object, anyOf: [{type: object, title: a, description: b, default: {}, nullable: true}], allOf: [{x-kubernetes-preserve-unknown-fields: true, x-kubernetes-int-or-string: true, additionalProperties: {type: string}}], oneOf: [{x-kubernetes-list-type: set, x-kubernetes-list-map-keys: [a], x-kubernetes-map-type: atomic}]}}}}}]}`, []string{
			`spec.validation.openAPIV3Schema.properties[a].allOf[0].additionalProperties: Forbidden: must be undefined to be structural`,
			`spec.validation.openAPIV3Schema.properties[a].allOf[0].x-kubernetes-int-or-string: Forbidden: must be false to be structural`,
			`spec.validation.openAPIV3Schema.properties[a].allOf[0].x-kubernetes-preserve-unknown-fields: Forbidden: must be false to be structural`,
			`spec.validation.openAPIV3Schema.properties[a].anyOf[0].default: Forbidden: must be undefined to be structural`,
			`spec.validation.openAPIV3Schema.properties[a].anyOf[0].description: Forbidden: must be empty to be structural`,
			`spec.validation.openAPIV3Schema.properties[a].anyOf[0].nullable: Forbidden: must be false to be structural`,
			`spec.validation.openAPIV3Schema.properties[a].anyOf[0].title: Forbidden: must be empty to be structural`,
			`spec.validation.openAPIV3Schema.properties[a].anyOf[0].type: Forbidden: must be empty to be structural`,
			`spec.validation.openAPIV3Schema.properties[a].oneOf[0].x-kubernetes-list-map-keys: Forbidden: must be empty to be structural`,
			`spec.validation.openAPIV3Schema.properties[a].oneOf[0].x-kubernetes-list-type: Forbidden: must be undefined to be structural`,
			`spec.validation.openAPIV3Schema.properties[a].oneOf[0].x-kubernetes-map-type: Forbidden: must be undefined to be structural`,
			`spec.validation.openAPIV3Schema.properties[a].oneOf[0].type: Required value: must be object if x-kubernetes-map-type is specified`,
			`spec.validation.openAPIV3Schema.properties[a].oneOf[0].type: Required value: must be array if x-kubernetes-list-type is specified`,
			`spec.validation.openAPIV3Schema.properties[a].oneOf[0].x-kubernetes-list-type: Invalid value: "set": must be map if x-kubernetes-list-map-keys is non-empty`,
		}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {b: {type: array, items: {type: string}}}, not: {properties: {p: {}, b: {items: {properties: {c: {}}}}}}, anyOf: [{items: {pattern: p}}, {properties: {b: {items: {maxLength: 3}}}}]}}}]}`, []string{
			`spec.validation.openAPIV3Schema.items: Required value: because it is defined in spec.validation.openAPIV3Schema.anyOf[0].items`,
			`spec.validation.openAPIV3Schema.properties[b].items.properties[c]: Required value: because it is defined in spec.validation.openAPIV3Schema.not.properties[b].items.properties[c]`,
			`spec.validation.openAPIV3Schema.properties[p]: Required value: because it is defined in spec.validation.openAPIV3Schema.not.properties[p]`,
		}},
		{onCreate, `spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {type: object, properties: {b: {type: array, items: {type: string}}}, not: {properties: {p: {}, b: {items: {properties: {c: {}}}}, metadata: {}}}, anyOf: [{required: [z]}, {items: {pattern: p}}]}}}}}]}`, []string{`spec.validation.openAPIV3Schema.properties[a].not.properties[metadata]: Forbidden: must not be specified in a nested context`}},
	})
}
