package validation

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// updatePod is ValidatePodUpdate: of the spec of a Pod hardly anything may
// change.
func updatePod(r *Request) field.ErrorList {
	p := field.NewPath("spec")
	spec, old := tree.Map(r.Object, "spec"), tree.Map(r.Old, "spec")
	opts := podTemplateOptions(r.Old, r.Minor)
	opts.isPod = true
	errs := append(updatedMeta(r), podMetaAndSpec(r, opts)...)
	errs = append(errs, podAnnotationUpdates(r, opts)...)
	for _, list := range []string{"containers", "initContainers"} {
		if len(tree.List(spec, list)) != len(tree.List(old, list)) {
			return append(errs, field.Forbidden(p.Child(list), "pod updates may not add or remove containers"))
		}
		for i, c := range tree.List(spec, list) {
			errs = append(errs, required(c, p.Child(list).Index(i), "image")...)
			errs = append(errs, imageWithoutPadding(c, p.Child(list).Index(i))...)
		}
	}
	deadline, stop := activeDeadlineUpdate(spec, old, p.Child("activeDeadlineSeconds"))
	if errs = append(errs, deadline...); stop {
		return errs
	}
	errs = append(errs, onlyAddedTolerations(spec, old, p.Child("tolerations"), opts)...)
	errs = append(errs, onlyDeletedGates(spec, old, p.Child("schedulingGates"))...)
	return append(errs, restOfPodSpec(r.Minor, spec, old, p)...)
}

// podAnnotationUpdates is ValidatePodSpecificAnnotationUpdates.
func podAnnotationUpdates(r *Request, opts podOptions) field.ErrorList {
	p := field.NewPath("metadata", "annotations")
	set, old := tree.Map(r.Object, "metadata", "annotations"), tree.Map(r.Old, "metadata", "annotations")
	what := func(key string) string {
		switch {
		case strings.HasPrefix(key, appArmorAnnotation):
			return "AppArmor annotations"
		case key == mirrorAnnotation:
			return "mirror pod annotation"
		}
		return ""
	}
	var errs field.ErrorList
	for _, k := range sortedKeys(old) {
		if v, ok := set[k]; (!ok || v != old[k]) && what(k) != "" {
			errs = append(errs, field.Forbidden(p.Key(k), "may not remove or update "+what(k)))
		}
	}
	for _, k := range sortedKeys(set) {
		if _, ok := old[k]; !ok && what(k) != "" {
			errs = append(errs, field.Forbidden(p.Key(k), "may not add "+what(k)))
		}
	}
	return append(errs, podAnnotations(set, tree.Map(r.Object, "spec"), p, opts)...)
}

// activeDeadlineUpdate lets the deadline be set, or moved closer; stop says
// that upstream looks no further.
func activeDeadlineUpdate(spec, old tree.Object, p *field.Path) (errs field.ErrorList, stop bool) {
	deadline, has := tree.Int(spec, "activeDeadlineSeconds")
	was, had := tree.Int(old, "activeDeadlineSeconds")
	switch {
	case !has && had:
		return field.ErrorList{field.Invalid(p, nil, "must not update from a positive integer to nil value")}, false
	case has && (deadline < 0 || deadline > math.MaxInt32):
		return invalidEach(p, deadline, isInRange(deadline, 0, math.MaxInt32)), true
	case has && had && was < deadline:
		return field.ErrorList{field.Invalid(p, deadline, "must be less than or equal to previous value")}, true
	}
	return nil, false
}

// onlyAddedTolerations is validateOnlyAddedTolerations.
func onlyAddedTolerations(spec, old tree.Object, p *field.Path, opts podOptions) field.ErrorList {
	list := tree.List(spec, "tolerations")
	for _, was := range tree.List(old, "tolerations") {
		found := false
		for _, t := range list {
			found = found || same(without(was, "tolerationSeconds"), without(t, "tolerationSeconds"))
		}
		if !found {
			return field.ErrorList{field.Forbidden(p, "existing toleration can not be modified except its tolerationSeconds")}
		}
	}
	return tolerations(list, p, opts)
}

// onlyDeletedGates is validateOnlyDeletedSchedulingGates.
func onlyDeletedGates(spec, old tree.Object, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	was := containerNames(tree.List(old, "schedulingGates"))
	for i, gate := range containerNames(tree.List(spec, "schedulingGates")) {
		if !slices.Contains(was, gate) {
			errs = append(errs, notAllowed(p.Index(i).Child("name"), fmt.Sprintf("only deletion is allowed, but found new scheduling gate '%s'", gate)))
		}
	}
	return errs
}

const podFieldsThatMayChange = "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`," +
	"`spec.tolerations` (only additions to existing tolerations)," +
	"`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)"

// restOfPodSpec compares the specs but for the fields that updatePod has
// looked at, or that a Pod which waits at a scheduling gate may add to.
func restOfPodSpec(minor int, spec, old tree.Object, p *field.Path) field.ErrorList {
	spec = tree.CopyObject(spec)
	for _, list := range []string{"containers", "initContainers"} {
		for i, c := range tree.List(spec, list) {
			tree.Map(c)["image"] = tree.String(tree.List(old, list)[i], "image")
		}
	}
	for _, key := range []string{"activeDeadlineSeconds", "schedulingGates", "tolerations"} {
		keep(spec, old, key)
	}
	grace, _ := tree.Int(spec, "terminationGracePeriodSeconds")
	if was, _ := tree.Int(old, "terminationGracePeriodSeconds"); was < 0 && grace == 1 {
		keep(spec, old, "terminationGracePeriodSeconds")
	}
	var errs field.ErrorList
	if len(tree.List(old, "schedulingGates")) > 0 {
		errs = gatedPodPlacement(spec, old, p)
	}
	if sameAs("core/v1.PodSpec", spec, old) {
		return errs
	}
	changes := specDiff(minor, "core/v1.PodSpec", old, spec)
	return append(errs, fixed(field.Forbidden(p, "pod updates may not change fields other than "+podFieldsThatMayChange+"\n"+changes)))
}

// gatedPodPlacement lets a gated Pod become choosier about its node, and
// takes what it chose back to old in spec.
func gatedPodPlacement(spec, old tree.Object, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	selector := tree.Map(spec, "nodeSelector")
	for _, k := range sortedKeys(tree.Map(old, "nodeSelector")) {
		if selector[k] != tree.Map(old, "nodeSelector")[k] {
			errs = append(errs, field.Invalid(p.Child("nodeSelector"), selector, "only additions to spec.nodeSelector are allowed (no mutations or deletions)"))
			break
		}
	}
	keep(spec, old, "nodeSelector")
	now, _ := tree.Get(spec, "affinity", "nodeAffinity")
	was, _ := tree.Get(old, "affinity", "nodeAffinity")
	if same(now, was) {
		return errs
	}
	node, oldNode := tree.Map(now), tree.Map(was)
	errs = append(errs, gatedPodAffinity(node, oldNode, p.Child("affinity", "nodeAffinity"))...)
	switch affinity := tree.Map(spec, "affinity"); {
	case oldNode != nil:
		tree.Set(spec, oldNode, "affinity", "nodeAffinity")
	case !tree.Has(old, "affinity") && !tree.Has(affinity, "podAffinity") && !tree.Has(affinity, "podAntiAffinity"):
		delete(spec, "affinity")
	default:
		delete(affinity, "nodeAffinity")
	}
	return errs
}

// gatedPodAffinity is validateNodeAffinityMutation.
func gatedPodAffinity(node, old tree.Object, p *field.Path) field.ErrorList {
	p = p.Child(requiredTerms, "nodeSelectorTerms")
	value, _ := tree.Get(node, requiredTerms, "nodeSelectorTerms")
	terms, oldTerms := tree.List(value), tree.List(old, requiredTerms, "nodeSelectorTerms")
	if len(oldTerms) == 0 {
		return nil
	}
	if len(terms) != len(oldTerms) {
		return field.ErrorList{field.Invalid(p, internalOrNull("[]core/v1.NodeSelectorTerm", value), "no additions/deletions to non-empty NodeSelectorTerms list are allowed")}
	}
	var errs field.ErrorList
	for i, term := range terms {
		if !addsToTerm(term, oldTerms[i]) {
			errs = append(errs, field.Invalid(p.Index(i), schema.Internal("core/v1.NodeSelectorTerm", term), "only additions are allowed (no mutations or deletions)"))
		}
	}
	return errs
}

// addsToTerm is validateNodeSelectorTermHasOnlyAdditions.
func addsToTerm(term, old any) bool {
	empty := true
	for _, key := range []string{"matchExpressions", "matchFields"} {
		list, was := tree.List(term, key), tree.List(old, key)
		empty = empty && len(was) == 0
		if len(list) < len(was) || !same(list[:len(was)], was) {
			return false
		}
	}
	return !empty || len(tree.List(term, "matchExpressions")) == 0 && len(tree.List(term, "matchFields")) == 0
}

// keep gives spec what old has at key.
func keep(spec, old tree.Object, key string) {
	if v, ok := old[key]; ok {
		spec[key] = v
	} else {
		delete(spec, key)
	}
}

func without(o any, key string) tree.Object {
	rest := maps.Clone(tree.Map(o))
	delete(rest, key)
	return rest
}
