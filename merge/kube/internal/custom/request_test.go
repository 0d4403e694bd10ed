package custom_test

import (
	"encoding/json"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/fault"
	"threeway/merge/kube/internal/custom"
	"threeway/merge/tree"
)

func texts(errs field.ErrorList) string {
	var lines []string
	for _, err := range errs {
		lines = append(lines, err.Error())
	}
	return strings.Join(lines, "\n")
}

func asJSON(t testing.TB, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestCreateSpec creates a Gear whose spec has the schema.
func TestCreateSpec(t *testing.T) {
	tests := map[string]struct {
		schema, spec string
		want         string
		unknown      string
	}{
		"unknown fields go": {
			"type: object\nproperties: {a: {type: string}, l: {type: array, items: {type: object, properties: {b: {type: string}}}}}",
			"{z: 1, a: x, l: [{b: u, 'app.kubernetes.io/part-of': q}, {c: {d: 1}}], b: {c: 1}}",
			`{"a":"x","l":[{"b":"u"},{}]}`,
			"spec.b, spec.l[0].app.kubernetes.io/part-of, spec.l[1].c, spec.z",
		},
		"unknown fields may be kept, but not under known ones": {
			"type: object\nx-kubernetes-preserve-unknown-fields: true\nproperties: {a: {type: object, properties: {b: {type: string}}}}",
			"{z: {j: 1}, a: {b: x, c: 1}}",
			`{"a":{"b":"x"},"z":{"j":1}}`,
			"spec.a.c",
		},
		"items of a list that keeps unknown fields keep theirs": {
			"type: object\nproperties: {l: {type: array, x-kubernetes-preserve-unknown-fields: true, items: {type: object, properties: {a: {type: object}}}}}",
			"{l: [{z: 1, a: {j: 1}}]}",
			`{"l":[{"a":{},"z":1}]}`,
			"spec.l[0].a.j",
		},
		"without a schema for more, objects are emptied": {
			"type: object\nproperties: {m: {type: object, additionalProperties: true}}",
			"{m: {a: 1, b: {c: 1}}}",
			`{"m":{"a":1,"b":{}}}`,
			"spec.m.b.c",
		},
		"defaults nest": {
			"type: object\nproperties: {a: {type: object, default: {}, properties: {b: {type: integer, default: 3}}}, num: {type: integer, default: 1}}",
			"{num: 2}",
			`{"a":{"b":3},"num":2}`,
			"",
		},
		"defaults in maps and lists": {
			"type: object\nproperties: {m: {type: object, additionalProperties: {type: object, properties: {x: {type: string, default: d}}}}, l: {type: array, items: {type: object, properties: {x: {type: string, default: d}}}}}",
			"{m: {k: {}}, l: [{}, {x: e}]}",
			`{"l":[{"x":"d"},{"x":"e"}],"m":{"k":{"x":"d"}}}`,
			"",
		},
		"null goes, is defaulted or stays": {
			"type: object\nproperties: {a: {type: string}, b: {type: string, default: d}, c: {type: string, nullable: true, default: d}, m: {type: object, additionalProperties: {type: string}}}",
			"{a: null, b: null, c: null, m: {k: null}}",
			`{"b":"d","c":null,"m":{}}`,
			"",
		},
		"metadata of embedded resources is brought into form": {
			"type: object\nproperties: {r: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}}",
			"{r: {apiVersion: v1, kind: Pod, metadata: {name: p, labels: {}, creationTimestamp: null, nope: 1, finalizers: []}, spec: {x: 1}}}",
			`{"r":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"x":1}}}`,
			"spec.r.metadata.nope",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			d := define(t, "type: object\nproperties:\n  spec:\n    "+strings.ReplaceAll(test.schema, "\n", "\n    "))
			r := d.Create("v1", gear(t, "spec: "+test.spec))
			if r.Invalid != nil || len(r.Errors) > 0 {
				t.Fatalf("rejected: %v %v", r.Invalid, r.Errors)
			}
			if got := asJSON(t, r.Object["spec"]); got != test.want {
				t.Errorf("spec %s, want %s", got, test.want)
			}
			if got := strings.Join(fields(r.Unknown), ", "); got != test.unknown {
				t.Errorf("unknown fields %s, want %s", got, test.unknown)
			}
		})
	}
}

func fields(faults []fault.Fault) []string {
	var list []string
	for _, f := range faults {
		list = append(list, f.Field)
	}
	return list
}

func TestUnknownFieldsAreListedInTheOrderOfTheServer(t *testing.T) {
	d := define(t, `
type: object
properties:
  spec:
    type: object
    properties:
      r: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
`)
	obj := gear(t, "spec: {z: 1, r: {apiVersion: v1, kind: P, metadata: {b: 1}}}\nbogus: 1")
	tree.Set(obj, int64(1), "metadata", "zzz")
	tree.Set(obj, []any{tree.Object{"apiVersion": "v1", "kind": "P", "name": "p", "uid": "u", "extra": true}}, "metadata", "ownerReferences")
	r := d.Create("v1", obj)
	const want = "metadata.ownerReferences[0].extra metadata.zzz bogus spec.z spec.r.metadata.b"
	if got := strings.Join(fields(r.Unknown), " "); got != want {
		t.Errorf("unknown fields %s, want %s", got, want)
	}
	if got := asJSON(t, r.Object["metadata"]); got != `{"generation":1,"name":"g","namespace":"ns","ownerReferences":[{"apiVersion":"v1","kind":"P","name":"p","uid":"u"}]}` {
		t.Errorf("metadata %s", got)
	}
}

func TestBodiesThatCannotBeDecoded(t *testing.T) {
	d := define(t, `
type: object
properties:
  spec: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
`)
	for fields, want := range map[string]string{
		"spec: {apiVersion: 1}":                                 `spec.apiVersion: Invalid value: 1: must be a string`,
		"spec: {metadata: {labels: {a: 1}}}":                    `spec.metadata: Invalid value: {"labels":{"a":1}}: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string`,
		"spec: {metadata: {ownerReferences: [x]}}":              `spec.metadata: Invalid value: {"ownerReferences":["x"]}: json: cannot unmarshal string into Go struct field ObjectMeta.ownerReferences of type v1.OwnerReference`,
		"spec: {metadata: {creationTimestamp: 'yesterday'}}":    `spec.metadata: Invalid value: {"creationTimestamp":"yesterday"}: parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"`,
		"metadata: {name: g, annotations: {a: true}}\nspec: {}": `json: cannot unmarshal bool into Go struct field ObjectMeta.annotations of type string`,
	} {
		obj := object(t, "apiVersion: example.com/v1\nkind: Gear\n"+fields)
		if r := d.Create("v1", obj); r.Invalid == nil || r.Invalid.Error() != want {
			t.Errorf("%s: %v, want %s", fields, r.Invalid, want)
		}
	}
	if r := d.Create("v9", gear(t, "")); r.Invalid == nil || r.Invalid.Error() != `gears.example.com has no version "v9"` {
		t.Errorf("unknown version: %v", r.Invalid)
	}
}

const withStatus = `
type: object
properties:
  spec: {type: object, properties: {size: {type: integer}}}
  status: {type: object, properties: {ready: {type: boolean}}}
`

func TestStatusIsNotTheClients(t *testing.T) {
	d := define(t, withStatus)
	if r := d.Create("v1", gear(t, "status: {ready: true}")); tree.Has(r.Object, "status") {
		t.Error("create kept status")
	}
	old := gear(t, "spec: {size: 1}\nstatus: {ready: true}")
	if r := d.Update("v1", gear(t, "spec: {size: 1}\nstatus: {ready: false}"), old); !tree.Bool(r.Object, "status", "ready") {
		t.Error("update changed status")
	}
	if r := d.Update("v1", gear(t, "status: {ready: false}"), gear(t, "")); tree.Has(r.Object, "status") {
		t.Error("update added status")
	}
}

// A default of status comes back when the object is read from storage.
func TestStatusDefaultSurvivesCreate(t *testing.T) {
	d := define(t, "type: object\nproperties: {status: {type: object, default: {phase: New}, properties: {phase: {type: string}}}}")
	if r := d.Create("v1", gear(t, "status: {phase: Old}")); tree.String(r.Object, "status", "phase") != "New" {
		t.Errorf("status %v", r.Object["status"])
	}
}

func TestGeneration(t *testing.T) {
	d := define(t, withStatus)
	old := gear(t, "spec: {size: 1}\nstatus: {ready: true}")
	tree.Set(old, int64(4), "metadata", "generation")
	for name, test := range map[string]struct {
		change func(tree.Object)
		want   int64
	}{
		"nothing":        {func(tree.Object) {}, 4},
		"labels":         {func(o tree.Object) { tree.Set(o, "b", "metadata", "labels", "a") }, 4},
		"the generation": {func(o tree.Object) { tree.Set(o, int64(9), "metadata", "generation") }, 4},
		"the status":     {func(o tree.Object) { tree.Set(o, false, "status", "ready") }, 4},
		"the spec":       {func(o tree.Object) { tree.Set(o, int64(2), "spec", "size") }, 5},
		"less":           {func(o tree.Object) { delete(o, "spec") }, 5},
		"unknown fields": {func(o tree.Object) { tree.Set(o, int64(2), "spec", "nope") }, 4},
	} {
		obj := tree.CopyObject(old)
		test.change(obj)
		r := d.Update("v1", obj, old)
		if got, _ := tree.Int(r.Object, "metadata", "generation"); got != test.want {
			t.Errorf("after a change of %s the generation is %d, want %d", name, got, test.want)
		}
	}
	if r := d.Create("v1", old); !tree.Equal(tree.Map(r.Object, "metadata")["generation"], int64(1)) {
		t.Errorf("created with generation %v", tree.Map(r.Object, "metadata")["generation"])
	}
}

func TestArgumentsAreLeftAlone(t *testing.T) {
	d := define(t, "type: object\nproperties: {spec: {type: object, default: {a: {}}, properties: {a: {type: object}}}}")
	obj, old := gear(t, "spec: {nope: 1}\nstatus: {x: 1}"), gear(t, "status: {j: {}}")
	objText, oldText := asJSON(t, obj), asJSON(t, old)
	first := asJSON(t, d.Update("v1", obj, old).Object)
	r := d.Create("v1", gear(t, ""))
	tree.Set(r.Object, "changed", "spec", "a", "b")
	if asJSON(t, obj) != objText || asJSON(t, old) != oldText {
		t.Error("an argument changed")
	}
	if again := asJSON(t, d.Update("v1", obj, old).Object); again != first {
		t.Errorf("second answer %s, first %s", again, first)
	}
}

const twoVersions = `
metadata: {name: gears.example.com}
spec:
  group: example.com
  names: {kind: Gear, plural: gears}
  conversion: {strategy: %s}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {both: {type: string}, old: {type: string, default: d}}}}}}
  - name: v2
    served: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {both: {type: string}, new: {type: string}}}}}}
`

// What the storage version cannot hold is lost, its defaults never show.
func TestStorageVersionDecides(t *testing.T) {
	d, err := custom.Compile(object(t, strings.Replace(twoVersions, "%s", "None", 1)), custom.Checks{})
	if err != nil {
		t.Fatal(err)
	}
	obj := gear(t, "spec: {both: x, new: w}")
	obj["apiVersion"] = "example.com/v2"
	r := d.Create("v2", obj)
	if got := asJSON(t, r.Object["spec"]); got != `{"both":"x"}` || len(r.Unknown) != 0 {
		t.Errorf("spec %s, unknown fields %v", got, r.Unknown)
	}
	back, ok := d.Read("v1", r.Object)
	if got := asJSON(t, back); !ok || got != `{"apiVersion":"example.com/v1","kind":"Gear","metadata":{"generation":1,"name":"g","namespace":"ns"},"spec":{"both":"x","old":"d"}}` {
		t.Errorf("read as v1: %s", got)
	}
}

func TestConversionWebhookIsUnknowable(t *testing.T) {
	d, err := custom.Compile(object(t, strings.Replace(twoVersions, "%s", "Webhook, webhook: {clientConfig: {service: {namespace: tools, name: gears}}}", 1)), custom.Checks{})
	if err != nil {
		t.Fatal(err)
	}
	obj := gear(t, "spec: {both: x, new: w}")
	if _, needed := d.Converter("v1"); needed {
		t.Error("the storage version needs no webhook")
	}
	if _, ok := d.Read("v2", obj); ok {
		t.Error("read across versions without the webhook")
	}
	obj["apiVersion"] = "example.com/v2"
	c, _ := d.Converter("v2")
	if r := d.Create("v2", obj); c.String() != "Service tools/gears" || c.URL != "https://gears.tools.svc:443/" || asJSON(t, r.Object["spec"]) != `{"both":"x","new":"w"}` {
		t.Errorf("webhook %q, object %v", c, r.Object)
	}
}
