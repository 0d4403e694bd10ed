package custom_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/custom"
	"threeway/merge/tree"
)

// metadataChecks rejects all metadata, naming it.
func metadataChecks() custom.Checks {
	name := func(obj any) string { return tree.String(obj, "metadata", "name") }
	return custom.Checks{
		Object: func(obj, old tree.Object) field.ErrorList {
			text := name(obj)
			if old != nil {
				text += " was " + name(old)
			}
			return field.ErrorList{field.Forbidden(field.NewPath("metadata"), text)}
		},
		Embedded: func(metadata any, path *field.Path) field.ErrorList {
			return field.ErrorList{field.Forbidden(path, tree.String(metadata, "name"))}
		},
	}
}

const withRules = `
type: object
x-kubernetes-validations: [{rule: has(self.spec)}]
properties:
  spec:
    type: object
    properties:
      size: {type: integer, x-kubernetes-validations: [{rule: self > 0, message: " positive, please "}, {rule: self >= oldSelf}]}
      name: {type: string, x-kubernetes-validations: [{rule: "self == oldSelf.orValue('')", optionalOldSelf: true, messageExpression: "'x' + self"}]}
      none: {type: object, additionalProperties: {type: string, nullable: true}, x-kubernetes-validations: [{rule: self.size() == 0}]}
      map: {type: object, additionalProperties: {type: string, x-kubernetes-validations: [{rule: self != ''}]}}
      list:
        type: array
        x-kubernetes-list-type: map
        x-kubernetes-list-map-keys: [id]
        items: {type: object, properties: {id: {type: string}, num: {type: integer}}, allOf: [{x-kubernetes-validations: [{rule: self.num < 9}]}], x-kubernetes-validations: [{rule: self.num >= oldSelf.num}]}
`

// outcome is what becomes of obj, or of old that is updated to obj.
func outcome(d *custom.Definition, obj, old tree.Object) string {
	r := d.Create("v1", obj)
	if old != nil {
		r = d.Update("v1", obj, old)
	}
	said := texts(r.Errors)
	for _, w := range r.Warnings {
		said += "\nWarning: " + w.Error()
	}
	return strings.TrimSpace(said)
}

func TestRules(t *testing.T) {
	d := defineWith(t, withRules, custom.Checks{Minor: 36})
	for name, test := range map[string][3]string{
		"all hold":                     {"", "spec: {size: 1, map: {k: x}, list: [{id: a, num: 1}]}", ""},
		"of the object":                {"", "", `<nil>: Invalid value: failed rule: has(self.spec)`},
		"of a field":                   {"", "spec: {size: 0}", "spec.size: Invalid value: 0: positive, please"},
		"of an entry":                  {"", "spec: {map: {k: ''}}", `spec.map[k]: Invalid value: "": failed rule: self != ''`},
		"of an item, in allOf":         {"", "spec: {list: [{id: a, num: 9}]}", "spec.list[0]: Invalid value: failed rule: self.num < 9"},
		"an error":                     {"", "spec: {list: [{id: a}]}", `spec.list[0]: Invalid value: "object": no such key: num evaluating rule: self.num < 9`},
		"an optional old value":        {"", "spec: {name: x}", `spec.name: Invalid value: "x": xx`},
		"no change":                    {"spec: {size: 0}", "spec: {size: 0}", "Warning: spec.size: Invalid value: 0: positive, please"},
		"a change elsewhere":           {"spec: {size: 0}", "spec: {size: 0, map: {a: b}}", "Warning: spec.size: Invalid value: 0: positive, please"},
		"a null beside no entry":       {"spec: {none: {b: x}}", "spec: {none: {a: null}}", "spec.none: Invalid value: failed rule: self.size() == 0"},
		"a change":                     {"spec: {size: 3}", "spec: {size: 2}", "spec.size: Invalid value: 2: failed rule: self >= oldSelf"},
		"an error is not forgiven":     {"spec: {list: [{id: a}]}", "spec: {list: [{id: a}], size: 1}", `spec.list[0]: Invalid value: "object": no such key: num evaluating rule: self.num >= oldSelf.num` + "\n" + `spec.list[0]: Invalid value: "object": no such key: num evaluating rule: self.num < 9`},
		"items correspond by key":      {"spec: {list: [{id: a, num: 1}]}", "spec: {list: [{id: b, num: 1}, {id: a, num: 0}]}", "spec.list[1]: Invalid value: failed rule: self.num >= oldSelf.num"},
		"a new field has no old value": {"spec: {}", "spec: {size: 1}", ""},
		"null is no value":             {"", "spec: {size: null}", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var old tree.Object
			if test[0] != "" {
				old = gear(t, test[0])
			}
			if got := outcome(d, gear(t, test[1]), old); got != test[2] {
				t.Errorf("got\n%s\nwant\n%s", got, test[2])
			}
		})
	}
}

// TestRulesBelowNoType: what has no type is not visible to expressions, and so is all below it.
func TestRulesBelowNoType(t *testing.T) {
	d := defineWith(t, `
type: object
properties:
  open: {x-kubernetes-preserve-unknown-fields: true, properties: {size: {type: integer, x-kubernetes-validations: [{rule: self > 0}]}}}
  size: {type: integer, x-kubernetes-validations: [{rule: self > 0}]}
`, custom.Checks{Minor: 36})
	if got, want := outcome(d, gear(t, "open: {size: 0}\nsize: 0"), nil), "size: Invalid value: 0: failed rule: self > 0"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestListsOfMinors: equality and additions of lists, as 1.36.3 and 1.37.2 answered.
func TestListsOfMinors(t *testing.T) {
	const lists = `
type: object
x-kubernetes-validations: [
  {rule: "self.set == ['a', 'a']", message: set},
  {rule: "self.set + ['c'] == ['a', 'b', 'c'] && self.set == ['a', 'b']", message: added},
  {rule: "self.map == [self.map[0], self.map[0]]", message: map},
  {rule: "self.map + [self.map[1]] == [self.map[1], self.map[0]]", message: overwritten},
  {rule: "(self.times + [timestamp('2020-01-01T00:00:00Z')]).all(t, t < timestamp('2030-01-01T00:00:00Z'))", message: times}]
properties:
  set: {type: array, x-kubernetes-list-type: set, maxItems: 5, items: {type: string}}
  map: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], maxItems: 5, items: {type: object, properties: {k: {type: string}}}}
  times: {type: array, maxItems: 4, items: {type: string, format: date-time}}
`
	for minor, want := range map[int]string{
		36: `<nil>: Invalid value: "object": invalid data, expected string, got time.Time evaluating rule: times`,
		37: "<nil>: Invalid value: set\n<nil>: Invalid value: map",
	} {
		d := defineWith(t, lists, custom.Checks{Minor: minor})
		if got := outcome(d, gear(t, "set: [a, b]\nmap: [{k: x}, {k: z}]\ntimes: ['2021-01-01T00:00:00Z']"), nil); got != want {
			t.Errorf("1.%d: got\n%s\nwant\n%s", minor, got, want)
		}
	}
}

func TestRulesAreNotCheckedOnBrokenObjects(t *testing.T) {
	const note = "<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"
	d := defineWith(t, withRules, custom.Checks{Minor: 36})
	want := `spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"` + "\n" + note
	if got := outcome(d, gear(t, "spec: {size: x}"), nil); got != want {
		t.Errorf("errors\n%s\nwant\n%s", got, want)
	}
	plain := defineWith(t, "type: object\nproperties: {spec: {type: object, properties: {size: {type: integer}}}}", custom.Checks{Minor: 36})
	if got := outcome(plain, gear(t, "spec: {size: x}"), nil); strings.Contains(got, note) {
		t.Error("rules mentioned where there are none")
	}
}
