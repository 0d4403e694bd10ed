package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// resource is a kind that some release serves, or served.
type resource struct {
	group, version, kind string
	typ                  string // "apps/v1.Deployment"
	plural               string
	namespaced           bool
	since, until         int // 0: no bound among the releases
}

// extras are the kinds outside k8s.io/api.
var extras = []string{"apiextensions/v1.CustomResourceDefinition", "apiregistration/v1.APIService"}

// resources returns the kinds of all releases, sorted. What base serves must
// be what its swagger document says.
func resources(releases []*release) ([]*resource, error) {
	served, err := releases[0].served()
	if err != nil {
		return nil, err
	}
	all := map[string]*resource{}
	for _, r := range releases {
		kinds, err := r.kinds()
		if err != nil {
			return nil, err
		}
		for _, d := range kinds {
			addKind(all, r, d)
		}
	}
	var list []*resource
	for _, res := range all {
		if res.until == 0 {
			continue
		}
		path, ok := served[res.group+"/"+res.version+"/"+res.kind]
		if in36 := res.since <= releases[0].minor && releases[0].minor <= res.until; in36 != ok {
			return nil, fmt.Errorf("kind %s: served by source %t, by swagger %t", res.typ, in36, ok)
		}
		if !ok {
			path, ok = served[res.group+"/"+res.kind]
		}
		if ok {
			res.plural, res.namespaced = path.plural, path.namespaced
		}
		first, last := bounds(releases, res.typ)
		res.since, res.until = open(max(res.since, first), first), open(res.until, last)
		list = append(list, res)
	}
	slices.SortFunc(list, func(a, b *resource) int {
		return cmp.Or(strings.Compare(a.group, b.group), strings.Compare(a.version, b.version), strings.Compare(a.kind, b.kind))
	})
	return list, nil
}

// kinds returns the types that clients are generated for, and Binding, which
// has a path though no client.
func (r *release) kinds() ([]*decl, error) {
	dirs, err := filepath.Glob(r.dirs["k8s.io/api"] + "/*/*/register.go")
	if err != nil {
		return nil, err
	}
	var kinds []*decl
	for _, dir := range dirs {
		dir = path.Dir(dir)
		p, err := r.pkg("k8s.io/api/" + path.Base(path.Dir(dir)) + "/" + path.Base(dir))
		if err != nil || p == nil {
			return nil, err
		}
		for _, d := range p.types {
			if isKind(d) {
				kinds = append(kinds, d)
			}
		}
	}
	for _, name := range extras {
		d, err := r.lookup(name)
		if err != nil {
			return nil, err
		}
		if d != nil {
			kinds = append(kinds, d)
		}
	}
	return kinds, nil
}

// isKind reports whether the server has a path for objects of the type:
// ImageReview, Eviction and TokenRequest have a client, but no path of their
// own, and two alpha versions are kept although no server has them since 1.23.
func isKind(d *decl) bool {
	switch d.pkg.short {
	case "imagepolicy/v1alpha1", "node/v1alpha1", "rbac/v1alpha1":
		return false
	}
	switch d.name {
	case "Binding":
		return true
	case "Eviction":
		return !strings.HasPrefix(d.pkg.short, "policy/") && slices.Contains(d.markers, "genclient")
	case "TokenRequest":
		return false
	}
	return slices.Contains(d.markers, "genclient")
}

// addKind notes that the release has the kind, and the minors up to it that
// serve it.
func addKind(all map[string]*resource, r *release, d *decl) {
	name := d.pkg.short + "." + d.name
	res := all[name]
	if res == nil {
		_, version, _ := strings.Cut(d.pkg.short, "/")
		res = &resource{typ: name, group: d.pkg.consts["GroupName"], version: version, kind: d.name, plural: plural(d)}
		res.namespaced = !slices.Contains(d.markers, "genclient:nonNamespaced")
		all[name] = res
	}
	if lifecycle(d, "Introduced") > r.minor {
		return
	}
	until := r.minor
	if removed := lifecycle(d, "Removed"); removed != 0 {
		until = min(until, removed-1)
	}
	if res.since == 0 {
		res.since = until
	}
	res.since, res.until = min(res.since, until), max(res.until, until)
}

// lifecycle reads the minor that the type's APILifecycle method returns, 0 if
// it has none.
func lifecycle(d *decl, event string) int {
	f := d.pkg.funcs[d.name+".APILifecycle"+event]
	if f == nil {
		return 0
	}
	results := f.Body.List[0].(*ast.ReturnStmt).Results
	minor, _ := strconv.Atoi(results[1].(*ast.BasicLit).Value)
	return minor
}

// plural is the resource name that the client generator would use.
func plural(d *decl) string {
	if names := marker(d.markers, "resourceName"); len(names) > 0 {
		return names[0]
	}
	name := strings.ToLower(d.name)
	switch {
	case strings.HasSuffix(name, "parameters"): // a plural exception of the code generator
		return name
	case strings.HasSuffix(name, "s"):
		return name + "es"
	case strings.HasSuffix(name, "y"):
		return strings.TrimSuffix(name, "y") + "ies"
	}
	return name + "s"
}
