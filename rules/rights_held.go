package rules

import (
	"fmt"
	"slices"
	"strings"
)

// heldRights are the rights of a subject, by what they are about, so that a right is
// compared with those that can cover it.
type heldRights struct {
	resources, groups map[string][]placedRight
	urls              []placedRight
	seen              map[string]bool
}

// placedRight is a right in a namespace, "" for the whole cluster.
type placedRight struct {
	right
	namespace string
}

func newHeldRights(list []right) *heldRights {
	h := &heldRights{map[string][]placedRight{}, map[string][]placedRight{}, nil, map[string]bool{}}
	h.add("", list)
	return h
}

// add adds rights in a namespace, those that are there already not again.
func (h *heldRights) add(namespace string, list []right) {
	for _, r := range list {
		key := fmt.Sprintf("%q", []any{namespace, r.verbs, r.groups, r.resources, r.names, r.urls})
		if h.seen[key] {
			continue
		}
		h.seen[key] = true
		placed := placedRight{r, namespace}
		for _, resource := range r.resources {
			h.resources[resource] = append(h.resources[resource], placed)
		}
		for _, group := range r.groups {
			h.groups[group] = append(h.groups[group], placed)
		}
		if r.urls != nil {
			h.urls = append(h.urls, placed)
		}
	}
}

// cover reports whether one of the rights covers a right in a namespace.
func (h *heldRights) cover(namespace string, one right) bool {
	covers := func(b placedRight) bool {
		return (b.namespace == "" || b.namespace == namespace) && b.covers(one)
	}
	if one.urls != nil {
		return slices.ContainsFunc(h.urls, covers)
	}
	_, sub, _ := strings.Cut(one.resources[0], "/")
	about := [][]placedRight{h.resources[one.resources[0]], h.resources["*"], h.resources["*/"+sub]}
	in := [][]placedRight{h.groups[one.groups[0]], h.groups["*"]}
	if len(in[0])+len(in[1]) < len(about[0])+len(about[1])+len(about[2]) {
		about = in
	}
	return slices.ContainsFunc(about, func(list []placedRight) bool { return slices.ContainsFunc(list, covers) })
}

// lacking are those of some split rights that none of the held ones covers in a
// namespace.
func (h *heldRights) lacking(namespace string, rights []right) (list []right) {
	for _, one := range rights {
		if !h.cover(namespace, one) {
			list = append(list, one)
		}
	}
	return list
}
