package mask

import (
	"strings"

	"threeway/merge/tree"
)

// sources are the fields with values for charts and variables for manifests, by the field
// that they are in: of Applications and ApplicationSets (argo-cd
// pkg/apis/application/v1alpha1/types.go ApplicationSourceHelm, ApplicationSourcePlugin),
// HelmReleases (helm-controller api/v2 HelmReleaseSpec), HelmCharts of k3s (helm-controller
// pkg/apis/helm.cattle.io/v1/types.go), HelmChartProxies (cluster-api-addon-provider-helm
// api/v1alpha1) and Releases of Crossplane (provider-helm apis/release/v1beta1), of
// Kustomizations (kustomize-controller api/v1 PostBuild), and of what makes a Secret from a
// template, as SealedSecrets and ExternalSecrets. Patches have no kind to tell them by. They are
// wherever the object has a copy of its source, also in its status and operation.
var sources = map[string][]string{
	"helm":        {"parameters", "values", "valuesObject"},
	"plugin":      {"parameters"},
	"spec":        {"values", "valuesContent", "valuesTemplate", "set", "templatePatch"},
	"forProvider": {"values", "set"},
	"list":        {"elements"},
	"postBuild":   {"substitute"},
	"template":    {"data", "stringData"},
}

// patchesSecret reports whether an object is a patch of a Secret, as a kustomization and
// a Kustomization of Flux have it: its operations and merges have no kind. Where the
// target has none either, the paths tell. A SyncSet has the kind beside the patch.
func patchesSecret(o tree.Object) bool {
	patch, has := o["patch"]
	if !has || patch == nil {
		return false
	}
	for _, kind := range []string{tree.String(o, "target", "kind"), tree.String(o, "kind")} {
		if kind != "" {
			return nearSecret(kind)
		}
	}
	text := Text(patch)
	return tree.Has(o, "target") && (strings.Contains(text, "/data/") || strings.Contains(text, "/stringData/"))
}

// named adds the variables of an object, what is named beside its value anywhere, such as a
// parameter, and the values for charts and manifests in it, whose names match the patterns.
func (f *finder) named(o tree.Object) {
	f.variables(o)
	if o["value"] != nil && f.p.HidesEnv(tree.String(o, "name")) {
		f.spot(o, step{key: "value"})
	}
	if len(f.steps) == 0 {
		return
	}
	for _, key := range sources[f.steps[len(f.steps)-1].key] {
		if text, is := o[key].(string); is && f.p.namesOne(text) {
			f.spot(o, step{key: key})
		}
		f.in(step{key: key}, func() { f.byKey(o[key]) })
	}
}

// generated adds the literals of the Secrets that a kustomization makes.
func (f *finder) generated(o tree.Object) {
	f.in(step{key: "secretGenerator"}, func() {
		for i, item := range tree.List(o, "secretGenerator") {
			if m := tree.Map(item); m["literals"] != nil {
				f.in(step{list: true, index: i, item: item}, func() { f.spot(m, step{key: "literals"}) })
			}
		}
	})
}

// byKey adds the values in a source whose key matches, at any depth, with all that is in
// them, and those of lists of names and values: value of Helm; string, array and map of a
// plugin.
func (f *finder) byKey(v any) {
	switch v := v.(type) {
	case []any:
		for i, item := range v {
			f.in(step{list: true, index: i, item: item}, func() { f.byKey(item) })
		}
	case tree.Object:
		parameter := f.p.HidesEnv(tree.String(v, "name"))
		for key := range f.keys(v) {
			switch {
			case v[key] == nil || key == "env" || parameter && key == "name" || isDirective(key, v[key]):
			case parameter || f.p.HidesEnv(key):
				f.spot(v, step{key: key})
			default:
				f.in(step{key: key}, func() { f.byKey(v[key]) })
			}
		}
	}
}

// variables adds the values of the variables in the field env of an object: a list of
// names and values or of texts NAME=value, or whatever the manifest has in its place;
// and of the directives of a patch that repeat them.
func (f *finder) variables(o tree.Object) {
	for field := range o {
		if field == "env" || strings.HasPrefix(field, "$") && strings.HasSuffix(field, "/env") {
			f.variablesIn(o, field)
		}
	}
}

func (f *finder) variablesIn(o tree.Object, field string) {
	// in finds them in an object. If its name is hidden, everything in it is.
	in := func(m tree.Object, hidden bool) {
		for key := range f.keys(m) {
			if m[key] == nil || key == "name" || key == "valueFrom" || isDirective(key, m[key]) || !hidden && !f.p.HidesEnv(key) {
				continue
			}
			f.spot(m, step{key: key})
		}
	}
	switch env := o[field].(type) {
	case string:
		f.spot(o, step{key: field})
	case tree.Object:
		f.in(step{key: field}, func() { in(env, false) })
	case []any:
		f.in(step{key: field}, func() {
			for i, item := range env {
				if text, ok := item.(string); ok {
					f.variable(env, i, text)
					continue
				}
				f.in(step{list: true, index: i, item: item}, func() { in(tree.Map(item), f.p.HidesEnv(tree.String(item, "name"))) })
			}
		})
	}
}

// variable adds the value of a text NAME=value.
func (f *finder) variable(list []any, i int, text string) {
	name, _, assigned := strings.Cut(text, "=")
	if !f.p.HidesEnv(strings.TrimSpace(name)) {
		return
	}
	s := f.spot(list, step{list: true, index: i, item: tree.Object{"name": name}})
	if assigned {
		s.plain = name + "="
	}
}

// namesOne reports whether a text of YAML or JSON has a key that matches. Comments count
// as well. Such a text is hidden as a whole.
func (p *Policy) namesOne(text string) bool {
	for {
		before, after, found := strings.Cut(text, ":")
		words := strings.FieldsFunc(before, func(c rune) bool { return strings.ContainsRune(" \t\r\n{}[],\"'", c) })
		if !found {
			return false
		}
		if len(words) > 0 && p.HidesEnv(words[len(words)-1]) {
			return true
		}
		text = after
	}
}
