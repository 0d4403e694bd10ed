package tables

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	crvalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	gvk "k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"

	"threeway/merge/kube/internal/custom"
	ours "threeway/merge/kube/internal/validation"
	"threeway/merge/tree"
)

// ofSchema makes data of the schemas that upstream's functions take.
const ofSchema = `case *threewayschema.Structural:
		if v != nil {
			return v.ToKubeOpenAPI()
		}
	case *threewayinternal.JSONSchemaProps:
		var out threewayv1.JSONSchemaProps
		if v != nil && threewayv1.Convert_apiextensions_JSONSchemaProps_To_v1_JSONSchemaProps(v, &out, nil) == nil {
			return out
		}`

const schemaImports = `threewayinternal "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	threewayv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	threewayschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"`

// fragments are tables of values and the schemas they are held against: which
// argument is which, by function; data is -1 where there are schemas only.
var fragments = []struct {
	pkg          string
	functions    []string
	schema, data int
}{
	{"schema/pruning", []string{"PruneWithOptions"}, 1, 0},
	{"schema/defaulting", []string{"Default", "PruneNonNullableNullsWithoutDefaults"}, 1, 0},
	{"schema/defaulting", []string{"validate"}, 2, -1},
	{"schema/listtype", []string{"ValidateListSetsAndMaps"}, 1, 2},
	{"schema/objectmeta", []string{"CoerceWithOptions"}, 2, 1},
	{"schema/objectmeta", []string{"Validate"}, 2, 1},
}

// whole are the tables of resources: a schema, then what is held against it.
var whole = Harvest{
	Package:   "k8s.io/apiextensions-apiserver/pkg/apiserver/validation",
	Functions: []string{"NewSchemaValidator", "NewSchemaValidatorForVersion", "ValidateCustomResource"},
	Imports:   schemaImports, Encode: ofSchema,
}

// tries is how often upstream is asked again where it differs: it walks maps in
// random order and stops at the first value that cannot be decoded.
const tries = 20

// answer is what a request leads to: the stored object, or why there is none.
type answer struct {
	object  string
	unknown []string
	errors  []string
}

func (a answer) equal(b answer) bool {
	return a.object == b.object && slices.Equal(sorted(a.unknown), sorted(b.unknown)) && slices.Equal(sorted(a.errors), sorted(b.errors))
}

func (a answer) String() string {
	return strings.Join(slices.Concat([]string{a.object}, a.unknown, a.errors), "\n\t")
}

// resource is one kind of resource as upstream serves it.
type resource struct {
	structural *schema.Structural
	strategy   rest.RESTCreateStrategy
}

// serve makes what upstream makes of a definition that it takes.
func serve(crd *apiextensions.CustomResourceDefinition) (*resource, error) {
	props, err := apiextensions.GetSchemaForVersion(crd, "v1")
	if err != nil {
		return nil, err
	}
	structural, err := schema.NewStructural(props.OpenAPIV3Schema)
	if err != nil {
		return nil, err
	}
	if err := defaulting.PruneDefaults(structural); err != nil {
		return nil, err
	}
	validator, _, err := crvalidation.NewSchemaValidator(props.OpenAPIV3Schema)
	if err != nil {
		return nil, err
	}
	kind := gvk.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}

	return &resource{structural, customresource.NewStrategy(objectTyper{kind}, true, kind, validator, nil, structural, nil, nil, nil)}, nil
}

// objectTyper knows one kind.
type objectTyper struct{ kind gvk.GroupVersionKind }

func (t objectTyper) ObjectKinds(runtime.Object) ([]gvk.GroupVersionKind, bool, error) {
	return []gvk.GroupVersionKind{t.kind}, false, nil
}
func (t objectTyper) Recognizes(gvk.GroupVersionKind) bool { return true }

// decode is what the server does to the body of a request, and to what it
// reads from storage (unstructuredSchemaCoercer and unstructuredDefaulter of
// k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go).
func (r *resource) decode(obj tree.Object) (unknown []string, err error) {
	_, _, paths, err := objectmeta.GetObjectMetaWithOptions(obj, objectmeta.ObjectMetaOptions{ReturnUnknownFieldPaths: true})
	if err != nil {
		return nil, err
	}
	unknown = append(unknown, paths...)
	unknown = append(unknown, pruning.PruneWithOptions(obj, r.structural, true, schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})...)
	defaulting.PruneNonNullableNullsWithoutDefaults(obj, r.structural)
	cause, paths := objectmeta.CoerceWithOptions(nil, obj, r.structural, false, objectmeta.CoerceOptions{ReturnUnknownFieldPaths: true})
	if cause != nil {
		return nil, cause
	}
	defaulting.Default(obj, r.structural)
	return append(unknown, paths...), nil
}

// create is a request that creates an object.
func (r *resource) create(obj tree.Object) answer {
	obj = tree.CopyObject(obj)
	unknown, err := r.decode(obj)
	if err != nil {
		return answer{errors: []string{err.Error()}}
	}
	u := &unstructured.Unstructured{Object: obj}
	rest.WipeObjectMetaSystemFields(u)
	rest.FillObjectMetaSystemFields(u)
	err = rest.BeforeCreate(r.strategy, request.WithNamespace(context.Background(), "default"), u)
	a := answer{unknown: unknown, errors: causesOf(err)}
	if err == nil {
		if _, err := r.decode(u.Object); err != nil {
			return answer{errors: []string{"reading it: " + err.Error()}}
		}
		a.object = text(u.Object)
	}
	return a
}

// text is an object's JSON, without what no client decides.
func text(obj tree.Object) string {
	obj = tree.CopyObject(obj)
	for _, key := range []string{"creationTimestamp", "uid"} {
		tree.Delete(obj, "metadata", key)
	}
	out, err := json.Marshal(obj)
	if err != nil {
		return err.Error()
	}
	return string(out)
}

// answered is ours.
func answered(d *custom.Definition, obj tree.Object) answer {
	r := d.Create("v1", obj)
	if r.Invalid != nil {
		return answer{errors: []string{r.Invalid.Error()}}
	}
	var a answer
	for _, f := range r.Unknown {
		a.unknown = append(a.unknown, f.Field)
	}
	for _, e := range r.Errors {
		a.errors = append(a.errors, e.Field+": "+e.ErrorBody())
	}
	if len(r.Errors) == 0 {
		a.object = text(r.Object)
	}
	return a
}

// hold compares what upstream and we make of an object of a kind whose schema
// is given.
func (f *figures) hold(t *testing.T, name string, root, obj tree.Object) {
	f.cases++
	root = tree.CopyObject(root)
	crd, err := read(definitionOf(root))
	if err != nil {
		f.undecodable++
		return
	}
	r, err := serve(crd)
	if err != nil {
		f.undecodable++
		return
	}
	d, err := custom.Compile(definitionOf(root), custom.Checks{Object: ours.CustomMeta(minor), Embedded: ours.EmbeddedMeta(minor), Minor: minor})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	want, got := r.create(obj), answered(d, obj)
	for i := 0; i < tries && !got.equal(want); i++ {
		want = r.create(obj)
	}
	switch {
	case got.equal(want):
		f.equal++
	case exceptions[name] != "":
		f.excepted++
	default:
		t.Errorf("%s\n%s\n%s\nours\n\t%s\nupstream\n\t%s", name, text(root), text(obj), got, want)
	}
}

// fragment compares a value under its schema, as a field of a new resource and,
// if it can be one, as the resource.
func (f *figures) fragment(t *testing.T, name string, s tree.Object, value any) {
	base := tree.Object{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": tree.Object{"name": "x", "namespace": "default"}}
	obj := tree.CopyObject(base)
	obj["value"] = value
	f.hold(t, name+" as a field", tree.Object{"type": "object", "properties": tree.Object{"value": s}}, obj)
	if m, ok := value.(map[string]any); ok {
		s, obj = tree.CopyObject(s), tree.CopyObject(m)
		s["type"] = "object"
		maps.Copy(obj, base)
		f.hold(t, name, s, obj)
	}
}

func TestFragments(t *testing.T) {
	for _, table := range fragments {
		h := Harvest{Package: "k8s.io/apiextensions-apiserver/pkg/apiserver/" + table.pkg, Functions: table.functions, Imports: schemaImports, Encode: ofSchema}
		var f, schemas figures
		for _, c := range h.Calls(t) {
			s := object(c.Args[table.schema])
			if s == nil {
				continue
			}
			schemas.same(t, c.String(), definitionOf(s), nil)
			schemas.same(t, c.String()+" as a property", definitionOf(tree.Object{"type": "object", "properties": tree.Object{"value": s}}), nil)
			if table.data >= 0 {
				var value any
				if err := json.Unmarshal(c.Args[table.data], &value); err != nil {
					t.Fatal(err)
				}
				f.fragment(t, c.String(), s, value)
			}
		}
		t.Logf("%s %s: definitions: %v", table.pkg, strings.Join(table.functions, " "), schemas)
		if table.data >= 0 {
			t.Logf("%s %s: resources: %v", table.pkg, strings.Join(table.functions, " "), f)
		}
	}
}

func TestResources(t *testing.T) {
	var f figures
	var s tree.Object
	for _, c := range whole.Calls(t) {
		if strings.HasPrefix(c.Func, "NewSchemaValidator") {
			s = object(c.Args[0])
			continue
		}
		var value any
		if err := json.Unmarshal(c.Args[1], &value); err != nil {
			t.Fatal(err)
		}
		if s != nil {
			f.fragment(t, c.String(), s, value)
		}
	}
	t.Log(f)
}
