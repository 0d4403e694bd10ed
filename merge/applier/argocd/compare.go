package argocd

import (
	"strings"

	"threeway/merge/text/source"
	"threeway/merge/tree"
)

// Compare is how Argo CD compares objects (util/settings/settings.go ArgoCDDiffOptions,
// controller/state.go CompareAppState).
type Compare struct {
	// ServerSide asks the server with a dry run of a server-side apply, and Mutations
	// keeps what else the request changes.
	ServerSide, Mutations bool
	// AggregatedRoles ignores the rules of roles that are aggregated.
	AggregatedRoles bool
	// Status ignores the status of all objects, or with "crd" that of definitions, or with
	// "none" of no object.
	Status string
	// Known are fields of custom resources that have a type of the core group, by
	// GROUP/KIND.
	Known map[string][]Known
}

// Known is such a field and the name of its type: PodSpec, Quantity.
type Known struct {
	Path []string
	Type string
}

// compareOf reads the options in argocd-cm.
func compareOf(data tree.Object) Compare {
	c := Compare{Status: "all"}
	options, err := source.Decode(tree.String(data, "resource.compareoptions"))
	if err != nil {
		return c
	}
	c.AggregatedRoles = tree.Bool(options, "ignoreAggregatedRoles")
	status, is := options["ignoreResourceStatusField"]
	switch text, _ := status.(string); {
	case !is || text == "" && status != false:
	case status == false || text == "none" || text == "off" || text == "false":
		c.Status = "none"
	case text == "crd":
		c.Status = text
	}
	return c
}

// StatusIgnored are the objects of which the status is ignored.
func (c Compare) StatusIgnored() []Ignore {
	status := [][]string{{"status"}}
	switch c.Status {
	case "none":
		return nil
	case "crd":
		return []Ignore{{group: "apiextensions.k8s.io", kind: "CustomResourceDefinition", pointers: status}}
	}
	return []Ignore{{group: "*", kind: "*", pointers: status}}
}

// override is the part of resource.customizations about one kind.
type override struct {
	group, kind string
	ignore      tree.Object
	known       []any
}

// overridesOf are those in argocd-cm, each key for itself or all of them in one text.
// What cannot be read Argo CD skips with a line in its log.
func overridesOf(data tree.Object) (list []override) {
	whole, err := source.Decode(tree.String(data, "resource.customizations"))
	if err == nil {
		for _, key := range tree.Keys(whole) {
			o := override{known: tree.List(whole, key, "knownTypeFields")}
			o.group, o.kind = groupKind(key, "/")
			if ignore, err := source.Decode(tree.String(whole, key, "ignoreDifferences")); err == nil {
				o.ignore = ignore
			}
			list = append(list, o)
		}
	}
	for _, key := range tree.Keys(data) {
		text := tree.String(data, key)
		if name, is := strings.CutPrefix(key, "resource.customizations.ignoreDifferences."); is {
			if ignore, err := source.Decode(text); err == nil {
				o := override{ignore: ignore}
				o.group, o.kind = groupKind(name, "_")
				list = append(list, o)
			}
		}
		if name, is := strings.CutPrefix(key, "resource.customizations.knownTypeFields."); is {
			if known, err := source.Decode("known:\n" + indented(text)); err == nil {
				o := override{known: tree.List(known, "known")}
				o.group, o.kind = groupKind(name, "_")
				list = append(list, o)
			}
		}
	}
	return list
}

func indented(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }

func groupKind(key, separator string) (group, kind string) {
	group, kind, both := strings.Cut(key, separator)
	switch {
	case key == "all":
		return "*", "*"
	case !both:
		return "", key
	}
	return group, kind
}

// addOverride adds the fields of an override (util/argo/normalizers/knowntypes_normalizer.go).
func (c *Compare) addOverride(o override) {
	for _, field := range o.known {
		name, isCore := strings.CutPrefix(tree.String(field, "type"), "core/")
		if !isCore {
			name, isCore = strings.CutPrefix(name, "meta/")
		}
		if isCore {
			if c.Known == nil {
				c.Known = map[string][]Known{}
			}
			key := o.group + "/" + o.kind
			c.Known[key] = append(c.Known[key], Known{strings.Split(tree.String(field, "field"), "."), strings.TrimPrefix(name, "v1/")})
		}
	}
}

// KnownFields are the fields of a kind that have a type of the core group. The template
// of a Rollout is one, unless the settings name others.
func (c Compare) KnownFields(group, kind string) []Known {
	if list := c.Known[group+"/"+kind]; list != nil || group != "argoproj.io" || kind != "Rollout" {
		return list
	}
	return []Known{{[]string{"spec", "template", "spec"}, "PodSpec"}}
}
