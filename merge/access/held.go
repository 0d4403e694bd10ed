package access

import (
	"fmt"
	"slices"
	"strings"
)

// Held are the rules of a subject, by what they are about, so that a rule is compared
// with those that can cover it.
type Held struct {
	resources, groups map[string][]placed
	urls              []placed
	seen              map[string]bool
}

// placed is a rule in a namespace, "" for the whole cluster.
type placed struct {
	Rule
	namespace string
}

// NewHeld holds rules for the whole cluster.
func NewHeld(list ...Rule) *Held {
	h := &Held{resources: map[string][]placed{}, groups: map[string][]placed{}, seen: map[string]bool{}}
	h.Add("", list)
	return h
}

// Add adds rules in a namespace, those that are there already not again.
func (h *Held) Add(namespace string, list []Rule) {
	for _, r := range list {
		key := fmt.Sprintf("%q", []any{namespace, r.Verbs, r.Groups, r.Resources, r.Names, r.URLs})
		if h.seen[key] {
			continue
		}
		h.seen[key] = true
		one := placed{r, namespace}
		for _, resource := range r.Resources {
			h.resources[resource] = append(h.resources[resource], one)
		}
		for _, group := range r.Groups {
			h.groups[group] = append(h.groups[group], one)
		}
		if r.URLs != nil {
			h.urls = append(h.urls, one)
		}
	}
}

// cover reports whether one of the rules covers one in a namespace.
func (h *Held) cover(namespace string, one Rule) bool {
	covers := func(b placed) bool {
		return (b.namespace == "" || b.namespace == namespace) && b.Covers(one)
	}
	if one.URLs != nil {
		return slices.ContainsFunc(h.urls, covers)
	}
	_, sub, _ := strings.Cut(one.Resources[0], "/")
	about := [][]placed{h.resources[one.Resources[0]], h.resources["*"], h.resources["*/"+sub]}
	in := [][]placed{h.groups[one.Groups[0]], h.groups["*"]}
	if len(in[0])+len(in[1]) < len(about[0])+len(about[1])+len(about[2]) {
		about = in
	}
	return slices.ContainsFunc(about, func(list []placed) bool { return slices.ContainsFunc(list, covers) })
}

// Lacking are those of some split rules that none of the held ones covers in a namespace.
func (h *Held) Lacking(namespace string, rules []Rule) (list []Rule) {
	for _, one := range rules {
		if !h.cover(namespace, one) {
			list = append(list, one)
		}
	}
	return list
}
