package mask

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// sources are the fields with values for charts and variables for manifests, by the field
// that they are in: of Applications and ApplicationSets (argo-cd
// pkg/apis/application/v1alpha1/types.go ApplicationSourceHelm, ApplicationSourcePlugin),
// HelmReleases (helm-controller api/v2 HelmReleaseSpec) and Kustomizations
// (kustomize-controller api/v1 PostBuild). Patches have no kind to tell them by.
var sources = map[string][]string{
	"helm":      {"parameters", "values", "valuesObject"},
	"plugin":    {"parameters"},
	"spec":      {"values"},
	"postBuild": {"substitute"},
}

// Values yields the values for charts and manifests in an object whose names match the
// patterns for environment variables, and such variables themselves. They are wherever
// the object has a copy of its source, also in its status and operation.
func (p *Policy) Values(o tree.Object) iter.Seq[Spot] {
	return func(yield func(Spot) bool) {
		if p != nil && len(p.Env) > 0 {
			p.byName(o, nil, "", yield)
		}
	}
}

// byName yields the values that are hidden because of their names, in any part of an object.
func (p *Policy) byName(v any, at fieldpath.Path, name string, yield func(Spot) bool) bool {
	switch v := v.(type) {
	case []any:
		for i, item := range v {
			if !p.byName(item, at.Item(i), name+itemName(item, i), yield) {
				return false
			}
		}
	case tree.Object:
		if env := v["env"]; env != nil && !p.variables(v, at, name, yield) {
			return false
		}
		var source []string
		if len(at) > 0 {
			source = sources[at[len(at)-1].Field]
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			find := p.byName
			if slices.Contains(source, key) {
				if text, is := v[key].(string); is && p.namesOne(text) && !yield(Spot{at.Child(key), v, key, name + "." + key}) {
					return false
				}
				find = p.byKey
			}
			if !find(v[key], at.Child(key), name+"."+key, yield) {
				return false
			}
		}
	}
	return true
}

// byKey yields the values in a source whose key matches, at any depth, with all that is in
// them, and those of lists of names and values: value of Helm; string, array and map of a
// plugin.
func (p *Policy) byKey(v any, at fieldpath.Path, name string, yield func(Spot) bool) bool {
	switch v := v.(type) {
	case []any:
		for i, item := range v {
			if !p.byKey(item, at.Item(i), name+itemName(item, i), yield) {
				return false
			}
		}
	case tree.Object:
		if !p.variables(v, at, name, yield) {
			return false
		}
		parameter := p.HidesEnv(tree.String(v, "name"))
		for _, key := range slices.Sorted(maps.Keys(v)) {
			switch below, named := at.Child(key), name+"."+key; {
			case v[key] == nil || key == "env" || parameter && key == "name" || isDirective(key, v[key]):
			case parameter || p.HidesEnv(key):
				if !yield(Spot{below, v, key, named}) {
					return false
				}
			case !p.byKey(v[key], below, named, yield):
				return false
			}
		}
	}
	return true
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
