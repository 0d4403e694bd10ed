package custom

import (
	"maps"
	"slices"
	"strconv"

	"threeway/merge/tree"
)

// pruner drops fields that a schema does not have and notes their paths
// (pkg/apiserver/schema/pruning).
type pruner struct{ paths []string }

// pruneRoot prunes a whole object, whose apiVersion, kind and metadata stay,
// and returns the sorted paths of what went.
func pruneRoot(obj tree.Object, s schema) []string {
	root := schema{}
	maps.Copy(root, s)
	root["x-kubernetes-embedded-resource"] = true
	var p pruner
	p.value(obj, root, "")
	slices.Sort(p.paths)
	return p.paths
}

// value prunes x, of which nothing is known if s is nil.
func (p *pruner) value(x any, s schema, path string) {
	p.walk(x, s, path, s.keepsUnknown())
}

// walk prunes x. Where unknown fields are kept, those of a list's items are
// too, but what is under known fields is pruned as ever.
func (p *pruner) walk(x any, s schema, path string, keep bool) {
	switch x := x.(type) {
	case map[string]any:
		for name, v := range x {
			if s.isResource() && isMetaField(name) {
				continue
			}
			sub, how := s.field(name)
			switch {
			case how != unknown:
				p.value(v, sub, join(path, name))
			case !keep:
				p.paths = append(p.paths, join(path, name))
				delete(x, name)
			}
		}
	case []any:
		items := s.items()
		for i, v := range x {
			p.walk(v, items, path+"["+strconv.Itoa(i)+"]", keep || items.keepsUnknown())
		}
	}
}

func isMetaField(name string) bool {
	return name == "apiVersion" || name == "kind" || name == "metadata"
}
