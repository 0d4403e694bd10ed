package mask

import (
	"fmt"
	"iter"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// KnownEnv are the patterns that "known" stands for: usual names of environment
// variables with secrets.
var KnownEnv = []string{
	"*PASSWORD*", "*PASSWD*", "*PASSPHRASE*", "*_PASS", "*_PWD", "*SECRET*", "*TOKEN*", "*CREDENTIAL*", "*APIKEY*", "*API_KEY*",
	"*ACCESS_KEY*", "*PRIVATE_KEY*", "*SIGNING_KEY*", "*ENCRYPTION_KEY*", "*LICENSE_KEY*", "*DATABASE_URL*", "*CONNECTION_STRING*", "*_DSN",
}

// Policy says what is hidden besides the values of Secrets. A nil Policy hides
// nothing else.
type Policy struct {
	// Env are patterns for the names of environment variables of containers, and of
	// values for charts, as for file names. Case does not matter.
	Env []string
	// Kinds are the kinds with hidden fields.
	Kinds []Kind
}

// Kind is a kind with hidden fields.
type Kind struct {
	// Name is Kind.group, or Kind for the kind in every group.
	Name string
	// Fields are hidden with everything in them. A path through a list covers
	// each item. No fields means everything but the metadata.
	Fields []fieldpath.Path
}

// ParseEnv reads patterns; "known" stands for KnownEnv.
func ParseEnv(patterns []string) ([]string, error) {
	var list []string
	for _, p := range patterns {
		if p == "known" {
			list = append(list, KnownEnv...)
			continue
		}
		if _, err := path.Match(p, ""); err != nil || p == "" {
			return nil, fmt.Errorf("invalid pattern %q; write one like '*PASSWORD*', or known", p)
		}
		list = append(list, strings.ToUpper(p))
	}
	return list, nil
}

// ParseKind parses a kind and its fields, which are names separated by dots.
func ParseKind(name string, fields []string) (Kind, error) {
	k := Kind{Name: name}
	for _, text := range fields {
		p, err := fieldpath.Parse(text)
		if err != nil {
			return k, err
		}
		for _, step := range p {
			if step.IsIndex || step.Keys != nil {
				return k, fmt.Errorf("path %q: a path through a list covers all its items; remove the brackets", text)
			}
		}
		if len(p) == 0 || p[0].Field == "metadata" || p[0].Field == "apiVersion" || p[0].Field == "kind" {
			return k, fmt.Errorf("path %q: fields that identify the object cannot be masked; write a field like spec.password", text)
		}
		k.Fields = append(k.Fields, p)
	}
	return k, nil
}

// Idle reports whether the policy hides nothing.
func (p *Policy) Idle() bool { return p == nil || len(p.Env) == 0 && len(p.Kinds) == 0 }

// HidesEnv reports whether the value of an environment variable is hidden.
func (p *Policy) HidesEnv(name string) bool {
	if p == nil {
		return false
	}
	name = strings.ToUpper(name)
	return slices.ContainsFunc(p.Env, func(pattern string) bool { ok, _ := path.Match(pattern, name); return ok })
}

// Declared returns the paths of the fields of an object that are hidden for its
// kind. If a field is an object, its keys stay visible. A release that Helm keeps in a
// ConfigMap is hidden without a policy too.
func (p *Policy) Declared(o tree.Object) (paths []fieldpath.Path) {
	if isRelease(o) {
		paths = append(paths, fieldpath.New("data", "release"))
	}
	if p == nil {
		return paths
	}
	group, _, grouped := strings.Cut(tree.String(o, "apiVersion"), "/")
	if !grouped {
		group = ""
	}
	for _, k := range p.Kinds {
		kind, in, named := strings.Cut(k.Name, ".")
		if kind != tree.String(o, "kind") || named && in != group {
			continue
		}
		paths = append(paths, k.Fields...)
		if len(k.Fields) > 0 {
			continue
		}
		for _, key := range slices.Sorted(maps.Keys(o)) {
			if key != "apiVersion" && key != "kind" && key != "metadata" {
				paths = append(paths, fieldpath.New(key))
			}
		}
	}
	return paths
}

// isRelease reports whether an object is a ConfigMap in which Helm keeps a release,
// with all values and manifests of its chart (helm.sh/helm/v4/pkg/storage/storage.go
// makeKey).
func isRelease(o tree.Object) bool {
	return tree.String(o, "kind") == "ConfigMap" && strings.HasPrefix(tree.String(o, "metadata", "name"), "sh.helm.release.v1.")
}

// Spot is a hidden value: its path, and the object that contains it.
type Spot struct {
	Path fieldpath.Path
	In   tree.Object
	Key  string

	name string // the same in two versions of the object
}

// Spots yields the values of an object that the policy hides.
func (p *Policy) Spots(o tree.Object) iter.Seq[Spot] {
	return func(yield func(Spot) bool) { p.walk(o, p.Declared(o), yield) }
}

// walk yields the hidden values of an object, given its declared fields.
func (p *Policy) walk(o tree.Object, declared []fieldpath.Path, yield func(Spot) bool) bool {
	for _, field := range declared {
		if !inField(o, field, nil, "", yield) {
			return false
		}
	}
	return p == nil || len(p.Env) == 0 || p.byName(o, nil, "", yield)
}

// inField yields the values in a declared field of an object. If the manifest
// has something unexpected on the way, that is hidden.
func inField(o tree.Object, field, at fieldpath.Path, name string, yield func(Spot) bool) bool {
	key := field[0].Field
	if len(field) == 1 {
		for _, k := range slices.Sorted(maps.Keys(o)) {
			// A directive of a strategic merge patch repeats what is in a list.
			if (k == key || strings.HasPrefix(k, "$") && strings.HasSuffix(k, "/"+key)) && !values(o, k, at, name, yield) {
				return false
			}
		}
		return true
	}
	inside, isList := o[key].([]any)
	if next, ok := o[key].(tree.Object); ok {
		return inField(next, field[1:], at.Child(key), name+"."+key, yield)
	}
	if !isList || slices.ContainsFunc(inside, func(item any) bool { return tree.Map(item) == nil }) {
		return o[key] == nil || yield(Spot{at.Child(key), o, key, name + "." + key})
	}
	for i, item := range inside {
		if !inField(tree.Map(item), field[1:], at.Child(key).Item(i), name+"."+key+itemName(item, i), yield) {
			return false
		}
	}
	return true
}

// values yields the values of the object in a field, or the field itself if it
// is not an object.
func values(o tree.Object, key string, at fieldpath.Path, name string, yield func(Spot) bool) bool {
	inside, isObject := o[key].(tree.Object)
	if !isObject {
		return o[key] == nil || yield(Spot{at.Child(key), o, key, name + "." + key})
	}
	for _, k := range slices.Sorted(maps.Keys(inside)) {
		if v := inside[k]; v != nil && !isDirective(k, v) && !yield(Spot{at.Child(key, k), inside, k, name + "." + key + "." + k}) {
			return false
		}
	}
	return true
}

// variables yields the values of the variables in the field env of an object: a
// list of names and values, or whatever the manifest has in its place.
func (p *Policy) variables(o tree.Object, at fieldpath.Path, name string, yield func(Spot) bool) bool {
	at, name = at.Child("env"), name+".env"
	// in finds them in an object. If its name is hidden, everything in it is.
	in := func(m tree.Object, hidden bool, at fieldpath.Path, name string) bool {
		for _, key := range slices.Sorted(maps.Keys(m)) {
			if m[key] == nil || key == "name" || key == "valueFrom" || isDirective(key, m[key]) || !hidden && !p.HidesEnv(key) {
				continue
			}
			if !yield(Spot{at.Child(key), m, key, name + "." + key}) {
				return false
			}
		}
		return true
	}
	switch env := o["env"].(type) {
	case string:
		return yield(Spot{at, o, "env", name})
	case tree.Object:
		return in(env, false, at, name)
	case []any:
		for i, item := range env {
			if text, ok := item.(string); ok {
				if variable, _, _ := strings.Cut(text, "="); p.HidesEnv(strings.TrimSpace(variable)) {
					return yield(Spot{at, o, "env", name}) // the whole list
				}
			}
			if !in(tree.Map(item), p.HidesEnv(tree.String(item, "name")), at.Item(i), name+itemName(item, i)) {
				return false
			}
		}
	}
	return true
}

// itemName identifies an item of a list, so that it is found in another version
// of the list: by its name, if it has one.
func itemName(item any, i int) string {
	if name := tree.String(item, "name"); name != "" {
		return "[" + name + "]"
	}
	return "[" + strconv.Itoa(i) + "]"
}
