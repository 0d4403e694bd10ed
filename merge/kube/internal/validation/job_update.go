package validation

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// updateJob checks a changed Job.
//
// Source: ValidateUpdate of pkg/registry/batch/job and ValidateJobUpdate of
// pkg/apis/batch/validation.
func updateJob(r *Request) field.ErrorList {
	if minors.JobNamedOnCreate.In(r.Minor) {
		return inOrder(updatedMeta, selectedJobSpec, jobChanges, jobDelegation, jobPodNames)(r)
	}
	return inOrder(createJob, updatedMeta, jobChanges)(r)
}

func jobChanges(r *Request) field.ErrorList {
	p := field.NewPath("spec")
	spec, old := tree.Map(r.Object, "spec"), tree.Map(r.Old, "spec")
	errs := jobCompletions(spec, old, p.Child("completions"))
	errs = append(errs, immutableSelector(r)...)
	errs = append(errs, jobTemplateUpdate(r, p)...)
	errs = append(errs, immutableAt(spec, old, "completionMode", p)...)
	errs = append(errs, immutableOf("batch/v1.PodFailurePolicy", spec["podFailurePolicy"], old["podFailurePolicy"], p.Child("podFailurePolicy"))...)
	errs = append(errs, immutableAt(spec, old, "backoffLimitPerIndex", p)...)
	errs = append(errs, immutableAt(spec, old, "managedBy", p)...)
	return append(errs, immutableOf("batch/v1.SuccessPolicy", spec["successPolicy"], old["successPolicy"], p.Child("successPolicy"))...)
}

// jobCompletions lets an indexed Job be scaled together with its parallelism.
func jobCompletions(spec, old tree.Object, p *field.Path) field.ErrorList {
	completions := spec["completions"]
	switch {
	case !isIndexed(spec):
		return immutable(completions, old["completions"], p)
	case same(completions, old["completions"]), completions == nil, same(completions, spec["parallelism"]):
		return nil
	}
	return field.ErrorList{field.Invalid(p, completions, "can only be modified in tandem with spec.parallelism")}
}

// jobTemplateUpdate checks that the template stays as it is. Where the Pods of
// a suspended Job go, and since 1.36 what they request, may still be changed.
func jobTemplateUpdate(r *Request, p *field.Path) field.ErrorList {
	template, old := tree.Map(r.Object, "spec", "template"), tree.CopyObject(tree.Map(r.Old, "spec", "template"))
	suspended := tree.Bool(r.Old, "spec", "suspend")
	notStarted := !tree.Has(r.Old, "status", "startTime")
	active, _ := tree.Int(r.Old, "status", "active")
	idle := suspended && (notStarted || hasTrueCondition(r.Old, "Suspended")) && active == 0
	resourcesMutable := minors.SuspendedJobResources.In(r.Minor)
	if !resourcesMutable {
		idle = suspended && notStarted
	}
	if idle {
		takeScheduling(old, template)
	}
	if !idle || !resourcesMutable {
		return immutableOf("core/v1.PodTemplateSpec", template, old, p.Child("template"))
	}
	spec, oldSpec := tree.Map(template, "spec"), tree.Map(old, "spec")
	takeResources(oldSpec, spec, "containers")
	takeResources(oldSpec, spec, "initContainers")
	return immutableOf("core/v1.PodSpec", spec, oldSpec, p.Child("template.spec"))
}

func hasTrueCondition(o any, conditionType string) bool {
	return slices.ContainsFunc(tree.List(o, "status", "conditions"), func(c any) bool {
		return tree.String(c, "type") == conditionType && tree.String(c, "status") == "True"
	})
}

// takeScheduling copies what decides where Pods go from one template to
// another, so that it does not count as changed.
func takeScheduling(old, template tree.Object) {
	for _, key := range []string{"nodeSelector", "tolerations", "schedulingGates"} {
		take(old, template, "spec", key)
	}
	for _, key := range []string{"annotations", "labels"} {
		take(old, template, "metadata", key)
	}
	was, is := tree.Map(old, "spec", "affinity"), tree.Map(template, "spec", "affinity")
	switch {
	case is == nil && was == nil:
	case is == nil:
		tree.Delete(was, "nodeAffinity")
		if len(was) == 0 {
			tree.Delete(old, "spec", "affinity")
		}
	case was == nil:
		tree.Set(old, tree.Object{}, "spec", "affinity")
		take(old, template, "spec", "affinity", "nodeAffinity")
	default:
		take(old, template, "spec", "affinity", "nodeAffinity")
	}
}

// take makes to hold the same as from at the keys.
func take(to, from tree.Object, keys ...string) {
	if v, ok := tree.Get(from, keys...); ok {
		tree.Set(to, v, keys...)
	} else {
		tree.Delete(to, keys...)
	}
}

// takeResources copies the resources of the containers in a list that has
// kept its order.
func takeResources(old, spec tree.Object, list string) {
	was, is := tree.List(old, list), tree.List(spec, list)
	if len(was) != len(is) {
		return
	}
	for i, c := range was {
		if c, ok := c.(tree.Object); ok && tree.String(c, "name") == tree.String(is[i], "name") {
			take(c, is[i].(tree.Object), "resources")
		}
	}
}
