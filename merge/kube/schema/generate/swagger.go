package main

import (
	"encoding/json"
	"fmt"
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

// addRequired notes from which minor on, and until which, the swagger documents of the
// releases require a field.
func addRequired(releases []*release, types map[string]*typ) error {
	type definition struct{ Required []string }
	for _, r := range slices.SortedFunc(slices.Values(releases), func(a, b *release) int { return a.minor - b.minor }) {
		if !r.has("internal/core") {
			continue
		}
		text, err := os.ReadFile(r.dirs["k8s.io/kubernetes"] + "/api/openapi-spec/swagger.json")
		if err != nil {
			return err
		}
		var doc struct{ Definitions map[string]definition }
		if err := json.Unmarshal(text, &doc); err != nil {
			return err
		}
		for _, t := range types {
			in, name, _ := strings.Cut(t.name, ".")
			model, ok := models[in]
			if !ok {
				model = "io.k8s.api." + strings.ReplaceAll(in, "/", ".")
			}
			has, ok := doc.Definitions[model+"."+name]
			if !ok {
				continue
			}
			for _, f := range t.fields {
				if f.since <= r.minor && (f.until == 0 || r.minor <= f.until) {
					if err := f.required.add(r.minor, slices.Contains(has.Required, f.json)); err != nil {
						return fmt.Errorf("%s.%s: required %w", t.name, f.json, err)
					}
				}
			}
		}
	}
	return nil
}

// span is a range of minors in which a fact holds, of those that were looked at in order.
type span struct {
	looked, since, until int
	ended                bool
}

// add notes whether the fact holds in the next minor.
func (s *span) add(minor int, holds bool) error {
	switch {
	case holds && s.ended:
		return fmt.Errorf("again in 1.%d: the tables have one range of minors", minor)
	case holds && s.until == 0 && s.looked > 0:
		s.since = minor
	}
	if holds {
		s.until = minor
	}
	s.looked, s.ended = minor, !holds && s.until != 0
	return nil
}

// text is "" of a fact that never holds, else its flag with the bounds.
func (s *span) text(flag string) string {
	switch {
	case s.until == 0:
		return ""
	case s.until < s.looked:
		return fmt.Sprintf(" %s%d-%d", flag, s.since, s.until)
	case s.since > 0:
		return fmt.Sprintf(" %s%d-", flag, s.since)
	}
	return " " + flag
}
