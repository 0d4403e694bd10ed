package custom

import (
	"fmt"
	"strings"

	"threeway/merge/tree"
)

// OpenAPI returns what server-side apply goes by at a version: the
// openAPIV3Schema, nil if there is none, and whether unknown fields are kept
// everywhere. The error is the server's for a version that it lacks.
func (d *Definition) OpenAPI(version string) (s tree.Object, keepUnknown bool, err error) {
	v := d.find(version)
	if v == nil {
		return nil, false, d.noVersion(version)
	}
	return tree.Object(v.schema), d.keepUnknown, nil
}

// Convert returns obj, which is left alone, at another version. Unlike an
// object that is read, it is not pruned. A conversion webhook is taken to
// change nothing else.
func (d *Definition) Convert(version string, obj tree.Object) (tree.Object, error) {
	v := d.find(version)
	if v == nil {
		return nil, d.noVersion(version)
	}
	obj = tree.CopyObject(obj)
	obj["apiVersion"] = v.apiVersion
	return obj, nil
}

// Converter is a conversion webhook: a Service, or nothing but a URL.
type Converter struct {
	Namespace, Service string
	// URL is what the server calls.
	URL string
}

// String names the Service or URL.
func (c Converter) String() string {
	if c.Service != "" {
		return "Service " + c.Namespace + "/" + c.Service
	}
	return c.URL
}

// Converter returns the conversion webhook without which the server stores no object of a
// version; needed is false if it stores it without one.
func (d *Definition) Converter(version string) (c Converter, needed bool) {
	if d.webhook == nil || version == d.storage.name {
		return c, false
	}
	client := tree.Map(d.webhook, "webhook", "clientConfig")
	service := tree.Map(client, "service")
	if service == nil {
		return Converter{URL: tree.String(client, "url")}, true
	}
	port, set := tree.Int(service, "port")
	if !set {
		port = 443
	}
	c.Namespace, c.Service = tree.String(service, "namespace"), tree.String(service, "name")
	c.URL = fmt.Sprintf("https://%s.%s.svc:%d/%s", c.Service, c.Namespace, port, strings.Trim(tree.String(service, "path"), "/"))
	return c, true
}

// Stored is the version in which all objects are stored; "" if some may be in another.
func (d *Definition) Stored() string {
	if !d.uniform {
		return ""
	}
	return d.storage.name
}

// noVersion is the error of pkg/apiserver/conversion/converter.go.
func (d *Definition) noVersion(version string) error {
	return fmt.Errorf("request to convert CR to an invalid group/version: %s/%s", d.group, version)
}

// Apply returns what becomes of obj, the result of a server-side apply at the
// given version; old is the stored object at that version, nil if there was
// none. Both are left alone. What is merged has not been decoded: it is
// validated with its nulls, and pruned only when it is stored. An apply that
// changes nothing returns the stored object, which has the defaults of the storage
// version (apimachinery pkg/util/managedfields/internal/structuredmerge.go).
func (d *Definition) Apply(version string, obj, old tree.Object) Result {
	v := d.find(version)
	if v == nil {
		return Result{Invalid: d.noVersion(version)}
	}
	obj = tree.CopyObject(obj)
	if metadata, found := obj["metadata"]; found {
		meta, _, err := readMeta(metadata)
		if err != nil {
			return Result{Invalid: err}
		}
		obj["metadata"] = meta
	}
	if old == nil {
		fillDefaults(obj, v.schema)
		return d.create(v, obj, Result{})
	}
	if !equalOutsideMetadata(obj, old) {
		fillDefaults(obj, v.schema)
	}
	return d.update(v, obj, old, Result{})
}
