// Package custom is the API server's half for custom resources: what happens
// to the body of a create or of a patch, driven by the tree of the
// CustomResourceDefinition. It follows k8s.io/apiextensions-apiserver
// (pkg/apiserver, pkg/registry/customresource) and the schema validation of
// k8s.io/kube-openapi (pkg/validation).
//
// Left to others: validation of metadata (see Checks), the fields every kind
// gets from the server (uid, creationTimestamp, resourceVersion), and the CRD
// itself.
//
// Where upstream walks a Go map, and so reports in random order, this package
// goes by sorted name.
package custom

import (
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// Checks are the parts of validation that this package does not know. The
// zero value leaves them out.
type Checks struct {
	// Object validates the metadata of the object; old is nil on create. Its
	// errors come first, as upstream's do.
	Object func(obj, old tree.Object) field.ErrorList
	// Embedded validates the metadata of a resource embedded in the object.
	// An empty name is not an error there.
	Embedded func(metadata any, path *field.Path) field.ErrorList
	// Minor is the minor version of the server that evaluates rules in CEL.
	Minor int
}

// Definition is a CustomResourceDefinition made ready for use. It only reads
// the tree it was compiled from, which must not change afterwards. It is safe
// for concurrent use.
type Definition struct {
	group, kind, plural string
	namespaced          bool
	keepUnknown         bool
	webhook             tree.Object // what converts versions; nil if only apiVersion differs
	versions            []*version
	storage             *version
	uniform             bool // every object is stored in the storage version
	mixed               bool // some may be stored in another
	checks              Checks
	admission           Admission
}

// Admission is what others do to an object between the steps of a request. Both may
// be nil.
type Admission struct {
	// Mutate changes an object that is decoded, before it is prepared; nil ends the
	// request.
	Mutate func(obj tree.Object) tree.Object
	// Validate looks at an object that has passed validation, before it is stored.
	Validate func(obj tree.Object)
}

// version is one of the versions of a Definition.
type version struct {
	name       string
	apiVersion string
	served     bool
	status     bool
	scale      tree.Object
	deprecated bool
	warning    *string // of a deprecated version, instead of the usual one
	schema     schema
	rules      func() *Rules
	embeds     func() bool // the schema may have embedded resources
	keys       func() bool // the schema may have lists whose items must differ
}

// Compile reads a CustomResourceDefinition of apiextensions.k8s.io/v1, or of
// v1beta1 where one schema and one set of subresources may serve all versions.
// Schemas are not walked before they are used.
func Compile(crd tree.Object, checks Checks) (*Definition, error) {
	spec := tree.Map(crd, "spec")
	d := &Definition{
		group:       tree.String(spec, "group"),
		kind:        tree.String(spec, "names", "kind"),
		plural:      tree.String(spec, "names", "plural"),
		namespaced:  tree.String(spec, "scope") != "Cluster",
		keepUnknown: keepsUnknown(crd),
		checks:      checks,
	}
	if conversion := tree.Map(spec, "conversion"); tree.String(conversion, "strategy") == "Webhook" {
		d.webhook = conversion
	}
	name := tree.String(crd, "metadata", "name")
	if d.group == "" || d.kind == "" || d.plural == "" {
		return nil, fmt.Errorf("CustomResourceDefinition %s has no spec.group, spec.names.kind or spec.names.plural; its resources cannot be checked", name)
	}
	versions := tree.List(spec, "versions")
	if v := tree.String(spec, "version"); len(versions) == 0 && v != "" {
		versions = []any{tree.Object{"name": v, "served": true, "storage": true}}
	}
	for _, v := range versions {
		added := newVersion(d.group, spec, v, checks.Minor)
		d.versions = append(d.versions, added)
		if tree.Bool(v, "storage") {
			d.storage = added
		}
	}
	stored := len(tree.List(crd, "status", "storedVersions"))
	d.uniform, d.mixed = stored == 1, stored > 1
	if d.storage == nil {
		return nil, fmt.Errorf("CustomResourceDefinition %s has no storage version; its resources cannot be checked", name)
	}
	return d, nil
}

// With is the definition with what others do to its objects.
func (d *Definition) With(a Admission) *Definition {
	asking := *d
	asking.admission = a
	return &asking
}

// keepsUnknown reports whether nothing is pruned, the default in v1beta1.
func keepsUnknown(crd tree.Object) bool {
	if !tree.Has(crd, "spec", "preserveUnknownFields") {
		return tree.String(crd, "apiVersion") == "apiextensions.k8s.io/v1beta1"
	}
	return tree.Bool(crd, "spec", "preserveUnknownFields")
}

func newVersion(group string, spec, v any, minor int) *version {
	body, ok := tree.Get(v, "schema", "openAPIV3Schema")
	if !ok {
		body, _ = tree.Get(spec, "validation", "openAPIV3Schema")
	}
	sub, ok := tree.Get(v, "subresources")
	if !ok {
		sub, _ = tree.Get(spec, "subresources")
	}
	added := &version{
		name:   tree.String(v, "name"),
		served: tree.Bool(v, "served"),
		status: tree.Has(sub, "status"),
		scale:  tree.Map(sub, "scale"),

		deprecated: tree.Bool(v, "deprecated"),
	}
	added.apiVersion = group + "/" + added.name
	if text, ok := tree.Get(v, "deprecationWarning"); ok && text != nil {
		warning := tree.String(text)
		added.warning = &warning
	}
	if m, ok := body.(map[string]any); ok {
		added.schema = m
	}
	added.embeds = sync.OnceValue(func() bool { return mentions(tree.Object(added.schema), embeddedResource) })
	added.keys = sync.OnceValue(func() bool { return mentions(tree.Object(added.schema), listType) })
	added.rules = sync.OnceValue(func() *Rules { return NewRules(tree.Object(added.schema), true, minor) })
	return added
}

// Group is the API group of the resources.
func (d *Definition) Group() string { return d.group }

// Kind is the kind of the resources.
func (d *Definition) Kind() string { return d.kind }

// Plural is the name of the resources in URLs.
func (d *Definition) Plural() string { return d.plural }

// Namespaced reports whether the resources live in namespaces.
func (d *Definition) Namespaced() bool { return d.namespaced }

// Versions are the names of all versions, as the definition orders them.
func (d *Definition) Versions() []string {
	var names []string
	for _, v := range d.versions {
		names = append(names, v.name)
	}
	return names
}

// Served reports whether the server answers requests for the version.
func (d *Definition) Served(version string) bool {
	v := d.find(version)
	return v != nil && v.served
}

// StatusSubresource reports whether the status of the version can only be
// written through its own subresource.
func (d *Definition) StatusSubresource(version string) bool {
	v := d.find(version)
	return v != nil && v.status
}

func (d *Definition) find(name string) *version {
	for _, v := range d.versions {
		if v.name == name {
			return v
		}
	}
	return nil
}
