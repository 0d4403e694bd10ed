package custom_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/server/custom"
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
      name: {type: string, x-kubernetes-validations: [{rule: self == oldSelf, optionalOldSelf: true, messageExpression: "'x' + self"}]}
      map: {type: object, additionalProperties: {type: string, x-kubernetes-validations: [{rule: self != ''}]}}
      list:
        type: array
        x-kubernetes-list-type: map
        x-kubernetes-list-map-keys: [id]
        items: {type: object, properties: {id: {type: string}, num: {type: integer}}, allOf: [{x-kubernetes-validations: [{rule: self.num < 9}]}], x-kubernetes-validations: [{rule: self.num >= oldSelf.num}]}
`

func ruleTexts(rules []custom.Rule) string {
	var lines []string
	for _, r := range rules {
		lines = append(lines, r.String())
	}
	return strings.Join(lines, "; ")
}

func TestRulesAreNamed(t *testing.T) {
	d := define(t, withRules)
	for name, test := range map[string][3]string{
		"create": {
			"", "spec: {size: 1, map: {k: x}, list: [{id: a}]}",
			"has(self.spec); spec.list[0]: self.num < 9; spec.map[k]: self != ''; spec.size: self > 0",
		},
		"create with an optional old value": {
			"", "spec: {name: x}",
			"has(self.spec); spec.name: self == oldSelf",
		},
		"update of one field": {
			"spec: {size: 1, name: x}", "spec: {size: 2, name: x}",
			"has(self.spec); spec.size: self > 0; spec.size: self >= oldSelf",
		},
		"update of nothing": {
			"spec: {size: 1, name: x}", "spec: {size: 1, name: x}",
			"has(self.spec)",
		},
		"update of an item": {
			"spec: {list: [{id: a, num: 1}]}", "spec: {list: [{id: b, num: 1}, {id: a, num: 2}]}",
			"has(self.spec); spec.list[0]: self.num < 9; spec.list[1]: self.num >= oldSelf.num; spec.list[1]: self.num < 9",
		},
		"a new field": {
			"spec: {}", "spec: {size: 1}",
			"has(self.spec); spec.size: self > 0",
		},
	} {
		t.Run(name, func(t *testing.T) {
			obj := gear(t, test[1])
			r := d.Create("v1", obj)
			if test[0] != "" {
				r = d.Update("v1", obj, gear(t, test[0]))
			}
			if got := ruleTexts(r.Unevaluated); got != test[2] {
				t.Errorf("rules %s\nwant %s", got, test[2])
			}
		})
	}
}

func TestRulesAreNotCheckedOnBrokenObjects(t *testing.T) {
	const note = "<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"
	d := define(t, withRules)
	r := d.Create("v1", gear(t, "spec: {size: x}"))
	want := `spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"` + "\n" + note
	if got := texts(r.Errors); got != want || len(r.Unevaluated) != 0 {
		t.Errorf("errors\n%s\nwant\n%s\nrules %s", got, want, ruleTexts(r.Unevaluated))
	}
	plain := define(t, "type: object\nproperties: {spec: {type: object, properties: {size: {type: integer}}}}")
	if r := plain.Create("v1", gear(t, "spec: {size: x}")); strings.Contains(texts(r.Errors), note) {
		t.Error("rules mentioned where there are none")
	}
}

func TestEvaluator(t *testing.T) {
	var seen []custom.Rule
	d := defineWith(t, withRules, custom.Checks{Rules: func(rules []custom.Rule) field.ErrorList {
		seen = rules
		return field.ErrorList{field.Invalid(rules[1].Path, rules[1].Self, rules[1].Message())}
	}})
	r := d.Update("v1", gear(t, "spec: {size: 0}"), gear(t, "spec: {size: 0}"))
	if got := texts(r.Errors); got != "spec.size: Invalid value: 0: positive, please" || len(r.Unevaluated) != 0 {
		t.Errorf("errors %s, unevaluated %s", got, ruleTexts(r.Unevaluated))
	}
	if got := ruleTexts(seen); got != "has(self.spec); spec.size: self > 0; spec.size: self >= oldSelf" {
		t.Fatalf("rules %s", got)
	}
	if seen[0].Unchanged || !seen[1].Unchanged || seen[2].Old != int64(0) {
		t.Errorf("rules %+v", seen)
	}
}

func TestRuleTexts(t *testing.T) {
	for text, want := range map[string]bool{
		"self == oldSelf": true, "oldSelf.x == self.x": true, "self.oldSelf == 1": false, "oldSelfish > 1": false, "self.x == myoldSelf": false, "": false,
		"self.oldSelf != oldSelf": true,
	} {
		r := custom.Rule{Body: tree.Object{"rule": text}}
		if r.UsesOldSelf() != want {
			t.Errorf("%q uses oldSelf: %v", text, !want)
		}
	}
	for body, want := range map[string]string{
		"{rule: ' a '}":                     "failed rule: a",
		"{rule: a, message: ' m '}":         "m",
		"{rule: a, messageExpression: '1'}": "",
	} {
		r := custom.Rule{Body: object(t, body)}
		if got := r.Message(); got != want {
			t.Errorf("%s: message %q, want %q", body, got, want)
		}
	}
}
