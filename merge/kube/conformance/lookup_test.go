package conformance

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	openapi "github.com/google/gnostic-models/openapiv2"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/kube-openapi/pkg/util/proto"

	"threeway/merge/kube/internal/strategic"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// swagger is the OpenAPI v2 document of the Kubernetes repository.
func swagger(t *testing.T) proto.Models {
	text, err := os.ReadFile(filepath.Join(openAPIDir(), "..", "swagger.json"))
	if err != nil {
		t.Skip(err)
	}
	document, err := openapi.ParseDocument(text)
	if err != nil {
		t.Fatal(err)
	}
	models, err := proto.NewOpenAPIData(document)
	if err != nil {
		t.Fatal(err)
	}
	return models
}

// TestLookups puts an unknown field, once with a map and once with a list, into
// a map in the place of every field that can be reached without a list on the
// way, and wants the texts of kubectl's three tries.
func TestLookups(t *testing.T) {
	models := swagger(t)
	compared := 0
	for _, k := range kinds() {
		v2 := models.LookupModel(k.definition)
		if v2 == nil || k.openapi == nil {
			continue
		}
		for _, path := range placesIn(k.ours, nil, map[*schema.Type]bool{}) {
			for _, values := range [][2]any{{tree.Object{"x": "1"}, tree.Object{"x": "2"}}, {[]any{"1"}, []any{"2"}}} {
				last, config := tree.Object{}, tree.Object{}
				tree.Set(last, values[0], append(path, "newkey")...)
				tree.Set(config, values[1], append(path, "newkey")...)
				_, err := strategic.Patch(last, config, tree.Object{}, k.ours, true)
				var lookup *strategic.LookupError
				if !errors.As(err, &lookup) {
					t.Errorf("%s %v: %v", k, path, err)
					continue
				}
				for _, try := range []struct {
					meta strategicpatch.LookupPatchMeta
					got  string
				}{{k.openapi, lookup.OpenAPI()}, {strategicpatch.NewPatchMetaFromOpenAPI(v2), lookup.OpenAPIV2()}, {k.structs, lookup.Error()}} {
					_, err := strategicpatch.CreateThreeWayMergePatch([]byte(encode(last)), []byte(encode(config)), []byte("{}"), try.meta, true)
					compared++
					if err == nil || err.Error() != try.got {
						t.Errorf("%s %v by %T:\nours     %s\nupstream %v", k, path, try.meta, try.got, err)
					}
				}
			}
		}
	}
	t.Logf("%d texts", compared)
}

// placesIn lists the paths to the fields below a type, to each type once.
func placesIn(t *schema.Type, path []string, seen map[*schema.Type]bool) [][]string {
	if seen[t] {
		return nil
	}
	seen[t] = true
	found := [][]string{path}
	switch t.Form {
	case schema.Map:
		found = append(found, placesIn(t.Elem, append(slices.Clone(path), "a"), seen)...)
	case schema.Struct:
		for i := range t.Fields {
			if f := &t.Fields[i]; f.In(minor) && !f.Replace {
				found = append(found, placesIn(f.Type, append(slices.Clone(path), f.Name), seen)...)
			}
		}
	}
	return found
}
