package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
)

// servedPath is what a path of the server says of the kind it creates.
type servedPath struct {
	plural     string
	namespaced bool
}

// operation is one verb of a path.
type operation struct {
	Action string                                `json:"x-kubernetes-action"`
	Kind   struct{ Group, Version, Kind string } `json:"x-kubernetes-group-version-kind"`
}

// served reads the paths that list or create objects from the release's
// swagger document: by "group/version/Kind", and by "group/Kind".
func (r *release) served() (map[string]servedPath, error) {
	text, err := os.ReadFile(r.dirs["k8s.io/kubernetes"] + "/api/openapi-spec/swagger.json")
	if err != nil {
		return nil, err
	}
	var doc struct {
		Paths map[string]struct{ Get, Post operation }
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	served := map[string]servedPath{}
	for path, item := range doc.Paths {
		op := item.Post
		if item.Get.Action == "list" {
			op = item.Get
		}
		k := op.Kind
		byVersion := k.Group + "/" + k.Version + "/" + k.Kind
		if op.Action == "" || op.Action == "connect" || strings.Contains(path, "{name}") || strings.Contains(path, "/watch/") {
			continue
		}
		namespaced := strings.Contains(path, "/namespaces/{namespace}/")
		if served[byVersion].namespaced && !namespaced {
			continue // the list of all namespaces
		}
		p := servedPath{path[strings.LastIndexByte(path, '/')+1:], namespaced}
		served[byVersion] = p
		served[k.Group+"/"+k.Kind] = p
	}
	return served, nil
}

// models are the packages whose types the swagger document names otherwise than
// "io.k8s.api." and the package.
var models = map[string]string{
	"meta/v1":            "io.k8s.apimachinery.pkg.apis.meta.v1",
	"apiextensions/v1":   "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1",
	"apiregistration/v1": "io.k8s.kube-aggregator.pkg.apis.apiregistration.v1",
}

// addRequired marks the fields that the release's swagger document requires.
func addRequired(r *release, types map[string]*typ) error {
	text, err := os.ReadFile(r.dirs["k8s.io/kubernetes"] + "/api/openapi-spec/swagger.json")
	if err != nil {
		return err
	}
	var doc struct {
		Definitions map[string]struct{ Required []string }
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		return err
	}
	for _, t := range types {
		in, name, _ := strings.Cut(t.name, ".")
		model, ok := models[in]
		if !ok {
			model = "io.k8s.api." + strings.ReplaceAll(in, "/", ".")
		}
		required := doc.Definitions[model+"."+name].Required
		for _, f := range t.fields {
			f.required = slices.Contains(required, f.json)
		}
	}
	return nil
}
