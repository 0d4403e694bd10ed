package manifest

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/version"

	"threeway/merge/kube/schema"
	"threeway/merge/memo"
	"threeway/merge/text/source"
	"threeway/merge/tree"
)

// Schema is the schema of one version of a custom kind that is in no CustomResourceDefinition: a
// JSON schema of a catalog (github.com/datreeio/CRDs-catalog), or part of the OpenAPI v3 document
// of a server.
type Schema struct {
	// File is where it was read.
	File string
	// Body is it, as spec.versions[].schema.openAPIV3Schema has it.
	Body tree.Object
	// Plural is the name of the resource; "" if unknown.
	Plural string
	// Scope is Namespaced or Cluster; "" if unknown.
	Scope string
	// Status and Scale report whether these are subresources. If Untold is set, which there are
	// is unknown, and status is taken for one because the schema has the field.
	Status, Scale, Untold bool
}

// Schemas is the schemas of the files of a run. It is safe for concurrent use; nil has none.
type Schemas struct {
	// named are files by the names that tell their kinds, told what files tell themselves.
	named map[string]*Taken
	told  map[schema.Kind]*Schema
	read  memo.Table[*Taken, readSchema]         // of named
	kinds memo.Table[schema.Kind, []schema.Kind] // the answers of Versions
}

type readSchema struct {
	schema *Schema
	err    error
}

// ReadKinds reads the paths of the options with read, as ReadSnapshot does, and returns their
// CustomResourceDefinitions, and the set of their schemas. A path that has neither is a problem.
func ReadKinds(opts Options, read func(Options) *Snapshot) (objects []*Object, s *Schemas, problems []Problem) {
	s = &Schemas{named: map[string]*Taken{}, told: map[schema.Kind]*Schema{}}
	opts.Takes = IsSchema
	for _, path := range opts.Paths {
		opts.Paths = []string{path}
		found := read(opts)
		problems = append(problems, found.Problems...)
		n := 0
		for _, f := range found.Taken {
			added, problem := s.add(f)
			if n += added; problem != nil {
				problems = append(problems, *problem)
			}
		}
		for o := range found.Objects() {
			if isDefinition(o.Tree) {
				objects = append(objects, o)
				n++
			}
		}
		if n == 0 && Err(problems) == nil {
			problems = append(problems, Problem{File: path, Text: "no CustomResourceDefinition and no schema of a custom kind; " + kindForms})
		}
	}
	return objects, s, problems
}

// isDefinition reports whether an object is a CustomResourceDefinition and not a patch of one,
// as config/crd/patches of kubebuilder has it.
func isDefinition(obj tree.Object) bool {
	return tree.String(obj, "kind") == "CustomResourceDefinition" && tree.String(obj, "spec", "names", "kind") != ""
}

const kindForms = "pass definitions (kubectl get crd -o yaml), GROUP/KIND_VERSION.json of a catalog, or what 'kubectl get --raw /openapi/v3/apis/GROUP/VERSION' prints"

// schemaBegins matches the first key of a schema and of an OpenAPI document, in JSON or YAML, which
// no object begins with.
var schemaBegins = regexp.MustCompile(`^\s*(?:---\s*)?\{?\s*["']?(\$schema|\$id|additionalProperties|allOf|anyOf|components|definitions|description|info|oneOf|openapi|paths|properties|required|swagger|title|type|x-kubernetes-[a-z-]+)["']?\s*:`)

// objectBegins matches the first key of an object.
var objectBegins = regexp.MustCompile(`^\s*(?:---\s*)?\{?\s*["']?(apiVersion|kind|metadata|items)["']?\s*:`)

// IsSchema reports, by its name and its first bytes, whether a file is a schema or an OpenAPI document.
// One that its name alone makes a schema must not be skipped if it is empty or broken.
func IsSchema(name string, head []byte) bool {
	if !IsManifest(name) {
		return false
	}
	if IsSchemaName(name) && filepath.Ext(name) == ".json" && !objectBegins.Match(head) {
		return true
	}
	key := schemaBegins.FindSubmatch(head)
	return key != nil && (IsSchemaName(name) || filepath.Ext(name) == ".json" || string(key[1]) != "description" && string(key[1]) != "type" && string(key[1]) != "title")
}

// versionName matches the end of a name that tells a version, such as v1api20240301 or v1-2-0, and
// plainVersion, which may follow another dash, only what most are.
const (
	versionName  = `v[0-9][a-z0-9-]*`
	plainVersion = `v[0-9]+(?:(?:alpha|beta)[0-9]+)?`
)

// schemaNames match the names of files that tell the kind of a schema: GROUP/KIND_VERSION of a catalog,
// what openapi2jsonschema.py of kubeconform makes of FILENAME_FORMAT, and KIND_GROUP_VERSION.
var schemaNames = regexp.MustCompile(`(?:^|/)(?:[a-z0-9-]+(?:\.[a-z0-9-]+)+/[a-z0-9]+_` + versionName + `|[a-z0-9]+_[a-z0-9-]+(?:\.[a-z0-9-]+)+_` + versionName + `|[a-z0-9-]+(?:\.[a-z0-9-]+)+_[a-z0-9]+_` + versionName + `|[a-z0-9]+-[a-z0-9.-]+-` + plainVersion + `)$`)

// IsSchemaName reports whether the name of a file tells the kind of its schema.
func IsSchemaName(name string) bool { return schemaNames.MatchString(schemaKey(name)) }

func schemaKey(name string) string {
	name = strings.ToLower(filepath.ToSlash(name))
	return strings.TrimSuffix(name, path.Ext(name))
}

// namesOf are the names that tell a kind, the most telling first. The last has only the first
// label of the group.
func namesOf(k schema.Kind) []string {
	kind, first := strings.ToLower(k.Kind), k.Group
	if at := strings.IndexByte(first, '.'); at > 0 {
		first = first[:at]
	}
	return []string{k.Group + "/" + kind + "_" + k.Version, kind + "_" + k.Group + "_" + k.Version, k.Group + "_" + kind + "_" + k.Version,
		kind + "-" + k.Group + "-" + k.Version, kind + "-" + first + "-" + k.Version}
}

// add adds a file, and returns how many schemas it has.
func (s *Schemas) add(f *Taken) (n int, problem *Problem) {
	if IsSchemaName(f.Name) {
		name := schemaKey(f.Name)
		for _, at := range []string{path.Base(path.Dir(name)) + "/" + path.Base(name), path.Base(name)} {
			if s.named[at] == nil {
				s.named[at] = f
			}
		}
		return 1, nil
	}
	fail := func(text string) (int, *Problem) {
		return 0, &Problem{File: f.Name, Line: 1, Column: 1, Text: text}
	}
	doc, err := decodeTaken(f)
	switch {
	case err != nil && f.Found:
		return 0, nil
	case err != nil:
		return 0, &Problem{File: f.Name, Text: err.Error()}
	case tree.Has(doc, "swagger"):
		return fail("this is OpenAPI v2, which drops what only v3 can say; " + kindForms)
	case tree.Has(doc, "openapi"):
		if n = s.document(f.Name, doc); n == 0 {
			return fail("this OpenAPI document has no custom kind; " + kindForms)
		}
		return n, nil
	}
	if k := kindIn(doc); k.Kind != "" {
		s.told[k] = alone(f, doc)
		return 1, nil
	}
	if f.Found || !tree.Has(doc, "properties") {
		return 0, nil
	}
	return fail("this schema does not name its kind: rename it to GROUP/KIND_VERSION.json, such as cert-manager.io/certificate_v1.json")
}

// alone is the schema that a file has with nothing around it.
func alone(f *Taken, doc tree.Object) *Schema {
	return &Schema{File: f.Name, Body: schemaBody(doc, doc), Status: tree.Has(doc, "properties", "status"), Untold: true}
}

// decodeTaken decodes a file.
func decodeTaken(f *Taken) (tree.Object, error) {
	data, err := f.Load()
	if err != nil {
		return nil, err
	}
	stream := source.NewStream(f.Name, source.DecodeText(data))
	if stream.Next() {
		if doc, ok := stream.Value.(tree.Object); ok {
			return doc, nil
		}
	}
	if stream.Failure != nil {
		return nil, errors.New(stream.Failure.Text)
	}
	return nil, fmt.Errorf("%s is no schema; %s", f.Name, kindForms)
}

// kindIn is the kind that a schema tells itself; zero if it tells none.
func kindIn(doc tree.Object) (k schema.Kind) {
	if list := tree.List(doc, "x-kubernetes-group-version-kind"); len(list) == 1 {
		return schema.Kind{Group: tree.String(list[0], "group"), Version: tree.String(list[0], "version"), Kind: tree.String(list[0], "kind")}
	}
	only := func(field string) string {
		if list := tree.List(doc, "properties", field, "enum"); len(list) == 1 {
			return tree.String(list[0])
		}
		return tree.String(doc, "properties", field, "const")
	}
	group, version, ok := strings.Cut(only("apiVersion"), "/")
	if kind := only("kind"); ok && kind != "" {
		return schema.Kind{Group: group, Version: version, Kind: kind}
	}
	return k
}

// Of is the schema of a kind; nil if there is none that can be read.
func (s *Schemas) Of(k schema.Kind) *Schema {
	found, _ := s.of(k)
	return found
}

// Check returns an error if the schema of a kind cannot be read.
func (s *Schemas) Check(k schema.Kind) error {
	_, err := s.of(k)
	return err
}

func (s *Schemas) of(k schema.Kind) (*Schema, error) {
	if s == nil || k.Kind == "" || k.Version == "" || schema.BuiltinGroup(k.Group) {
		return nil, nil
	}
	if told := s.told[k]; told != nil {
		return told, nil
	}
	for _, name := range namesOf(k) {
		f := s.named[strings.ToLower(name)]
		if f == nil {
			continue
		}
		read := s.read.Get(f, func() readSchema {
			doc, err := decodeTaken(f)
			if err != nil {
				return readSchema{err: err}
			}
			return readSchema{schema: alone(f, doc)}
		})
		return read.schema, read.err
	}
	return nil, nil
}

// Versions lists a kind in all versions that have a schema, the first in the order of clients first:
// most definitions store that. It has the kind itself in any case.
func (s *Schemas) Versions(k schema.Kind) []schema.Kind {
	if s == nil {
		return []schema.Kind{k}
	}
	return s.kinds.Get(k, func() []schema.Kind {
		list := []schema.Kind{k}
		for told := range s.told {
			if told.GroupKind() == k.GroupKind() {
				list = append(list, told)
			}
		}
		for _, begins := range namesOf(schema.Kind{Group: k.Group, Kind: k.Kind}) {
			for name := range s.named {
				if v, ok := strings.CutPrefix(name, strings.ToLower(begins)); ok {
					list = append(list, schema.Kind{Group: k.Group, Version: v, Kind: k.Kind})
				}
			}
		}
		list = slices.DeleteFunc(list, func(other schema.Kind) bool { return other != k && s.Of(other) == nil })
		slices.SortFunc(list, func(a, b schema.Kind) int { return version.CompareKubeAwareVersionStrings(b.Version, a.Version) })
		return slices.Compact(list)
	})
}
