package main

import (
	"encoding/json"
	"os"
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
