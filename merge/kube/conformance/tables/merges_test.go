package tables

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"

	"threeway/merge/kube/internal/strategic"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// jsonMerges are the tables of client-side apply on a custom resource.
var jsonMerges = Harvest{
	Package:   "k8s.io/apimachinery/pkg/util/jsonmergepatch",
	Functions: []string{"CreateThreeWayJSONMergePatch"},
	Encode:    "case []byte:\n\t\treturn v",
}

func TestJSONMerges(t *testing.T) {
	cases, equal := 0, 0
	for _, c := range jsonMerges.Calls(t) {
		var docs [3]tree.Object
		var texts [3][]byte
		for i := range docs {
			if err := json.Unmarshal(c.Args[i], &texts[i]); err != nil {
				t.Fatal(err)
			}
			docs[i] = object(texts[i])
		}
		cases++
		want, err := jsonmergepatch.CreateThreeWayJSONMergePatch(texts[0], texts[1], texts[2])
		got, ourErr := strategic.JSONPatch(docs[0], docs[1], docs[2])
		switch {
		case (err == nil) != (ourErr == nil):
			t.Errorf("%s %s %s %s: %v, we say %v", c, texts[0], texts[1], texts[2], err, ourErr)
		case err == nil && text(got) != text(object(want)):
			t.Errorf("%s %s %s %s:\nours\n\t%s\nupstream\n\t%s", c, texts[0], texts[1], texts[2], text(got), want)
		default:
			equal++
		}
	}
	t.Logf("%d cases, %d equal", cases, equal)
}

// strategicMerges are the tables of strategic merge patches, on types that the
// tests define. Their runs by OpenAPI repeat those by Go type.
var strategicMerges = Harvest{
	Package:   "k8s.io/apimachinery/pkg/util/strategicpatch",
	Functions: []string{"CreateThreeWayMergePatch", "StrategicMergePatchUsingLookupPatchMeta"},
	Imports:   "threewayreflect \"reflect\"",
	Encode:    "case []byte:\n\t\treturn v\n\tcase PatchMetaFromStruct:\n\t\treturn threewayTypes(v.T)",
	Helpers: `
func threewayTypes(t threewayreflect.Type) interface{} {
	types := map[string]interface{}{}
	return map[string]interface{}{"Root": threewayType(t, types), "Types": types}
}

func threewayType(t threewayreflect.Type, types map[string]interface{}) string {
	for t.Kind() == threewayreflect.Ptr {
		t = t.Elem()
	}
	if _, ok := types[t.String()]; ok {
		return t.String()
	}
	described := map[string]interface{}{"Kind": t.Kind().String()}
	types[t.String()] = described
	switch t.Kind() {
	case threewayreflect.Map, threewayreflect.Slice:
		described["Elem"] = threewayType(t.Elem(), types)
	case threewayreflect.Struct:
		described["Fields"] = threewayFields(t, types)
	}
	return t.String()
}

func threewayFields(t threewayreflect.Type, types map[string]interface{}) []interface{} {
	fields := []interface{}{}
	for i := 0; i < t.NumField(); i++ {
		f := t.Field(i)
		name := threewaystrings.Split(f.Tag.Get("json"), ",")[0]
		if f.Anonymous && name == "" && f.Type.Kind() == threewayreflect.Struct {
			fields = append(fields, threewayFields(f.Type, types)...)
			continue
		}
		if name == "" {
			name = f.Name
		}
		fields = append(fields, map[string]interface{}{
			"Name": name, "Go": f.Name, "Type": threewayType(f.Type, types), "Pointer": f.Type.Kind() == threewayreflect.Ptr,
			"Strategy": f.Tag.Get("patchStrategy"), "Key": f.Tag.Get("patchMergeKey"),
		})
	}
	return fields
}
`,
}

// described is a Go type as the recorder writes it down.
type described struct {
	Root  string
	Types map[string]struct {
		Kind, Elem string
		Fields     []struct {
			Name, Go, Type, Strategy, Key string
			Pointer                       bool
		}
	}
}

// of makes our type of a described one; nil if there is none.
func of(arg []byte) *schema.Type {
	var d described
	if json.Unmarshal(arg, &d) != nil || d.Root == "" {
		return nil
	}
	forms := map[string]schema.Form{"struct": schema.Struct, "map": schema.Map, "slice": schema.List, "string": schema.String, "bool": schema.Bool,
		"float32": schema.Float, "float64": schema.Float, "interface": schema.Any}
	types := map[string]*schema.Type{}
	for name, t := range d.Types {
		form, ok := forms[t.Kind]
		switch {
		case name == "runtime.RawExtension":
			form = schema.Any
		case name == "[]uint8":
			form = schema.Bytes
		case !ok:
			form = schema.Int
		}
		types[name] = &schema.Type{Name: name, Go: name, Form: form}
	}
	for name, t := range d.Types {
		types[name].Elem = types[t.Elem]
		var fields []schema.Field
		for _, f := range t.Fields {
			fields = append(fields, schema.Field{Name: f.Name, Go: f.Go, Type: types[f.Type], Pointer: f.Pointer, OmitEmpty: true, MergeKey: f.Key,
				Merge: strings.Contains(f.Strategy, "merge"), RetainKeys: strings.Contains(f.Strategy, "retainKeys"), Replace: strings.Contains(f.Strategy, "replace")})
		}
		types[name].Complete(fields)
	}
	return types[d.Root]
}

func TestStrategicMerges(t *testing.T) {
	cases, equal, failing := map[string]int{}, map[string]int{}, 0
	for _, c := range strategicMerges.Calls(t) {
		at := 2 // the type, among the arguments
		if c.Func == "CreateThreeWayMergePatch" {
			at = 3
		}
		typ := of(c.Args[at])
		if typ == nil {
			continue
		}
		docs := make([]tree.Object, at)
		isObject := true
		for i := range docs {
			docs[i] = object(document(t, c.Args[i]))
			if docs[i] == nil && len(document(t, c.Args[i])) == 0 {
				docs[i] = tree.Object{}
			}
			isObject = isObject && docs[i] != nil
		}
		if !isObject {
			continue // the functions take text, ours objects
		}
		cases[c.Func]++
		var got tree.Object
		var err error
		if at == 3 {
			got, err = strategic.Patch(docs[0], docs[1], docs[2], typ, string(c.Args[4]) == "true")
		} else {
			got, err = strategic.Apply(docs[0], docs[1], typ)
		}
		want, failed := document(t, c.Results[0]), string(c.Results[1]) != "null"
		switch {
		case failed && err != nil:
			failing++
			equal[c.Func]++
		case !failed && err == nil && text(got) == text(object(want)):
			equal[c.Func]++
		case exceptions[c.String()] != "":
		default:
			t.Errorf("%s %s %s overwrite %s\nours\n\t%s %v\nupstream\n\t%s %s", c, c.Func, docs, c.Args[len(c.Args)-1], text(got), err, want, c.Results[1])
		}
	}
	t.Logf("%v cases, %v equal, %d of them fail on both sides", cases, equal, failing)
}

// document is a text among the arguments.
func document(t *testing.T, arg []byte) []byte {
	var text []byte
	if err := json.Unmarshal(arg, &text); err != nil {
		t.Fatal(err)
	}
	return text
}
