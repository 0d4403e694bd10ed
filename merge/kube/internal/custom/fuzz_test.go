package custom_test

import (
	"testing"

	kjson "sigs.k8s.io/json"

	"threeway/merge/kube/internal/custom"
	"threeway/merge/tree"
)

// FuzzRequests takes any JSON for schema and object. Nothing may panic, an
// accepted object must come out the same when it is sent again, and an update
// that changes nothing must be accepted.
func FuzzRequests(f *testing.F) {
	for _, seed := range [][2]string{
		{`{"type":"object","properties":{"spec":{"type":"object","default":{"a":1},"properties":{"a":{"type":"integer","default":2}}}}}`, `{"spec":{"b":1}}`},
		{`{"type":"object","properties":{"spec":{"x-kubernetes-embedded-resource":true,"properties":{"a":{"items":{"default":"x"}}}}}}`, `{"spec":{"apiVersion":"v1","kind":"K","metadata":{"name":"n","x":1},"a":[null]}}`},
		{`{"additionalProperties":{"nullable":true,"oneOf":[{"minimum":1.5},{"not":{}}]},"x-kubernetes-validations":[{"rule":"oldSelf"}]}`, `{"a":1,"b":null}`},
		{`{"properties":{"l":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],"items":{"x-kubernetes-validations":[{"rule":"self"}]}}}}`, `{"l":[{"k":1},{"k":1.5},{"k":[]}]}`},
		{`{"properties":null,"items":[],"enum":[null,{}],"required":[1]}`, `{"metadata":{"labels":{"a":"b"},"managedFields":[{}]}}`},
		{`{"properties":{"v":{"format":"email","pattern":"(","type":"string","multipleOf":0}}}`, `{"v":"a@b"}`},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, schema, object string) {
		var s, obj tree.Object
		if kjson.UnmarshalCaseSensitivePreserveInts([]byte(schema), &s) != nil || kjson.UnmarshalCaseSensitivePreserveInts([]byte(object), &obj) != nil || obj == nil {
			return
		}
		obj["apiVersion"], obj["kind"] = "example.com/v1", "Gear"
		d, err := custom.Compile(tree.Object{"spec": tree.Object{
			"group": "example.com",
			"names": tree.Object{"kind": "Gear", "plural": "gears"},
			"versions": []any{tree.Object{
				"name": "v1", "served": true, "storage": true,
				"schema": tree.Object{"openAPIV3Schema": s},
			}},
		}}, custom.Checks{})
		if err != nil {
			t.Fatal(err)
		}
		created := d.Create("v1", obj)
		if created.Invalid != nil || len(created.Errors) > 0 {
			return
		}
		stored, ok := d.Read("v1", created.Object)
		if !ok || !tree.Equal(stored, created.Object) {
			t.Fatalf("read %v after creating %v", stored, created.Object)
		}
		again := d.Update("v1", stored, stored)
		if len(again.Unknown) > 0 || !tree.Equal(again.Object, stored) {
			t.Errorf("an update without changes makes %v of %v, with unknown fields %v", again.Object, stored, again.Unknown)
		}
	})
}
