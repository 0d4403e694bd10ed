package custom

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// pruner drops fields that a schema does not have and notes their paths
// (pkg/apiserver/schema/pruning).
type pruner struct {
	at    fieldpath.Path // where the walk stands; it grows and shrinks in place
	found []fault.Fault
}

// pruneRoot prunes a whole object, whose apiVersion, kind and metadata stay,
// and returns what went, sorted by path.
func pruneRoot(obj tree.Object, s schema) []fault.Fault {
	root := schema{}
	maps.Copy(root, s)
	root["x-kubernetes-embedded-resource"] = true
	var p pruner
	p.value(obj, root)
	slices.SortFunc(p.found, func(a, b fault.Fault) int { return strings.Compare(a.Field, b.Field) })
	return p.found
}

// value prunes x, of which nothing is known if s is nil.
func (p *pruner) value(x any, s schema) { p.walk(x, s, s.keepsUnknown()) }

// within runs walk one step further down.
func (p *pruner) within(step fieldpath.Step, walk func()) {
	p.at = append(p.at, step)
	walk()
	p.at = p.at[:len(p.at)-1]
}

// drop notes the field name of the object at hand, which may have the others.
func (p *pruner) drop(name string, others []string) {
	path := p.at.Child(name)
	text := ""
	for _, s := range path {
		if s.IsIndex {
			text += "[" + strconv.Itoa(s.Index) + "]"
		} else {
			text = join(text, s.Field)
		}
	}
	f := fault.Unknown(path, text)
	f.Supported = others
	p.found = append(p.found, f)
}

// walk prunes x. Where unknown fields are kept, those of a list's items are
// too, but fields below known ones are pruned.
func (p *pruner) walk(x any, s schema, keep bool) {
	switch x := x.(type) {
	case map[string]any:
		for name, v := range x {
			if s.isResource() && isMetaField(name) {
				continue
			}
			sub, how := s.field(name)
			switch {
			case how != unknown:
				p.within(fieldpath.Step{Field: name}, func() { p.value(v, sub) })
			case !keep:
				p.drop(name, slices.DeleteFunc(tree.Keys(tree.Map(tree.Object(s), "properties")), func(other string) bool { return x[other] != nil }))
				delete(x, name)
			}
		}
	case []any:
		items := s.items()
		for i, v := range x {
			p.within(fieldpath.Step{Index: i, IsIndex: true}, func() { p.walk(v, items, keep || items.keepsUnknown()) })
		}
	}
}

func isMetaField(name string) bool {
	return name == "apiVersion" || name == "kind" || name == "metadata"
}
