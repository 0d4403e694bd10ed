package validation

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// createCronJob checks a new CronJob. Source of this file:
// pkg/apis/batch/validation.
func createCronJob(r *Request) field.ErrorList {
	const maxName = 52 // the controller appends 11 characters
	errs := append(namespacedMeta(r, nameIsDNSSubdomain), cronJobSpec(r)...)
	if name := tree.String(r.Object, "metadata", "name"); len(name) > maxName {
		errs = append(errs, field.Invalid(field.NewPath("metadata", "name"), name, maxCharacters(maxName)))
	}
	return errs
}

func cronJobSpec(r *Request) field.ErrorList {
	p := field.NewPath("spec")
	spec, old := tree.Map(r.Object, "spec"), tree.Map(r.Old, "spec")
	errs := cronSchedule(spec, old, p.Child("schedule"))
	errs = append(errs, nonNegativeAt(spec, "startingDeadlineSeconds", p)...)
	if r.Old == nil || !same(spec["timeZone"], old["timeZone"]) {
		errs = append(errs, timeZone(spec, p.Child("timeZone"))...)
	}
	errs = append(errs, requiredOneOf(tree.String(spec, "concurrencyPolicy"), p.Child("concurrencyPolicy"), "Allow", "Forbid", "Replace")...)
	errs = append(errs, jobTemplate(r, p.Child("jobTemplate", "spec"))...)
	errs = append(errs, nonNegativeAt(spec, "successfulJobsHistoryLimit", p)...)
	return append(errs, nonNegativeAt(spec, "failedJobsHistoryLimit", p)...)
}

func jobTemplate(r *Request, p *field.Path) field.ErrorList {
	job := tree.Map(r.Object, "spec", "jobTemplate", "spec")
	opts := podTemplateOptions(tree.Map(r.Old, "spec", "jobTemplate", "spec", "template"), r.Minor)
	errs := jobSpec(job, p, opts)
	const template = "jobTemplate"
	errs = append(errs, delegation(r, tree.Map(r.Object, "spec", template, "metadata"), tree.Map(r.Old, "spec", template, "metadata"), field.NewPath("spec", template, "metadata"))...)
	if selector := job["selector"]; selector != nil {
		errs = append(errs, field.Invalid(p.Child("selector"), selectorValue(selector), "`selector` will be auto-generated"))
	}
	if tree.Bool(job, "manualSelector") {
		errs = append(errs, field.NotSupported(p.Child("manualSelector"), true, []string{"nil", "false"}))
	}
	return errs
}

func cronSchedule(spec, old tree.Object, p *field.Path) field.ErrorList {
	const zone = "TZ"
	schedule := tree.String(spec, "schedule")
	if schedule == "" {
		return field.ErrorList{field.Required(p, "")}
	}
	var errs field.ErrorList
	if err := parseSchedule(schedule); err != nil {
		errs = append(errs, field.Invalid(p, schedule, err.Error()))
	}
	if !strings.Contains(schedule, zone) {
		return errs
	}
	if !strings.Contains(tree.String(old, "schedule"), zone) {
		return append(errs, field.Invalid(p, schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead"))
	}
	if tree.Has(spec, "timeZone") {
		errs = append(errs, field.Invalid(p, schedule, "cannot use both timeZone field and TZ or CRON_TZ in schedule"))
	}
	return errs
}

// timeZone checks for the name of a zone of the IANA database.
func timeZone(spec tree.Object, p *field.Path) field.ErrorList {
	if !tree.Has(spec, "timeZone") {
		return nil
	}
	name := tree.String(spec, "timeZone")
	if name == "" {
		return field.ErrorList{field.Invalid(p, named(name), "timeZone must be nil or non-empty string")}
	}
	if slices.ContainsFunc(strings.Split(name, "/"), isNoZonePart) {
		return field.ErrorList{field.Invalid(p, named(name), "unknown time zone "+name)}
	}
	var errs field.ErrorList
	if strings.EqualFold(name, "Local") {
		errs = append(errs, field.Invalid(p, named(name), "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones"))
	}
	if err := zoneError(name); err != nil {
		errs = append(errs, field.Invalid(p, named(name), err.Error()))
	}
	return errs
}

func isNoZonePart(s string) bool {
	return s == "." || s == ".." || s == "" || len(s) > 14 || s[0] == '-' || !consistsOf(s, lower+upper+digits+".-_+")
}
