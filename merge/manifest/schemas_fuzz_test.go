package manifest_test

import (
	"testing"

	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
)

// FuzzSchemas takes any text for a file of a catalog and for one that must tell its kind itself.
// Nothing may panic, and a file is a schema, objects, or an error.
func FuzzSchemas(f *testing.F) {
	for _, seed := range []string{
		`{"type":"object","properties":{"spec":{"type":["object","null"],"properties":{"properties":{"oneOf":[{"type":"string"},{"type":"integer"}]},"additionalProperties":false}}}}`,
		`{"$schema":"x","$ref":"#/definitions/a","definitions":{"a":{"items":{"$ref":"#/definitions/a"},"allOf":[{"$ref":"#/definitions/a"},1]}}}`,
		`{"openapi":"3.0.0","paths":{"/apis/example.com/v1/namespaces/{namespace}/widgets/{name}":{"get":{"x-kubernetes-group-version-kind":{"group":"example.com","version":"v1","kind":"Widget"}}},"":null},"components":{"schemas":{"w":{"x-kubernetes-group-version-kind":[{"group":"example.com","version":"v1","kind":"Widget"}],"properties":{"metadata":{"allOf":[{"$ref":"ObjectMeta"}]},"t":{"x-kubernetes-embedded-resource":true,"required":["kind",1]}}}}}}`,
		`{"properties":{"apiVersion":{"enum":["example.com/v1"]},"kind":{"const":"Widget"},"status":1}}`,
		"apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a}\nspec: {names: {kind: A}}\n",
		"", "[]", "{", "swagger: \"2.0\"\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, name := range []string{"example.com/widget_v1.json", "widget-example-v1.yaml", "schema.json"} {
			opts := manifest.Options{Paths: []string{name}, From: func(string) ([]manifest.File, bool, error) {
				return []manifest.File{{Name: name, Data: text}}, true, nil
			}}
			definitions, set, problems := manifest.ReadKinds(opts, manifest.ReadSnapshot)
			found, err := set.Of(schema.Kind{Group: "example.com", Version: "v1", Kind: "Widget"}), set.Check(schema.Kind{Group: "example.com", Version: "v1", Kind: "Widget"})
			if found != nil && (err != nil || found.Body == nil || found.File != name) {
				t.Errorf("%s: %v, %v", name, found, err)
			}
			if found == nil && err == nil && len(definitions)+len(problems) == 0 && name == "example.com/widget_v1.json" {
				t.Errorf("%s is nothing", name)
			}
		}
	})
}
