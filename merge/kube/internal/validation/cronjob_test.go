package validation_test

import "testing"

const cronJob = `apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly, namespace: default}
spec:
  schedule: 0 3 * * *
  jobTemplate:
    spec:
      template:
        spec: {restartPolicy: Never, containers: [{name: c, image: i}]}`

func TestCronJob(t *testing.T) {
	testRejections(t, cronJob, []rejection{
		{onCreate, `metadata: {name: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa}`, []string{
			`metadata.name: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 52 characters`,
		}},
		{onCreate, `spec: {schedule: ""}`, []string{`spec.schedule: Required value`}},
		{onCreate, `spec: {schedule: bad}`, []string{`spec.schedule: Invalid value: "bad": expected exactly 5 fields, found 1: [bad]`}},
		{onCreate, `spec: {schedule: TZ=UTC 0 3 * * *}`, []string{
			`spec.schedule: Invalid value: "TZ=UTC 0 3 * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead`,
		}},
		{onCreate, `spec: {timeZone: ""}`, []string{`spec.timeZone: Invalid value: "": timeZone must be nil or non-empty string`}},
		{onCreate, `spec: {timeZone: local}`, []string{
			`spec.timeZone: Invalid value: "local": timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones`,
			`spec.timeZone: Invalid value: "local": unknown time zone local`,
		}},
		{onCreate, `spec: {timeZone: Foo/Bar}`, []string{`spec.timeZone: Invalid value: "Foo/Bar": unknown time zone Foo/Bar`}},
		{onCreate, `spec: {timeZone: Europe//Berlin}`, []string{`spec.timeZone: Invalid value: "Europe//Berlin": unknown time zone Europe//Berlin`}},
		{onCreate, `spec: {timeZone: Europe/Berlin}`, nil},
		{onCreate, `spec: {concurrencyPolicy: Foo, startingDeadlineSeconds: -1, successfulJobsHistoryLimit: -1, failedJobsHistoryLimit: -1}`, []string{
			`spec.startingDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0`,
			`spec.concurrencyPolicy: Unsupported value: "Foo": supported values: "Allow", "Forbid", "Replace"`,
			`spec.successfulJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0`,
			`spec.failedJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0`,
		}},
		{onCreate, `spec: {jobTemplate: {spec: {backoffLimit: -1, manualSelector: true, selector: {matchLabels: {a: b}}}}}`, []string{
			`spec.jobTemplate.spec.backoffLimit: Invalid value: -1: must be greater than or equal to 0`,
			"spec.jobTemplate.spec.selector: Invalid value: {\"matchLabels\":{\"a\":\"b\"}}: `selector` will be auto-generated",
			`spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "nil", "false"`,
		}},
		{onCreate, `spec: {jobTemplate: {spec: {template: {spec: {restartPolicy: null}}}}}`, []string{
			`spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"`,
		}},
		{onUpdate, `spec: {schedule: "* * * * * *", concurrencyPolicy: Forbid, jobTemplate: {spec: {completions: 2, template: {spec: {restartPolicy: OnFailure}}}}}`, []string{
			`spec.schedule: Invalid value: "* * * * * *": expected exactly 5 fields, found 6: [* * * * * *]`,
		}},
	})
}
