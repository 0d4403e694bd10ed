package custom_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"threeway/merge/fault"
	"threeway/merge/kube/internal/custom"
)

// TestErrors creates a Gear whose spec has the schema, with a property v.
func TestErrors(t *testing.T) {
	tests := map[string][][3]string{
		"types": {
			{"type: integer", "x", `spec.v: Invalid value: "string": spec.v in body must be of type integer: "string"`},
			{"type: integer", "1.5", `spec.v: Invalid value: "number": spec.v in body must be of type integer: "number"
<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.v`},
			{"type: integer", "2.0", ""},
			{"type: number", "3", ""},
			{"type: string", "7", `spec.v: Invalid value: "integer": spec.v in body must be of type string: "integer"`},
			{"type: boolean", "[]", `spec.v: Invalid value: "array": spec.v in body must be of type boolean: "array"`},
			{"type: array\nitems: {type: string}", "{}", `spec.v: Invalid value: "object": spec.v in body must be of type array: "object"`},
			{"type: array\nitems: {type: string}", "[a, 1]", `spec.v[1]: Invalid value: "integer": spec.v[1] in body must be of type string: "integer"`},
			{"type: array\nitems: {type: string}", "[null]", `spec.v[0]: Invalid value: "null": spec.v[0] in body must be of type string: "null"`},
			{"type: array\nitems: {type: string, nullable: true}", "[null]", ""},
			{"type: object\nadditionalProperties: {type: string}", "{k: 1}", `spec.v.k: Invalid value: "integer": spec.v.k in body must be of type string: "integer"`},
			{"x-kubernetes-int-or-string: true", "true", `spec.v: Invalid value: "boolean": spec.v in body must be of type integer,string: "boolean"`},
			{"x-kubernetes-int-or-string: true", "50%", ""},
		},
		"formats of numbers": {
			{"type: integer\nformat: int32", "3000000000", `<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.v`},
			{"type: integer\nformat: int32", "true", `spec.v: Invalid value: "": spec.v in body must be of type int32: ""`},
			{"type: integer\nformat: int64", "1.5", `spec.v: Invalid value: "float64": spec.v in body must be of type int64: "float64"
<nil>: Invalid value: "": Checked value must be of type integer with format int64 in spec.v`},
			{"type: number\nformat: float", "1e40", `<nil>: Invalid value: "": Checked value must be of type number with format float in spec.v`},
			{"type: string\nformat: int32", "x", ""},
		},
		"numbers": {
			{"type: integer\nminimum: 1", "0", `spec.v: Invalid value: 0: spec.v in body should be greater than or equal to 1`},
			{"type: integer\nminimum: 1\nexclusiveMinimum: true", "1", `spec.v: Invalid value: 1: spec.v in body should be greater than 1`},
			{"type: integer\nmaximum: 65535", "65536", `spec.v: Invalid value: 65536: spec.v in body should be less than or equal to 65535`},
			{"type: number\nmaximum: 1.5\nexclusiveMaximum: true", "1.5", `spec.v: Invalid value: 1.5: spec.v in body should be less than 1.5`},
			{"type: number\nmaximum: 1000000", "1e7", `spec.v: Invalid value: 10000000: spec.v in body should be less than or equal to 1000000`},
			{"type: number\nmaximum: 1000000", "10000000.5", `spec.v: Invalid value: 1.00000005e+07: spec.v in body should be less than or equal to 1e+06`},
			{"type: integer\nmaximum: 1.5", "3", `<nil>: Invalid value: "": Maximum boundary value must be of type integer (default format) in spec.v
spec.v: Invalid value: 3: spec.v in body should be less than or equal to 1.5`},
			{"type: integer\nmultipleOf: 3", "7", `spec.v: Invalid value: 7: spec.v in body should be a multiple of 3`},
			{"type: number\nmultipleOf: 0.1", "0.3", ""},
			{"type: number\nmultipleOf: 0.5", "0.75", `spec.v: Invalid value: 0.75: spec.v in body should be a multiple of 0.5`},
		},
		"strings": {
			{"type: string\nmaxLength: 2", "äöü", `spec.v: Too long: may not be more than 2 bytes`},
			{"type: string\nminLength: 1", "''", `spec.v: Invalid value: "": spec.v in body should be at least 1 chars long`},
			{"type: string\npattern: ^a+$", "b", `spec.v: Invalid value: "b": spec.v in body should match '^a+$'`},
			{"type: string\npattern: (?=a)", "b", "spec.v: Invalid value: \"b\": spec.v in body should match '(?=a), but pattern is invalid: error parsing regexp: invalid or unsupported Perl syntax: `(?=`'"},
			{"type: string\nenum: [a, b]", "c", `spec.v: Unsupported value: "c": supported values: "a", "b"`},
			{"type: number\nenum: [1, 2.5]", "2.5", ""},
			{"type: number\nenum: [1, 2.5]", "1", ""},
			{"type: number\nenum: [1]", "1.5", ""}, // what upstream compares is of the type of the enum
			{"type: number\nenum: [1]", "2.5", `spec.v: Unsupported value: 2.5: supported values: "1"`},
			{"type: number\nenum: [1.5]", "1", `spec.v: Unsupported value: 1: supported values: "1.5"`},
			{"type: integer\nenum: [1, 2]", "3", `spec.v: Unsupported value: 3: supported values: "1", "2"`},
			{"type: string\nformat: date-time", "today", `spec.v: Invalid value: "today": spec.v in body must be of type date-time: "today"`},
		},
		"lists": {
			{"type: array\nminItems: 1\nitems: {type: string}", "[]", `spec.v: Invalid value: 0: spec.v in body should have at least 1 items`},
			{"type: array\nmaxItems: 1\nitems: {type: string}", "[a, b]", `spec.v: Too many: 2: must have at most 1 item`},
			{"type: array\nx-kubernetes-list-type: set\nitems: {type: string}", "[a, b, a, a]", `spec.v[2]: Duplicate value: "a"`},
			{"type: array\nx-kubernetes-list-type: map\nx-kubernetes-list-map-keys: [name]\nitems: {type: object, properties: {name: {type: string}, i: {type: integer}}}", "[{name: a, i: 1}, {name: b}, {name: a, i: 2}]", `spec.v[2]: Duplicate value: {"name":"a"}`},
			{"type: array\nx-kubernetes-list-type: map\nx-kubernetes-list-map-keys: [name, port]\nitems: {type: object, properties: {name: {type: string}, port: {type: integer}}}", "[{name: a, port: 1}, {name: a}, {name: a, port: 1}]", `spec.v[2]: Duplicate value: {"name":"a","port":1}`},
			{"type: array\nx-kubernetes-list-type: map\nx-kubernetes-list-map-keys: [name]\nitems: {type: object, properties: {name: {type: string}}}", "[a]", `spec.v[0]: Invalid value: "string": spec.v[0] in body must be of type object: "string"
spec.v[0]: Invalid value: "a": must be an object for an array of list-type map`},
		},
		"objects": {
			{"type: object\nrequired: [b, a]\nproperties: {a: {type: string}, b: {type: string}}", "{}", "spec.v.b: Required value\nspec.v.a: Required value"},
			{"type: object\nminProperties: 1\nadditionalProperties: {type: string}", "{}", `spec.v: Invalid value: 0: spec.v in body should have at least 1 properties`},
			{"type: object\nmaxProperties: 1\nadditionalProperties: {type: string}", "{a: x, b: x}", `spec.v: Too many: 2: must have at most 1 item`},
			{"type: object\nproperties: {b: {type: integer}, a: {type: integer}}\nrequired: [c]", "{b: x, a: x}", `spec.v.a: Invalid value: "string": spec.v.a in body must be of type integer: "string"
spec.v.b: Invalid value: "string": spec.v.b in body must be of type integer: "string"
spec.v.c: Required value`},
			{"type: object\nx-kubernetes-embedded-resource: true\nx-kubernetes-preserve-unknown-fields: true", "{}", "spec.v.apiVersion: Required value\nspec.v.kind: Required value"},
			{"type: object\nx-kubernetes-embedded-resource: true\nx-kubernetes-preserve-unknown-fields: true", "{apiVersion: a/b/c, kind: 'P_d'}", `spec.v.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c
spec.v.kind: Invalid value: "P_d": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`},
		},
		"junctors": {
			{"type: object\nproperties: {a: {type: string}, b: {type: string}}\noneOf: [{required: [a]}, {required: [b]}]", "{}", `<nil>: Invalid value: "": "spec.v" must validate one and only one schema (oneOf). Found none valid
spec.v.a: Required value`},
			{"type: object\nproperties: {a: {type: string}, b: {type: string}}\noneOf: [{required: [a]}, {required: [b]}]", "{a: x, b: x}", `<nil>: Invalid value: "": "spec.v" must validate one and only one schema (oneOf). Found 2 valid alternatives`},
			{"type: object\nproperties: {a: {type: string}, b: {type: string}}\nanyOf: [{required: [a]}, {required: [b], properties: {b: {enum: [u]}}}]", "{b: x}", `<nil>: Invalid value: "": "spec.v" must validate at least one schema (anyOf)
spec.v.b: Unsupported value: "x": supported values: "u"`},
			{"type: string\nallOf: [{minLength: 3}, {pattern: ^a}]", "bc", `spec.v: Invalid value: "bc": spec.v in body should be at least 3 chars long
spec.v: Invalid value: "bc": spec.v in body should match '^a'
<nil>: Invalid value: "": "spec.v" must validate all the schemas (allOf). None validated`},
			{"type: string\nallOf: [{minLength: 1}, {pattern: ^a}]", "bc", `spec.v: Invalid value: "bc": spec.v in body should match '^a'
<nil>: Invalid value: "": "spec.v" must validate all the schemas (allOf)`},
			{"type: string\nnot: {enum: [a]}", "a", `<nil>: Invalid value: "": "spec.v" must not validate the schema (not)`},
		},
	}
	for group, list := range tests {
		t.Run(group, func(t *testing.T) {
			for _, test := range list {
				d := define(t, "type: object\nproperties:\n  spec:\n    type: object\n    properties:\n      v:\n        "+strings.ReplaceAll(test[0], "\n", "\n        "))
				r := d.Create("v1", gear(t, "spec: {v: "+test[1]+"}"))
				if got := texts(r.Errors); got != test[2] || r.Invalid != nil {
					t.Errorf("%s\nholds %s\n%s\nwant\n%s", test[0], test[1], got, test[2])
				}
			}
		})
	}
}

// TestTextsAreBounded: each of many values that an enum does not have repeats all that it
// has, up to fault.Longest; what is left out is said once.
func TestTextsAreBounded(t *testing.T) {
	var allowed, values []string
	for i := range 1000 {
		allowed, values = append(allowed, fmt.Sprintf("allowed-%d", i)), append(values, fmt.Sprintf("value-%d", i))
	}
	d := define(t, "type: object\nproperties: {spec: {type: object, properties: {v: {type: array, items: {type: string, enum: ["+strings.Join(allowed, ",")+"]}}}}}")
	errs := d.Create("v1", gear(t, "spec: {v: ["+strings.Join(values, ",")+"]}")).Errors
	size := 0
	for _, e := range errs {
		size += len(e.Error())
	}
	if size < fault.Longest || size > 3*fault.Longest/2 {
		t.Errorf("%d texts have %d bytes", len(errs), size)
	}
	once := fault.Once(slices.Concat(errs, errs))
	if last := once[len(once)-1].Error(); len(once) > len(errs) || !strings.Contains(last, "more is wrong, and left out") {
		t.Errorf("%d of %d are left; the last is %.200s", len(once), 2*len(errs), last)
	}
}

func TestScale(t *testing.T) {
	crd := object(t, `
metadata: {name: gears.example.com}
spec:
  group: example.com
  names: {kind: Gear, plural: gears}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas, labelSelectorPath: .status.selector}}
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`)
	d, err := custom.Compile(crd, custom.Checks{})
	if err != nil {
		t.Fatal(err)
	}
	for fields, want := range map[string]string{
		"spec: {replicas: 3}":  "",
		"spec: {replicas: -1}": ".spec.replicas: Invalid value: -1: should be a non-negative integer",
		"spec: {replicas: x}":  ".spec.replicas: Invalid value: 0: .spec.replicas accessor error: x is of the type string, expected int64",
		"spec: x":              ".spec.replicas: Invalid value: 0: .spec.replicas accessor error: x is of the type string, expected map[string]interface{}",
		"status: {replicas: 2147483648, selector: 1}": ".status.replicas: Invalid value: 2147483648: should be less than or equal to 2147483647\n" +
			`.status.selector: Invalid value: "": .status.selector accessor error: 1 is of the type int64, expected string`,
	} {
		if got := texts(d.Create("v1", gear(t, fields)).Errors); got != want {
			t.Errorf("%s: %q, want %q", fields, got, want)
		}
	}
}

// An update may keep what the schema would not let in.
func TestUnchangedValuesAreNotRejected(t *testing.T) {
	d := define(t, `
type: object
properties:
  spec:
    type: object
    required: [must]
    properties:
      must: {type: string}
      name: {type: string, maxLength: 3}
      open: {type: object, x-kubernetes-preserve-unknown-fields: true, maxProperties: 1}
      keyed:
        type: array
        x-kubernetes-list-type: map
        x-kubernetes-list-map-keys: [id]
        items: {type: object, properties: {id: {type: string}, num: {type: integer, maximum: 5}}}
      plain: {type: array, items: {type: integer, maximum: 5}}
      set: {type: array, x-kubernetes-list-type: set, items: {type: string}}
`)
	for name, test := range map[string][3]string{
		"everything as it was":         {"{name: long one}", "{name: long one}", ""},
		"a sibling changed":            {"{name: long one}", "{name: long one, plain: [1]}", "spec.must: Required value"},
		"the value changed":            {"{must: x, name: long one}", "{must: x, name: long two}", "spec.name: Too long: may not be more than 3 bytes"},
		"an item with the same key":    {"{must: x, keyed: [{id: a, num: 9}]}", "{must: x, keyed: [{id: b}, {id: a, num: 9}]}", ""},
		"an item with a changed key":   {"{must: x, keyed: [{id: a, num: 9}]}", "{must: x, keyed: [{id: b, num: 9}]}", "spec.keyed[0].num: Invalid value: 9: spec.keyed[0].num in body should be less than or equal to 5"},
		"items without keys":           {"{must: x, plain: [9]}", "{must: x, plain: [9, 1]}", "spec.plain[0]: Invalid value: 9: spec.plain[0] in body should be less than or equal to 5"},
		"a list without keys":          {"{must: x, plain: [9]}", "{must: z, plain: [9]}", ""},
		"unknown fields are no excuse": {"{must: x, open: {a: 1, b: 2}}", "{must: x, open: {a: 1, b: 2}}", "spec.open: Too many: 2: must have at most 1 item"},
		"duplicates that were there":   {"{must: x, set: [a, a]}", "{must: z, set: [a, a, b]}", ""},
		"new duplicates":               {"{must: x, set: [a]}", "{must: x, set: [a, a]}", `spec.set[1]: Duplicate value: "a"`},
	} {
		t.Run(name, func(t *testing.T) {
			r := d.Update("v1", gear(t, "spec: "+test[1]), gear(t, "spec: "+test[0]))
			if got := texts(r.Errors); got != test[2] {
				t.Errorf("errors %q, want %q", got, test[2])
			}
		})
	}
}

func TestMetadataErrorsComeFirst(t *testing.T) {
	d := defineWith(t, `
type: object
properties: {spec: {type: object, required: [a]}, r: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}}
`, metadataChecks())
	r := d.Create("v1", gear(t, "spec: {}\nr: {apiVersion: v1, kind: P, metadata: {name: BAD}}"))
	const want = "metadata: Forbidden: g\nspec.a: Required value\nr.metadata: Forbidden: BAD"
	if got := texts(r.Errors); got != want {
		t.Errorf("errors\n%s\nwant\n%s", got, want)
	}
	if r = d.Update("v1", gear(t, ""), gear(t, "")); texts(r.Errors) != "metadata: Forbidden: g was g" {
		t.Errorf("errors %s", texts(r.Errors))
	}
}

// TestPatternsAreBounded: what patterns would take too long for is undecided, inside of
// not too; but not the value that an update leaves alone.
func TestPatternsAreBounded(t *testing.T) {
	large, long := strings.Repeat("(a?b?c?d?e?){0,1000}", 10), strings.Repeat("a", 450)
	for schema, undecided := range map[string]bool{
		"{type: string, pattern: '" + large + "'}":                 true,
		"{type: string, not: {pattern: 'x" + large + "'}}":         true,
		"{type: string, anyOf: [{pattern: '" + large + "'}]}":      true,
		"{type: string, pattern: '(a?b?c?d?e?){0,1000}'}":          false,
		"{type: string, maxLength: 449, pattern: '" + large + "'}": false,
	} {
		d := define(t, "type: object\nproperties: {spec: {type: object, properties: {v: "+schema+", w: {type: string}}}}")
		live := gear(t, "spec: {v: "+long+"}")
		if r := d.Create("v1", live); r.Undecided != undecided {
			t.Errorf("%s: undecided %v: %s", schema, r.Undecided, texts(r.Errors))
		}
		if r := d.Update("v1", gear(t, "spec: {v: "+long+", w: x}"), live); r.Undecided {
			t.Errorf("%s: the value that stays is undecided", schema)
		}
	}
}
