package server

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"threeway/merge/fault"
	"threeway/merge/format"
	"threeway/merge/kube/internal/minors"
	"threeway/merge/kube/internal/quota"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// ratio is how much larger than a request its limit may be.
const ratio = "maxLimitRequestRatio"

// limits is what LimitRanger refuses of a Pod or claim
// (plugin/pkg/admission/limitranger): amounts below the minimum or above the
// maximum of a LimitRange, per container, per Pod and per claim, and limits too far
// above their requests. It ends with
// the first LimitRange that has something to say, in no order. Of an update old is what was
// there; only claims are held to LimitRanges when they change.
func (s *Server) limits(k schema.Kind, obj, old tree.Object) *fault.Rejection {
	held := map[string][]amounts{"Container": nil, "Pod": nil}
	if k.Kind == "Pod" {
		for _, c := range slices.Concat(tree.List(obj, "spec", "containers"), tree.List(obj, "spec", "initContainers")) {
			held["Container"] = append(held["Container"], amounts{requests: tree.Map(c, "resources", "requests"), limits: tree.Map(c, "resources", "limits")})
		}
		held["Pod"] = []amounts{{requests: quota.OfPod(obj, "requests", s.Minor).Object(), limits: quota.OfPod(obj, "limits", s.Minor).Object()}}
	} else {
		claim := amounts{requests: tree.Map(obj, "spec", "resources", "requests")}
		if minors.ChangedToLimits.In(s.Minor) {
			claim.before = tree.Map(old, "spec", "resources", "requests")
		}
		held = map[string][]amounts{k.Kind: {claim}}
	}
	var refuses tree.Object
	namespace := tree.String(obj, "metadata", "namespace")
	s.around().ask(limitRanges, namespace, func(ranges *stored) { refuses = ranges.refusing(namespace, held) })
	var faults []string
	for _, item := range tree.List(refuses, "spec", "limits") {
		kind := tree.String(item, "type")
		for _, a := range held[kind] {
			faults = append(faults, outside(item, kind, a)...)
		}
	}
	if len(faults) == 0 {
		return nil
	}
	said := strings.Join(faults, ", ")
	if len(faults) > 1 {
		said = "[" + said + "]"
	}
	return s.around().forbidden(k, obj, said).DecidedBy(limitRanges, tree.String(refuses, "metadata", "name"))
}

// amounts are what a container, a Pod or a claim asks for. What has been requested before
// is not held to a LimitRange.
type amounts struct{ requests, limits, before tree.Object }

func (a amounts) kept(name string) bool {
	now, has := quantity(a.requests, name)
	was, had := quantity(a.before, name)
	return has && had && now.Cmp(was) == 0
}

// refusing is a LimitRange that amounts are outside of: if one is, then that with the
// least maximum or greatest minimum.
func (s *stored) refusing(namespace string, held map[string][]amounts) tree.Object {
	for _, kind := range slices.Sorted(maps.Keys(held)) {
		for _, field := range []string{"min", "max", ratio} {
			r := s.ranks[rank{namespace, field + " " + kind}]
			for _, a := range held[kind] {
				names := r.bounded()
				if kind == "PersistentVolumeClaim" && field == "max" {
					names = tree.Keys(a.requests) // other maxima do not count
				}
				for _, name := range names {
					if p := r.first(name); p.object != nil && len(outside(tree.Object{field: tree.Object{name: p.value}}, kind, a)) > 0 {
						return p.object
					}
				}
			}
		}
	}
	return nil
}

// outside compares amounts with one item of a LimitRange. A claim has no
// limits: its requests count as both.
func outside(item any, kind string, a amounts) []string {
	var faults []string
	requests, limits := a.requests, a.limits
	claim := kind == "PersistentVolumeClaim"
	for _, name := range tree.Keys(tree.Map(item, "min")) {
		least := tree.String(item, "min", name)
		request, hasRequest := quantity(requests, name)
		limit, hasLimit := quantity(limits, name)
		bound, _ := quantity(tree.Map(item, "min"), name)
		switch {
		case a.kept(name):
		case !hasRequest:
			faults = append(faults, fmt.Sprintf("minimum %s usage per %s is %s.  No request is specified", name, kind, least))
		case request.Cmp(bound) < 0:
			faults = append(faults, fmt.Sprintf("minimum %s usage per %s is %s, but request is %s", name, kind, least, request.String()))
		case hasLimit && limit.Cmp(bound) < 0:
			faults = append(faults, fmt.Sprintf("minimum %s usage per %s is %s, but limit is %s", name, kind, least, limit.String()))
		}
	}
	for _, name := range tree.Keys(tree.Map(item, "max")) {
		most := tree.String(item, "max", name)
		request, hasRequest := quantity(requests, name)
		limit, hasLimit := quantity(limits, name)
		bound, _ := quantity(tree.Map(item, "max"), name)
		switch {
		case a.kept(name):
		case claim && hasRequest && request.Cmp(bound) > 0:
			faults = append(faults, fmt.Sprintf("maximum %s usage per %s is %s, but request is %s", name, kind, most, request.String()))
		case claim:
		case !hasLimit:
			faults = append(faults, fmt.Sprintf("maximum %s usage per %s is %s.  No limit is specified", name, kind, most))
		case limit.Cmp(bound) > 0:
			faults = append(faults, fmt.Sprintf("maximum %s usage per %s is %s, but limit is %s", name, kind, most, limit.String()))
		case hasRequest && request.Cmp(bound) > 0:
			faults = append(faults, fmt.Sprintf("maximum %s usage per %s is %s, but request is %s", name, kind, most, request.String()))
		}
	}
	for _, name := range tree.Keys(tree.Map(item, ratio)) {
		if claim {
			break
		}
		request, _ := quantity(requests, name)
		limit, _ := quantity(limits, name)
		bound, _ := quantity(tree.Map(item, ratio), name)
		asked, allowed := float64(request.Value()), float64(limit.Value())
		if max(request.Value(), limit.Value(), bound.Value()) <= resource.MaxMilliValue {
			asked, allowed = float64(request.MilliValue()), float64(limit.MilliValue())
		}
		say := func(text string) {
			faults = append(faults, fmt.Sprintf("%s max limit to request ratio per %s is %s, but %s", name, kind, tree.String(item, ratio, name), text))
		}
		switch {
		case asked == 0:
			say("no request is specified or request is 0")
		case allowed == 0:
			say("no limit is specified or limit is 0")
		case allowed/asked*1000 > float64(bound.MilliValue()):
			say(fmt.Sprintf("provided ratio is %f", allowed/asked))
		}
	}
	return faults
}

func quantity(m tree.Object, name string) (resource.Quantity, bool) {
	text, ok := m[name].(string)
	if !ok {
		return resource.Quantity{}, false
	}
	q, err := format.Quantity(text)
	return q, err == nil
}
