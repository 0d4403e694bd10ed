package conformance

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"sync"
	"testing"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	gvk "k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"threeway/merge/kube/schema"
)

// minor is the Kubernetes minor of the upstream packages in go.mod.
const minor = 37

// kind is one built-in kind, as we and upstream see it.
type kind struct {
	schema.Kind
	ours    *schema.Type // nil for custom
	golang  reflect.Type
	structs strategicpatch.LookupPatchMeta // of the Go type
	openapi strategicpatch.LookupPatchMeta // of the OpenAPI v3 document; nil if that is not at hand

	definition string // its name in the OpenAPI documents
}

func (k *kind) String() string { return k.APIVersion() + "." + k.Kind.Kind }

// kinds are all kinds that schema says 1.37 serves and that have a Go type.
var kinds = sync.OnceValue(func() []*kind {
	types := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{scheme.AddToScheme, apiextensions.AddToScheme, apiregistration.AddToScheme} {
		if err := add(types); err != nil {
			panic(err)
		}
	}
	var list []*kind
	for _, r := range schema.Resources() {
		obj, err := types.New(gvk.GroupVersionKind{Group: r.Group, Version: r.Version, Kind: r.Kind.Kind})
		if !r.In(minor) || err != nil {
			continue
		}
		structs, err := strategicpatch.NewPatchMetaFromStruct(obj)
		if err != nil {
			panic(err)
		}
		k := &kind{Kind: r.Kind, ours: schema.Lookup(r.Kind), golang: reflect.TypeOf(obj).Elem(), structs: structs}
		if schemas := openAPI(r.Kind); schemas != nil {
			var s *spec.Schema
			if k.definition, s = published(schemas, r.Kind); s != nil {
				k.openapi = strategicpatch.PatchMetaFromOpenAPIV3{Schema: s, SchemaList: schemas}
			}
		}
		list = append(list, k)
	}
	return list
})

// custom stands for the custom resources, which have no schema.
var custom = &kind{Kind: schema.Kind{Group: "example.com", Version: "v1", Kind: "Custom"}}

func kindOf(k schema.Kind) *kind {
	for _, have := range kinds() {
		if have.Kind == k {
			return have
		}
	}
	return custom
}

// openAPIDir is the folder of the OpenAPI v3 documents in the Kubernetes
// repository, which is fetched if the module cache lacks it.
var openAPIDir = sync.OnceValue(func() string {
	if dir := os.Getenv("CONFORMANCE_OPENAPI"); dir != "" {
		return dir
	}
	out, err := exec.Command("go", "mod", "download", "-json", "k8s.io/kubernetes@v1.37.2").Output()
	var module struct{ Dir string }
	if err != nil || json.Unmarshal(out, &module) != nil {
		return ""
	}
	return filepath.Join(module.Dir, "api/openapi-spec/v3")
})

var documents = map[string]map[string]*spec.Schema{}

// openAPI reads the schemas of a kind's group and version; nil if there is no
// document.
func openAPI(k schema.Kind) map[string]*spec.Schema {
	name := "apis__" + k.Group + "__" + k.Version + "_openapi.json"
	if k.Group == "" {
		name = "api__" + k.Version + "_openapi.json"
	}
	if found, ok := documents[name]; ok {
		return found
	}
	documents[name] = nil
	data, err := os.ReadFile(filepath.Join(openAPIDir(), name))
	if err != nil {
		return nil
	}
	var doc spec3.OpenAPI
	if err := json.Unmarshal(data, &doc); err != nil {
		panic(name + ": " + err.Error())
	}
	documents[name] = doc.Components.Schemas
	return documents[name]
}

// published finds the schema that declares a kind.
func published(schemas map[string]*spec.Schema, k schema.Kind) (string, *spec.Schema) {
	for name, s := range schemas {
		var declared []map[string]string
		if s.Extensions.GetObject("x-kubernetes-group-version-kind", &declared) != nil {
			continue
		}
		for _, d := range declared {
			if d["group"] == k.Group && d["version"] == k.Version && d["kind"] == k.Kind {
				return name, s
			}
		}
	}
	return "", nil
}

func TestKinds(t *testing.T) {
	documented := 0
	for _, k := range kinds() {
		if k.ours == nil {
			t.Errorf("%s: no type in merge/kube/schema", k)
		}
		if k.openapi != nil {
			documented++
		}
	}
	t.Logf("%d kinds, %d with an OpenAPI v3 document", len(kinds()), documented)
	if len(kinds()) < 90 {
		t.Errorf("only %d kinds", len(kinds()))
	}
}
