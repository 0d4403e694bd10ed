package validation_test

import "testing"

func TestDaemonSet(t *testing.T) {
	testRejections(t, `apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, namespace: default}
spec:
  updateStrategy: {type: RollingUpdate}
  selector: {matchLabels: {app: a}}
  template:
    metadata: {labels: {app: a}}
    spec: {containers: [{name: c, image: i}]}`, []rejection{
		{onCreate, `spec: {selector: null}`, []string{
			"spec.template.metadata.labels: Invalid value: {\"app\":\"a\"}: `selector` does not match template `labels`",
		}},
		{onCreate, `spec: {selector: {matchLabels: null}}`, []string{`spec.selector: Invalid value: {}: empty selector is invalid for daemonset`}},
		{onCreate, `spec: {selector: {matchLabels: {app: b}}}`, []string{
			"spec.template.metadata.labels: Invalid value: {\"app\":\"a\"}: `selector` does not match template `labels`",
		}},
		{onCreate, `spec: {selector: {matchExpressions: [{key: app, operator: Foo}]}}`, []string{
			`spec.selector.matchExpressions[0].operator: Invalid value: "Foo": not a valid selector operator`,
		}},
		{onCreate, `spec: {minReadySeconds: -1, revisionHistoryLimit: -1}`, []string{
			`spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0`,
			`spec.revisionHistoryLimit: Invalid value: -1: must be greater than or equal to 0`,
		}},
		{onCreate, `spec: {updateStrategy: {type: Foo}}`, []string{
			`spec.updateStrategy: Unsupported value: {"Type":"Foo","RollingUpdate":null}: supported values: "RollingUpdate", "OnDelete"`,
		}},
		{onCreate, `spec: {updateStrategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 1}}}`, []string{
			`spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero`,
		}},
		{onCreate, `spec: {updateStrategy: {rollingUpdate: {maxSurge: 0%, maxUnavailable: 0}}}`, []string{
			`spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0`,
		}},
		{onCreate, `spec: {updateStrategy: {rollingUpdate: {maxSurge: 101%, maxUnavailable: 0}}}`, []string{
			`spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: "101%": must not be greater than 100%`,
		}},
		{onCreate, `spec: {updateStrategy: {rollingUpdate: {maxUnavailable: x}}}`, []string{
			`spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: "x": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')`,
			`spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0`,
		}},
		{onCreate, `spec: {template: {spec: {restartPolicy: Never, activeDeadlineSeconds: 5}}}`, []string{
			`spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"`,
			`spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in DaemonSet is not Supported`,
		}},
		{onUpdate, `spec: {selector: {matchLabels: {app: b}}, minReadySeconds: -1}`, []string{
			`spec.selector: Invalid value: {"matchLabels":{"app":"b"}}: field is immutable`,
			"spec.template.metadata.labels: Invalid value: {\"app\":\"a\"}: `selector` does not match template `labels`",
			`spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0`,
		}},
	})
}
