package server

import (
	"fmt"
	"slices"
	"strings"

	"threeway/merge/format"
	"threeway/merge/tree"
)

// limitRanger is the plugin of that name on a new Pod
// (plugin/pkg/admission/limitranger): requests and limits from the LimitRanges
// of the namespace, and an annotation that tells what was set. What it would
// refuse is not checked.
func (s *Server) limitRanger(pod tree.Object) {
	requests, limits := tree.Object{}, tree.Object{}
	namespace := tree.String(pod, "metadata", "namespace")
	s.around().ask(limitRanges, namespace, func(ranges *stored) {
		for field, to := range map[string]tree.Object{"defaultRequest": requests, "default": limits} {
			r := ranges.ranks[rank{namespace, field + " Container"}]
			for _, name := range r.bounded() {
				to[name] = r.first(name).value
			}
		}
	})
	if len(requests)+len(limits) == 0 {
		return
	}
	var set []string
	for _, list := range []struct{ field, word string }{{"containers", "container"}, {"initContainers", "init container"}} {
		for _, c := range tree.List(pod, "spec", list.field) {
			container, ok := c.(map[string]any)
			if !ok {
				continue
			}
			for _, kind := range []struct {
				name, word string
				defaults   tree.Object
			}{{"requests", "request", requests}, {"limits", "limit", limits}} {
				if names := fillFrom(container, kind.name, kind.defaults); len(names) > 0 {
					set = append(set, fmt.Sprintf("%s %s for %s %s", strings.Join(names, ", "), kind.word, list.word, tree.String(container, "name")))
				}
			}
		}
	}
	if len(set) > 0 {
		tree.Set(pod, "LimitRanger plugin set: "+strings.Join(set, "; "), "metadata", "annotations", "kubernetes.io/limit-ranger")
	}
}

// fillFrom adds the quantities that a container's list lacks, and names them.
func fillFrom(container tree.Object, list string, from tree.Object) []string {
	var names []string
	for name, q := range from {
		if tree.Has(container, "resources", list, name) {
			continue
		}
		text, _ := q.(string)
		if parsed, err := format.Quantity(text); err == nil {
			tree.Set(container, parsed.String(), "resources", list, name)
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
