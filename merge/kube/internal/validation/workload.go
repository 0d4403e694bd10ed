package validation

import (
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// deploymentSpec checks the spec of a Deployment.
//
// Source: ValidateDeployment of pkg/apis/apps/validation, as are the other
// functions of this file unless they say otherwise.
func deploymentSpec(r *Request) field.ErrorList {
	p := field.NewPath("spec")
	spec := tree.Map(r.Object, "spec")
	errs := nonNegativeAt(spec, "replicas", p)
	errs = append(errs, selectorAndTemplate(r, p)...)
	errs = append(errs, deploymentStrategy(tree.Map(spec, "strategy"), p.Child("strategy"))...)
	errs = append(errs, nonNegativeAt(spec, "minReadySeconds", p)...)
	errs = append(errs, nonNegativeAt(spec, "revisionHistoryLimit", p)...)
	if n, err := strconv.ParseInt(tree.String(r.Object, "metadata", "annotations", "deprecated.deployment.rollback.to"), 10, 64); err == nil {
		errs = append(errs, nonNegative(n, p.Child("rollback", "version"))...) // a field of the internal version
	}
	if deadline, ok := tree.Int(spec, "progressDeadlineSeconds"); ok {
		errs = append(errs, nonNegative(deadline, p.Child("progressDeadlineSeconds"))...)
		if ready, _ := tree.Int(spec, "minReadySeconds"); deadline <= ready {
			errs = append(errs, field.Invalid(p.Child("progressDeadlineSeconds"), deadline, "must be greater than minReadySeconds"))
		}
	}
	return errs
}

func replicaSetSpec(r *Request) field.ErrorList {
	p := field.NewPath("spec")
	spec := tree.Map(r.Object, "spec")
	errs := nonNegativeAt(spec, "replicas", p)
	errs = append(errs, nonNegativeAt(spec, "minReadySeconds", p)...)
	return append(errs, selectorAndTemplate(r, p)...)
}

// selectorAndTemplate checks the selector and the Pod template of a
// Deployment or ReplicaSet; the errors of both call either of them
// "deployment" and "ReplicaSet".
//
// Source: ValidateReplicaSetSpec and ValidatePodTemplateSpecForReplicaSet.
func selectorAndTemplate(r *Request, p *field.Path) field.ErrorList {
	spec := tree.Map(r.Object, "spec")
	selector := spec["selector"]
	errs := requiredSelector(spec, "deployment", p.Child("selector"))
	if !selectorParses(selector) {
		return append(errs, field.Invalid(p.Child("selector"), selectorValue(selector), "invalid label selector"))
	}
	at := p.Child("template")
	errs = append(errs, templateMatches(selector, spec["template"], at)...)
	errs = append(errs, podTemplateOf(r, at)...)
	return append(errs, runsForever(spec["template"], "ReplicaSet", at)...)
}

// podTemplateOf checks the Pod template at spec.template of r, as far as the
// old one allows.
func podTemplateOf(r *Request, p *field.Path) field.ErrorList {
	return podTemplate(tree.Map(r.Object, "spec", "template"), p, templateOptionsOf(r))
}

// templateOptionsOf gives what the old object of r, if there is one, allows
// its Pod template at spec.template to keep.
func templateOptionsOf(r *Request) podOptions {
	return podTemplateOptions(tree.Map(r.Old, "spec", "template"), r.Minor)
}

// runsForever checks that the Pods of a template are restarted whenever they
// end; kind is how the error calls the workload.
func runsForever(template any, kind string, p *field.Path) field.ErrorList {
	errs := oneOf(tree.String(template, "spec", "restartPolicy"), p.Child("spec", "restartPolicy"), "Always")
	if tree.Has(template, "spec", "activeDeadlineSeconds") {
		errs = append(errs, notAllowed(p.Child("spec", "activeDeadlineSeconds"), "activeDeadlineSeconds in "+kind+" is not Supported"))
	}
	return errs
}

func deploymentStrategy(strategy tree.Object, p *field.Path) field.ErrorList {
	at := p.Child("rollingUpdate")
	switch tree.String(strategy, "type") {
	case "Recreate":
		if tree.Has(strategy, "rollingUpdate") {
			return field.ErrorList{notAllowed(at, "may not be specified when strategy `type` is 'Recreate'")}
		}
		return nil
	case "RollingUpdate":
		return deploymentRollingUpdate(tree.Map(strategy, "rollingUpdate"), at)
	}
	return field.ErrorList{field.NotSupported(p, schema.Internal("apps/v1.DeploymentStrategy", strategy), []string{"Recreate", "RollingUpdate"})}
}

func deploymentRollingUpdate(update tree.Object, p *field.Path) field.ErrorList {
	unavailable, surge := update["maxUnavailable"], update["maxSurge"]
	at := p.Child("maxUnavailable")
	errs := intOrPercent(unavailable, at)
	errs = append(errs, intOrPercent(surge, p.Child("maxSurge"))...)
	if countOrPercent(unavailable) == 0 && countOrPercent(surge) == 0 {
		errs = append(errs, field.Invalid(at, unavailable, "may not be 0 when `maxSurge` is 0"))
	}
	return append(errs, atMost100Percent(unavailable, at)...)
}

// Source: ValidateReplicationController of pkg/apis/core/validation.
func replicationControllerSpec(r *Request) field.ErrorList {
	p := field.NewPath("spec")
	spec := tree.Map(r.Object, "spec")
	errs := nonNegativeAt(spec, "minReadySeconds", p)
	selector := tree.Map(spec, "selector")
	if len(selector) == 0 {
		errs = append(errs, field.Required(p.Child("selector"), ""))
	}
	errs = append(errs, nonNegativeAt(spec, "replicas", p)...)
	at := p.Child("template")
	template := spec["template"]
	if template == nil {
		return append(errs, field.Required(at, ""))
	}
	errs = append(errs, templateMatches(tree.Object{"matchLabels": selector}, template, at)...)
	errs = append(errs, podTemplateOf(r, at)...)
	return append(errs, runsForever(template, "ReplicationController", at)...)
}

// createControllerRevision checks a new ControllerRevision.
func createControllerRevision(r *Request) field.ErrorList {
	errs := controllerRevision(r)
	if _, isObject := r.Object["data"].(tree.Object); isObject {
		return errs
	}
	detail := "data must be a valid JSON object"
	if r.Object["data"] == nil {
		detail = "data is mandatory"
	}
	return append(errs, field.Required(field.NewPath("data"), detail))
}

func controllerRevision(r *Request) field.ErrorList {
	return append(namespacedMeta(r, nameIsDNSSubdomain), nonNegativeAt(r.Object, "revision", nil)...)
}
