package rehearsal

import (
	"maps"
	"slices"
	"strings"

	"threeway/merge/kube/schema"
)

// Mapped is the kind that kubectl takes a kind for: it also knows each kind
// that is served in small letters, which no server does, and without a version
// (client-go restmapper/discovery.go NewDiscoveryRESTMapper, apimachinery
// pkg/api/meta/restmapper.go RESTMappings).
func (c *Catalog) Mapped(k schema.Kind) schema.Kind {
	if k.Version == "" {
		return c.inAnyVersion(k)
	}
	if k.Kind == "" || k.Kind[0] < 'a' || k.Kind != strings.ToLower(k.Kind) {
		return k
	}
	if full, ok := schema.InSmallLetters(k); ok {
		return full
	}
	for name, d := range c.served {
		kind, group, _ := strings.Cut(name, ".")
		if group == k.Group && strings.ToLower(kind) == k.Kind && d.versions[k.Version] {
			return schema.Kind{Group: group, Version: k.Version, Kind: kind}
		}
	}
	return k
}

// inAnyVersion is a kind without a version in one that is served; itself if there is none.
func (c *Catalog) inAnyVersion(k schema.Kind) schema.Kind {
	for _, r := range schema.Resources() {
		if r.Group == k.Group && (r.Kind.Kind == k.Kind || strings.ToLower(r.Kind.Kind) == k.Kind) && r.In(c.minor) && r.OnByDefault() {
			return r.Kind
		}
	}
	if d := c.served[k.GroupKind()]; d != nil {
		for _, version := range slices.Sorted(maps.Keys(d.versions)) {
			if d.versions[version] {
				k.Version = version
			}
		}
	}
	return k
}

// lists reports whether kubectl maps a kind as a list: it knows one of each kind that is
// served, and List in each version (client-go restmapper/discovery.go NewDiscoveryRESTMapper).
func (c *Catalog) lists(k schema.Kind) bool {
	item, isList := strings.CutSuffix(k.Kind, "List")
	if !isList {
		return false
	}
	if k.Kind = item; item != "" {
		serves, known := c.Serves(c.Mapped(k))
		return serves || !known
	}
	in := func(r schema.Resource) bool {
		return r.Group == k.Group && (r.Version == k.Version || k.Version == "") && r.In(c.minor)
	}
	if builtin(k) {
		return slices.ContainsFunc(schema.Resources(), in)
	}
	for name, d := range c.served {
		if _, group, _ := strings.Cut(name, "."); group == k.Group && (d.versions[k.Version] || k.Version == "") {
			return true
		}
	}
	return !c.coversDefinitions() || c.aggregated(k)
}
