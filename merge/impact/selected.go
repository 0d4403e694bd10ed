package impact

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/impact/setting"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// labeled is an outcome of which labels change by which nothing selects, as if it had had them: the
// outcome itself if there are none, or if what selects is not all known.
func (c *cluster) labeled(o *rehearsal.Outcome) *rehearsal.Outcome {
	was, is := tree.Map(o.Before, "metadata", "labels"), tree.Map(o.Result, "metadata", "labels")
	if o.Before == nil || o.Result == nil || tree.Equal(was, is) {
		return o
	}
	labels := tree.Object{}
	maps.Copy(labels, was)
	for _, key := range slices.Concat(tree.Keys(is), tree.Keys(was)) {
		meaning, _ := setting.MeaningOf(o.Kind, fieldpath.New("metadata", "labels", key))
		switch v, has := is[key]; {
		case meaning != nil || setting.OfProgram(key) || tree.Equal(was[key], v) || c.selects(key):
		case has:
			labels[key] = v
		default:
			delete(labels, key)
		}
	}
	if tree.Equal(labels, was) {
		return o
	}
	return asIf(o, func(before tree.Object) {
		if tree.Set(before, map[string]any(labels), "metadata", "labels"); len(labels) == 0 && is == nil {
			tree.Delete(before, "metadata", "labels")
		}
	})
}

// selecting has the keys of labels that the selectors of a cluster name, and texts that may name more.
type selecting struct {
	keys  map[string]bool
	texts []string
	// all: one selects by keys that it computes, or what selects is not all in the snapshot.
	all bool
}

// selects reports whether an object before or after the apply may select others by a key of their labels.
func (c *cluster) selects(key string) bool {
	s := c.selectors()
	return s.all || s.keys[key] || slices.ContainsFunc(s.texts, func(text string) bool { return strings.Contains(text, key) })
}

// anyLabel is an expression that reads labels by a key that is no literal.
var anyLabel = regexp.MustCompile(`[lL]abels\s*(\.\s*\w+\s*\(|\[\s*[^"'\s\]])`)

// findSelectors looks for selectors in all objects by the names of fields, and in the texts of policies,
// webhooks and settings, whatever their kind.
func (c *cluster) findSelectors() *selecting {
	s := &selecting{keys: map[string]bool{}, all: c.base || !c.live.Complete()}
	for d := range c.live.OfKind(rehearsal.DefinitionKind) {
		s.all = s.all || !c.live.Covers(tree.String(d.Tree, "spec", "group"), tree.String(d.Tree, "spec", "names", "kind"))
	}
	if s.all {
		return s
	}
	var entries []*manifest.Entry
	for _, e := range c.live.Entries {
		if len(e.Owners) == 0 && !slices.Contains([]string{"Secret", "Event", rehearsal.DefinitionKind}, e.Kind.GroupKind()) {
			entries = append(entries, e)
		}
	}
	for n, obj := range c.live.Trees(entries) {
		s.look(obj, entries[n].Kind)
	}
	for _, p := range c.plan.Set {
		if k := p.Manifest.Kind; k.GroupKind() != "Secret" && k.GroupKind() != rehearsal.DefinitionKind {
			s.look(p.Outcome().Result, k)
		}
	}
	return s
}

func (s *selecting) look(obj tree.Object, k schema.Kind) {
	custom := schema.Lookup(k) == nil
	var walk func(field string, v any)
	walk = func(field string, v any) {
		switch v := v.(type) {
		case tree.Object:
			names := field == "matchLabels" || strings.HasSuffix(strings.ToLower(field), "selector")
			for key, value := range v {
				if _, text := value.(string); text && names {
					s.keys[key] = true
				}
				walk(key, value)
			}
		case []any:
			for _, item := range v {
				if field == "matchExpressions" {
					s.keys[tree.String(item, "key")] = true
				}
				walk(field, item)
			}
		case string:
			if custom || field == "topologyKey" {
				s.keys[v] = true
			}
			if strings.Contains(v, "abels") || strings.Contains(strings.ToLower(field+v), "selector") {
				s.texts, s.all = append(s.texts, v), s.all || anyLabel.MatchString(v)
			}
		}
	}
	for key, v := range obj {
		if key != "metadata" && key != "status" {
			walk(key, v)
		}
	}
}
