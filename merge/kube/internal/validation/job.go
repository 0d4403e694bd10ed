package validation

import (
	"cmp"
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// UnknownUID stands for the uid that the server makes for a new object, which
// is not known before. What generates the selector and the labels of a new Job
// uses it, too.
const UnknownUID = "00000000-0000-0000-0000-000000000000"

// The labels that tie Pods to their Job, with and without the prefix.
const (
	jobNameLabel       = "batch.kubernetes.io/job-name"
	jobUIDLabel        = "batch.kubernetes.io/controller-uid"
	jobNameLabelLegacy = "job-name"
	jobUIDLabelLegacy  = "controller-uid"
)

// createJob checks a new Job, whose selector and labels the server has
// generated. Source of this file: pkg/apis/batch/validation.
func createJob(r *Request) field.ErrorList {
	return inOrder(namespaced(nameIsDNSSubdomain), generatedSelector, selectedJobSpec, jobDelegation, jobPodNames)(r)
}

func selectedJobSpec(r *Request) field.ErrorList {
	p := field.NewPath("spec")
	return append(jobSpec(tree.Map(r.Object, "spec"), p, templateOptionsOf(r)), jobSelector(r, p)...)
}

// jobPodNames checks how the Pods of an indexed Job are called: after the Job and their
// index.
func jobPodNames(r *Request) field.ErrorList {
	spec, name := tree.Map(r.Object, "spec"), tree.String(r.Object, "metadata", "name")
	if completions, _ := tree.Int(spec, "completions"); isIndexed(spec) && completions > 0 {
		if last := fmt.Sprintf("%s-%d", name, completions-1); len(isDNS1123Label(last)) > 0 {
			return field.ErrorList{field.Invalid(field.NewPath("metadata", "name"), name, "will not able to create pod with invalid DNS label: "+last)}
		}
	}
	return nil
}

func jobDelegation(r *Request) field.ErrorList {
	return delegation(r, tree.Map(r.Object, "metadata"), tree.Map(r.Old, "metadata"), field.NewPath("metadata"))
}

// delegation: who leaves the scheduling to a Workload names it and its template.
//
// Source: validateDelegationAnnotations.
func delegation(r *Request, meta, old tree.Object, p *field.Path) (errs field.ErrorList) {
	keys := []string{"scheduling.k8s.io/workload-name", "scheduling.k8s.io/group-template-name"}
	set, was := tree.Map(meta, "annotations"), tree.Map(old, "annotations")
	none := set[keys[0]] == nil && set[keys[1]] == nil
	if kept := r.Old != nil && set[keys[0]] == was[keys[0]] && set[keys[1]] == was[keys[1]]; none || kept || !minors.JobDelegation.In(r.Minor) {
		return nil
	}
	for _, key := range keys {
		if tree.String(set, key) == "" {
			errs = append(errs, field.Required(p.Child("annotations").Key(key), "must be set to a non-empty value when "+keys[0]+" or "+keys[1]+" is set"))
		}
	}
	return errs
}

func isIndexed(spec any) bool { return tree.String(spec, "completionMode") == "Indexed" }

// jobSelector checks that the selector is there and fits the template.
func jobSelector(r *Request, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	spec := tree.Map(r.Object, "spec")
	selector := spec["selector"]
	if selector == nil {
		errs = append(errs, field.Required(p.Child("selector"), ""))
	} else {
		errs = append(errs, labelSelector(selector, keptSelectorValues(r), p.Child("selector"))...)
	}
	if selectorParses(selector) {
		errs = append(errs, templateMatches(selector, spec["template"], p.Child("template"))...)
	}
	return errs
}

// generatedSelector checks that the template has the labels that the server
// generates, unless the user has asked for a selector of their own.
//
// Source: validateGeneratedSelector.
func generatedSelector(r *Request) field.ErrorList {
	spec := tree.Map(r.Object, "spec")
	if tree.Bool(spec, "manualSelector") || !tree.Has(spec, "selector") {
		return nil
	}
	var errs field.ErrorList
	uid, name := tree.String(r.Object, "metadata", "uid"), tree.String(r.Object, "metadata", "name")
	if uid == "" { // of an export without it, or of an object that is yet to be made
		uid = cmp.Or(tree.String(r.Old, "spec", "selector", "matchLabels", jobUIDLabel), UnknownUID)
	}
	expected := tree.Object{jobUIDLabelLegacy: uid, jobNameLabelLegacy: name}
	labels := tree.Map(spec, "template", "metadata", "labels")
	errs = append(errs, hasLabel(labels, jobUIDLabelLegacy, uid)...)
	errs = append(errs, hasLabel(labels, jobNameLabelLegacy, name)...)
	if prefixedLabelsRequired(r) {
		errs = append(errs, hasLabel(labels, jobUIDLabel, uid)...)
		errs = append(errs, hasLabel(labels, jobNameLabel, name)...)
		expected[jobUIDLabel], expected[jobNameLabel] = uid, name
	}
	if selector := spec["selector"]; selectorParses(selector) && !tree.Selects(selector, expected) {
		errs = append(errs, field.Invalid(field.NewPath("spec", "selector"), selectorValue(selector), "`selector` not auto-generated"))
	}
	return errs
}

// prefixedLabelsRequired is false for Jobs from before there were prefixes.
func prefixedLabelsRequired(r *Request) bool {
	if r.Old == nil {
		return true
	}
	labels := tree.Map(r.Old, "spec", "template", "metadata", "labels")
	return tree.Has(labels, jobNameLabel) && tree.Has(labels, jobUIDLabel)
}

func hasLabel(labels tree.Object, key, want string) field.ErrorList {
	p := field.NewPath("spec", "template", "metadata", "labels").Key(key)
	if have, ok := labels[key]; !ok {
		return field.ErrorList{field.Required(p, fmt.Sprintf("must be '%s'", want))}
	} else if have != want {
		return field.ErrorList{field.Invalid(p, labels, fmt.Sprintf("must be '%s'", want))}
	}
	return nil
}

// jobSpec checks what holds for Jobs and for the template of a CronJob.
//
// Source: validateJobSpec.
func jobSpec(spec tree.Object, p *field.Path, opts podOptions) field.ErrorList {
	var errs field.ErrorList
	for _, key := range []string{"parallelism", "completions", "activeDeadlineSeconds", "backoffLimit",
		"ttlSecondsAfterFinished", "backoffLimitPerIndex", "maxFailedIndexes"} {
		errs = append(errs, nonNegativeAt(spec, key, p)...)
	}
	if tree.Has(spec, "maxFailedIndexes") && !tree.Has(spec, "backoffLimitPerIndex") {
		errs = append(errs, field.Required(p.Child("backoffLimitPerIndex"), "when maxFailedIndexes is specified"))
	}
	errs = append(errs, managedBy(spec, p.Child("managedBy"))...)
	errs = append(errs, completionMode(spec, p)...)
	if tree.Has(spec, "podFailurePolicy") {
		errs = append(errs, podFailurePolicy(spec, p.Child("podFailurePolicy"))...)
	}
	if tree.Has(spec, "successPolicy") {
		errs = append(errs, successPolicy(spec, p.Child("successPolicy"))...)
	}
	errs = append(errs, podReplacementPolicy(spec, p.Child("podReplacementPolicy"))...)
	errs = append(errs, podTemplate(tree.Map(spec, "template"), p.Child("template"), opts)...)
	return append(errs, jobRestartPolicy(spec, p.Child("template", "spec", "restartPolicy"))...)
}

// jobRestartPolicy checks that the Pods of a Job are not restarted forever.
func jobRestartPolicy(spec tree.Object, p *field.Path) field.ErrorList {
	switch policy := tree.String(spec, "template", "spec", "restartPolicy"); policy {
	case "", "Always":
		return field.ErrorList{field.Required(p, `valid values: "OnFailure", "Never"`)}
	case "OnFailure":
		if tree.Has(spec, "podFailurePolicy") {
			return field.ErrorList{field.Invalid(p, policy, `only "Never" is supported when podFailurePolicy is specified`)}
		}
		return nil
	default:
		return oneOf(policy, p, "OnFailure", "Never")
	}
}

func managedBy(spec tree.Object, p *field.Path) field.ErrorList {
	const maxBytes = 63
	if !tree.Has(spec, "managedBy") {
		return nil
	}
	manager := tree.String(spec, "managedBy")
	errs := domainPrefixedPath(manager, p)
	if len(manager) > maxBytes {
		errs = append(errs, field.TooLong(p, "", maxBytes))
	}
	return errs
}

func podReplacementPolicy(spec tree.Object, p *field.Path) field.ErrorList {
	switch policy := tree.String(spec, "podReplacementPolicy"); {
	case !tree.Has(spec, "podReplacementPolicy"):
		return nil
	case tree.Has(spec, "podFailurePolicy"):
		return oneOf(policy, p, "Failed")
	default:
		return oneOf(policy, p, "Failed", "TerminatingOrFailed")
	}
}
