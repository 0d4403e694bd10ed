package validation_test

import "testing"

func TestDeployment(t *testing.T) {
	testRejections(t, `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default}
spec:
  selector: {matchLabels: {app: a}}
  strategy: {type: RollingUpdate}
  template:
    metadata: {labels: {app: a}}
    spec: {containers: [{name: c, image: i}]}`, []rejection{
		{onCreate, `metadata: {name: Web}`, []string{
			`metadata.name: Invalid value: "Web": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
		}},
		{onCreate, `spec: {replicas: -1, minReadySeconds: -1, revisionHistoryLimit: -1, progressDeadlineSeconds: -1}`, []string{
			`spec.replicas: Invalid value: -1: must be greater than or equal to 0`,
			`spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0`,
			`spec.revisionHistoryLimit: Invalid value: -1: must be greater than or equal to 0`,
			`spec.progressDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0`,
			`spec.progressDeadlineSeconds: Invalid value: -1: must be greater than minReadySeconds`,
		}},
		{onCreate, `spec: {minReadySeconds: 600}`, []string{`spec.progressDeadlineSeconds: Invalid value: 600: must be greater than minReadySeconds`}},
		{onCreate, `spec: {selector: null}`, []string{
			`spec.selector: Required value`,
			"spec.template.metadata.labels: Invalid value: {\"app\":\"a\"}: `selector` does not match template `labels`",
		}},
		{onCreate, `spec: {selector: {matchLabels: null}}`, []string{`spec.selector: Invalid value: {}: empty selector is invalid for deployment`}},
		{onCreate, `spec: {selector: {matchLabels: {app: b}}}`, []string{
			"spec.template.metadata.labels: Invalid value: {\"app\":\"a\"}: `selector` does not match template `labels`",
		}},
		{onCreate, `spec: {selector: {matchExpressions: [{key: app, operator: Foo}]}}`, []string{
			`spec.selector.matchExpressions[0].operator: Invalid value: "Foo": not a valid selector operator`,
			`spec.selector: Invalid value: {"matchLabels":{"app":"a"},"matchExpressions":[{"key":"app","operator":"Foo"}]}: invalid label selector`,
		}},
		{onCreate, `spec: {selector: {matchExpressions: [{key: app, operator: In}, {key: app, operator: Exists, values: [a]}]}}`, []string{
			"spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
			"spec.selector.matchExpressions[1].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
			`spec.selector: Invalid value: {"matchLabels":{"app":"a"},"matchExpressions":[{"key":"app","operator":"In"},{"key":"app","operator":"Exists","values":["a"]}]}: invalid label selector`,
		}},
		{onCreate, `spec: {selector: {matchLabels: {"a b": c!}}}`, []string{
			`spec.selector.matchLabels: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
			`spec.selector.matchLabels: Invalid value: "c!": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
			`spec.selector: Invalid value: {"matchLabels":{"a b":"c!","app":"a"}}: invalid label selector`,
		}},
		{onCreate, `spec: {strategy: {type: Foo}}`, []string{
			`spec.strategy: Unsupported value: {"Type":"Foo","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"`,
		}},
		{onCreate, `spec: {strategy: {type: Recreate, rollingUpdate: {maxSurge: 1}}}`, []string{
			"spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
		}},
		{onCreate, `spec: {strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 0%}}}`, []string{
			"spec.strategy.rollingUpdate.maxUnavailable: Invalid value: \"0%\": may not be 0 when `maxSurge` is 0",
		}},
		{onCreate, `spec: {strategy: {rollingUpdate: {maxSurge: -1, maxUnavailable: 101%}}}`, []string{
			`spec.strategy.rollingUpdate.maxSurge: Invalid value: -1: must be greater than or equal to 0`,
			`spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%`,
		}},
		{onCreate, `spec: {strategy: {rollingUpdate: {maxSurge: "3", maxUnavailable: abc}}}`, []string{
			`spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "abc": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')`,
			`spec.strategy.rollingUpdate.maxSurge: Invalid value: "3": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')`,
		}},
		{onCreate, `spec: {template: {spec: {restartPolicy: Never, activeDeadlineSeconds: 5}}}`, []string{
			`spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"`,
			`spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported`,
		}},
		{onUpdate, `spec: {selector: {matchLabels: {app: b}}, template: {metadata: {labels: {app: b}}}}`, []string{`spec.selector: Invalid value: {"matchLabels":{"app":"b"}}: field is immutable`}},
		{onUpdate, `spec: {replicas: -1, selector: null}`, []string{
			`spec.replicas: Invalid value: -1: must be greater than or equal to 0`,
			`spec.selector: Required value`,
			"spec.template.metadata.labels: Invalid value: {\"app\":\"a\"}: `selector` does not match template `labels`",
			`spec.selector: Invalid value: null: field is immutable`,
		}},
	})
}

func TestReplicaSet(t *testing.T) {
	testRejections(t, `apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: web, namespace: default}
spec:
  selector: {matchLabels: {app: a}}
  template:
    metadata: {labels: {app: a}}
    spec: {containers: [{name: c, image: i}]}`, []rejection{
		{onCreate, `spec: {replicas: -1, minReadySeconds: -1}`, []string{
			`spec.replicas: Invalid value: -1: must be greater than or equal to 0`,
			`spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0`,
		}},
		{onCreate, `spec: {selector: {matchLabels: null}}`, []string{`spec.selector: Invalid value: {}: empty selector is invalid for deployment`}},
		{onCreate, `spec: {template: {metadata: {labels: {app: b}}}}`, []string{
			"spec.template.metadata.labels: Invalid value: {\"app\":\"b\"}: `selector` does not match template `labels`",
		}},
		{onCreate, `spec: {template: {spec: {restartPolicy: OnFailure}}}`, []string{
			`spec.template.spec.restartPolicy: Unsupported value: "OnFailure": supported values: "Always"`,
		}},
		{onUpdate, `spec: {selector: {matchLabels: {tier: b}}, template: {metadata: {labels: {tier: b}}}}`, []string{`spec.selector: Invalid value: {"matchLabels":{"app":"a","tier":"b"}}: field is immutable`}},
	})
}

func TestReplicationController(t *testing.T) {
	testRejections(t, `apiVersion: v1
kind: ReplicationController
metadata: {name: web, namespace: default}
spec:
  selector: {app: a}
  template:
    metadata: {labels: {app: a}}
    spec: {containers: [{name: c, image: i}]}`, []rejection{
		{onCreate, `metadata: {name: We_b}`, []string{
			`metadata.name: Invalid value: "We_b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
		}},
		{onCreate, `spec: {replicas: -1, minReadySeconds: -1}`, []string{
			`spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0`,
			`spec.replicas: Invalid value: -1: must be greater than or equal to 0`,
		}},
		{onCreate, `spec: {selector: {app: b}}`, []string{
			"spec.template.metadata.labels: Invalid value: {\"app\":\"a\"}: `selector` does not match template `labels`",
		}},
		{onCreate, `spec: {template: null, selector: null}`, []string{
			`spec.selector: Required value`,
			`spec.template: Required value`,
		}},
		{onCreate, `spec: {template: {spec: {restartPolicy: Never, activeDeadlineSeconds: 5}}}`, []string{
			`spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"`,
			`spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicationController is not Supported`,
		}},
		{onUpdate, `spec: {selector: {app: b}, replicas: -1}`, []string{
			`spec.replicas: Invalid value: -1: must be greater than or equal to 0`,
			"spec.template.metadata.labels: Invalid value: {\"app\":\"a\"}: `selector` does not match template `labels`",
		}},
	})
}

func TestControllerRevision(t *testing.T) {
	testRejections(t, `apiVersion: apps/v1
kind: ControllerRevision
metadata: {name: web-1, namespace: default}
revision: 1
data: {a: b}`, []rejection{
		{onCreate, `revision: -1`, []string{`revision: Invalid value: -1: must be greater than or equal to 0`}},
		{onCreate, `data: null`, []string{`data: Required value: data is mandatory`}},
		{onCreate, `data: [1]`, []string{`data: Required value: data must be a valid JSON object`}},
		{onUpdate, `data: {a: c}`, []string{`data: Invalid value: {"a":"c"}: field is immutable`}},
		{onUpdate, `data: {a: b, c: []}`, []string{`data: Invalid value: {"a":"b","c":[]}: field is immutable`}},
	})
}
