package tables

import (
	"encoding/json"
	"testing"

	"go.yaml.in/yaml/v2"
	smd "sigs.k8s.io/structured-merge-diff/v6/schema"

	"threeway/merge/kube/internal/serverside"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// typedMerges are the tables of structured-merge-diff, which have types and
// values of every form.
var typedMerges = Harvest{
	Package:   "sigs.k8s.io/structured-merge-diff/v6/merge",
	Functions: []string{"Updater.Apply", "Updater.Update"},
	Imports: `threewayyaml "go.yaml.in/yaml/v2"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
	"sigs.k8s.io/structured-merge-diff/v6/value"`,
	Encode: `case *typed.TypedValue:
		root := v.TypeRef()
		return map[string]interface{}{"Schema": threewayText(v.Schema()), "Root": threewayText(&root), "Value": threewayValue(v)}
	case fieldpath.ManagedFields:
		return threewayEntries(v)
	case fieldpath.APIVersion:
		return string(v)`,
	Helpers: `
func threewayText(v interface{}) string {
	text, err := threewayyaml.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func threewayValue(v *typed.TypedValue) threewayjson.RawMessage {
	text, err := value.ToJSON(v.AsValue())
	if err != nil {
		panic(err)
	}
	return text
}

func threewayEntries(fields fieldpath.ManagedFields) []interface{} {
	list := []interface{}{}
	for name, set := range fields {
		text, err := set.Set().ToJSON()
		if err != nil {
			panic(err)
		}
		list = append(list, map[string]interface{}{
			"Manager": name, "Version": string(set.APIVersion()), "Applied": set.Applied(), "Fields": threewayjson.RawMessage(text),
		})
	}
	return list
}
`,
}

// typedValue is a value as the recorder writes it down.
type typedValue struct {
	Schema, Root string
	Value        json.RawMessage
}

// group is that of the objects which hold the values.
const group = "example.com"

// under returns an object whose field spec has the value: the tables have values
// of every form, the server only objects.
func (v typedValue) under(version string) tree.Object {
	obj := tree.Object{"apiVersion": group + "/" + version, "kind": "Holder"}
	if value := anything(v.Value); value != nil {
		obj["spec"] = value
	}
	return obj
}

// anything is a JSON value with integers as they are in objects.
func anything(text []byte) any {
	v, _ := tree.Get(object([]byte(`{"value":`+string(text)+`}`)), "value")
	return v
}

// typeOf returns the type of such an object.
func (v typedValue) typeOf() (serverside.Type, error) {
	const root = "threeway.Holder"
	types := &smd.Schema{}
	if err := yaml.Unmarshal([]byte(v.Schema), types); err != nil {
		return serverside.Type{}, err
	}
	var spec smd.TypeRef
	if err := yaml.Unmarshal([]byte(v.Root), &spec); err != nil {
		return serverside.Type{}, err
	}
	text, untyped, name, free := smd.String, smd.Untyped, root, root+".any"
	word, anyType := smd.TypeRef{Inlined: smd.Atom{Scalar: &text}}, smd.TypeRef{NamedType: &free}
	types.Types = append(types.Types, smd.TypeDef{Name: root, Atom: smd.Atom{Map: &smd.Map{Fields: []smd.StructField{
		{Name: "apiVersion", Type: word}, {Name: "kind", Type: word}, {Name: "metadata", Type: anyType}, {Name: "spec", Type: spec},
	}}}}, smd.TypeDef{Name: free, Atom: smd.Atom{Scalar: &untyped, List: &smd.List{ElementType: anyType, ElementRelationship: smd.Atomic}, Map: &smd.Map{ElementType: anyType}}})
	return serverside.Type{Schema: types, TypeRef: smd.TypeRef{NamedType: &name}}, nil
}

// entries are managedFields with the fields below spec.
func entries(t *testing.T, arg []byte) []any {
	var recorded []struct {
		Manager, Version string
		Applied          bool
		Fields           json.RawMessage
	}
	if err := json.Unmarshal(arg, &recorded); err != nil {
		t.Fatal(err)
	}
	var list []any
	for _, e := range recorded {
		operation := "Update"
		if e.Applied {
			operation = "Apply"
		}
		list = append(list, tree.Object{
			"manager": e.Manager, "operation": operation, "apiVersion": group + "/" + e.Version,
			"fieldsType": "FieldsV1", "fieldsV1": tree.Object{"f:spec": anything(e.Fields)},
		})
	}
	return list
}

// TestTypedMerges gives the applies and updates of structured-merge-diff's tests
// to the API server's field manager and to ours.
func TestTypedMerges(t *testing.T) {
	var n writings
	skipped := 0
	for _, c := range typedMerges.Calls(t) {
		var live, obj typedValue
		var version string
		w := writing{applies: c.Func == "Apply"}
		for i, to := range []any{&live, &obj, &version} {
			if err := json.Unmarshal(c.Args[i], to); err != nil {
				t.Fatalf("%s: %v", c, err)
			}
		}
		typ, err := obj.typeOf()
		if err != nil {
			t.Fatalf("%s: %v", c, err)
		}
		if err := json.Unmarshal(c.Args[4], &w.manager); err != nil || version == "" {
			skipped++
			continue
		}
		if w.applies && json.Unmarshal(c.Args[5], &w.force) != nil {
			t.Fatalf("%s: force is %s", c, c.Args[5])
		}
		w.typ, w.kind = typ, schema.Kind{Group: group, Version: version, Kind: "Holder"}
		w.live, w.obj = live.under(version), obj.under(version)
		if list := entries(t, c.Args[3]); len(list) > 0 {
			tree.Set(w.live, list, "metadata", "managedFields")
		}
		n.compare(t, c, w)
	}
	t.Logf("structured-merge-diff: %v, %d without a version", n, skipped)
}
