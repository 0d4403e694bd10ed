package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// Source of this file: pkg/apis/apps/validation.
func daemonSetSpec(r *Request) field.ErrorList {
	p := field.NewPath("spec")
	spec := tree.Map(r.Object, "spec")
	selector, template := spec["selector"], spec["template"]
	at := p.Child("template")
	errs := labelSelector(selector, keptSelectorValues(r), p.Child("selector"))
	if selectorParses(selector) {
		errs = append(errs, templateMatches(selector, template, at)...)
	}
	if selector != nil && selectorIsEmpty(selector) {
		errs = append(errs, field.Invalid(p.Child("selector"), selectorValue(selector), "empty selector is invalid for daemonset"))
	}
	errs = append(errs, podTemplateOf(r, at)...)
	errs = append(errs, runsForever(template, "DaemonSet", at)...)
	errs = append(errs, nonNegativeAt(spec, "minReadySeconds", p)...)
	errs = append(errs, daemonSetStrategy(tree.Map(spec, "updateStrategy"), p.Child("updateStrategy"))...)
	return append(errs, nonNegativeAt(spec, "revisionHistoryLimit", p)...)
}

// keptSelectorValues tolerates bad values in a selector that has had some.
func keptSelectorValues(r *Request) selectorOptions {
	old, _ := tree.Get(r.Old, "spec", "selector")
	return selectorOptions{allowInvalidLabelValue: hasInvalidLabelValue(old)}
}

func updateDaemonSet(r *Request) field.ErrorList {
	if minors.DaemonSetSelectorFirst.In(r.Minor) {
		return inOrder(updatedMeta, immutableSelector, daemonSetSpec)(r)
	}
	return inOrder(updatedMeta, daemonSetSpec, immutableSelector)(r)
}

func daemonSetStrategy(strategy tree.Object, p *field.Path) field.ErrorList {
	at := p.Child("rollingUpdate")
	switch tree.String(strategy, "type") {
	case "OnDelete":
		return nil
	case "RollingUpdate":
		return daemonSetRollingUpdate(tree.Map(strategy, "rollingUpdate"), at)
	}
	return field.ErrorList{field.NotSupported(p, schema.Internal("apps/v1.DaemonSetUpdateStrategy", strategy), []string{"RollingUpdate", "OnDelete"})}
}

func daemonSetRollingUpdate(update tree.Object, p *field.Path) field.ErrorList {
	unavailable, surge := update["maxUnavailable"], update["maxSurge"]
	unavailableAt, surgeAt := p.Child("maxUnavailable"), p.Child("maxSurge")
	errs := intOrPercent(unavailable, unavailableAt)
	errs = append(errs, intOrPercent(surge, surgeAt)...)
	errs = append(errs, atMost100Percent(unavailable, unavailableAt)...)
	errs = append(errs, atMost100Percent(surge, surgeAt)...)
	switch u, s := countOrPercent(unavailable), countOrPercent(surge); {
	case u != 0 && s != 0:
		errs = append(errs, field.Invalid(surgeAt, surge, "may not be set when maxUnavailable is non-zero"))
	case u == 0 && s == 0:
		errs = append(errs, field.Required(unavailableAt, "cannot be 0 when maxSurge is 0"))
	}
	return errs
}
