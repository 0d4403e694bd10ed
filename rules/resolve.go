package rules

import (
	"fmt"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/tree"
	"threeway/rules/reference"
)

// facts are the references that the settings add to the table.
func (c *cluster) facts() []reference.Fact {
	return lint.SharedByRun(c.p, func() []reference.Fact {
		var list []reference.Fact
		for _, r := range c.p.References {
			list = append(list, reference.Declared(r.Kind, r.Field, r.To, r.Cluster))
		}
		return list
	})
}

func (c *cluster) refers(k schema.Kind) bool { return reference.Kinds(k, c.facts()) }

func (c *cluster) referencesOf(k schema.Kind, namespace string, obj tree.Object) []reference.Reference {
	if obj == nil {
		return nil
	}
	return reference.Of(k, namespace, obj, c.facts())
}

func refName(ref reference.Reference) string { return fmt.Sprint(ref.To, " ", ref.Part) }

// partName is the key or port that a reference needs.
func partName(ref reference.Reference) string {
	if ref.To.Kind == "Service" {
		return fmt.Sprintf("port %v", ref.Part)
	}
	return fmt.Sprintf("key %v", ref.Part)
}

// partNames are the keys and the names of ports that an object has.
func partNames(ref reference.Reference, obj tree.Object) (list []string) {
	if ref.To.Kind != "Service" {
		return append(tree.Keys(tree.Map(obj, "data")), tree.Keys(tree.Map(obj, "binaryData"))...)
	}
	for _, port := range tree.List(obj, "spec", "ports") {
		list = append(list, tree.String(port, "name"))
	}
	return list
}

// partPath is where the object referred to has the part.
func partPath(id manifest.Identity, ref reference.Reference) fieldpath.Path {
	if id.Kind == "Service" {
		return fieldpath.New("spec", "ports")
	}
	return fieldpath.New("data", fmt.Sprint(ref.Part))
}

// state is whether something is there.
type state int

const (
	isUnknown state = iota // it cannot be determined from these files
	isPresent
	isAbsent
)

// resolve tells whether what a reference needs is there, before or after the apply.
func (c *cluster) resolve(ref reference.Reference, after bool) state {
	obj := c.before(ref.To)
	if after {
		obj = c.after(ref.To)
	}
	if m, ok := c.set[ref.To]; ok && after && m.Object().Result == nil {
		return isUnknown // its rejection is told
	}
	switch {
	case obj != nil:
		has := hasPart(ref, obj)
		if _, inSet := c.set[ref.To]; has == isAbsent && after && !inSet && c.made().ids[ref.To] {
			return isUnknown // its controller may add the part
		}
		return has
	case reference.Builtin(ref.To):
		return isPresent
	case !after:
		return isUnknown
	case c.deleted[ref.To]:
		return isAbsent
	case !c.cover.has(ref.To) || c.madeByOthers(ref.To):
		return isUnknown
	}
	return isAbsent
}

func groupKind(id manifest.Identity) string {
	return schema.Kind{Group: id.Group, Kind: id.Kind}.GroupKind()
}

// hasPart tells whether an object has the key or port that a reference needs. One
// without any data may be filled by a program.
func hasPart(ref reference.Reference, obj tree.Object) state {
	if ref.Part == nil {
		return isPresent
	}
	if ref.To.Kind == "Service" {
		if tree.String(obj, "spec", "type") == "ExternalName" || len(tree.List(obj, "spec", "ports")) == 0 {
			return isUnknown
		}
		for _, port := range tree.List(obj, "spec", "ports") {
			if n, _ := tree.Int(port, "port"); n == ref.Part || tree.String(port, "name") == ref.Part {
				return isPresent
			}
		}
		return isAbsent
	}
	data, binary := tree.Map(obj, "data"), tree.Map(obj, "binaryData")
	if len(data)+len(binary) == 0 || tree.String(obj, "type") == "kubernetes.io/service-account-token" {
		return isUnknown
	}
	key := fmt.Sprint(ref.Part)
	if _, ok := data[key]; ok {
		return isPresent
	}
	if _, ok := binary[key]; ok {
		return isPresent
	}
	return isAbsent
}
