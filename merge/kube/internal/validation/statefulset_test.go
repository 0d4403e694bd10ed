package validation_test

import "testing"

func TestStatefulSet(t *testing.T) {
	testRejections(t, `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, namespace: default}
spec:
  serviceName: db
  updateStrategy: {type: RollingUpdate}
  selector: {matchLabels: {app: a}}
  template:
    metadata: {labels: {app: a}}
    spec: {subdomain: Sub, containers: [{name: c, image: i, volumeMounts: [{name: data, mountPath: /data}]}]}
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}`, []rejection{
		{onCreate, `metadata: {name: d.b}`, []string{`metadata.name: Invalid value: "d.b": must not contain dots`}},
		{onCreate, `spec: {podManagementPolicy: Foo, updateStrategy: {type: Foo}}`, []string{
			`spec.podManagementPolicy: Invalid value: "Foo": must be 'OrderedReady' or 'Parallel'`,
			`spec.updateStrategy: Invalid value: {"Type":"Foo","RollingUpdate":null}: must be 'RollingUpdate' or 'OnDelete'`,
		}},
		{onCreate, `spec: {updateStrategy: {type: OnDelete, rollingUpdate: {partition: 1}}}`, []string{
			`spec.updateStrategy.rollingUpdate: Invalid value: {"Partition":1,"MaxUnavailable":null}: only allowed for updateStrategy 'RollingUpdate'`,
		}},
		{onCreate, `spec: {updateStrategy: {rollingUpdate: {partition: -1}}}`, []string{
			`spec.updateStrategy.rollingUpdate.partition: Invalid value: -1: must be greater than or equal to 0`,
		}},
		{onCreate, `spec: {persistentVolumeClaimRetentionPolicy: {whenDeleted: Foo, whenScaled: Bar}}`, []string{
			`spec.persistentVolumeClaimRetentionPolicy.whenDeleted: Unsupported value: "Foo": supported values: "Retain", "Delete"`,
			`spec.persistentVolumeClaimRetentionPolicy.whenScaled: Unsupported value: "Bar": supported values: "Retain", "Delete"`,
		}},
		{onCreate, `spec: {volumeClaimTemplates: [{metadata: {name: data}, spec: {}}]}`, []string{
			`spec.volumeClaimTemplates[0].spec.accessModes: Required value: at least 1 access mode is required`,
			`spec.volumeClaimTemplates[0].spec.resources[storage]: Required value`,
		}},
		{onCreate, `spec: {volumeClaimTemplates: null}`, []string{`spec.template.spec.containers[0].volumeMounts[0].name: Not found: "data"`}},
		{onCreate, `spec: {replicas: -1, minReadySeconds: -1, ordinals: {start: -1}, serviceName: A_}`, []string{
			`spec.replicas: Invalid value: -1: must be greater than or equal to 0`,
			`spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0`,
			`spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0`,
			`spec.serviceName: Invalid value: "A_": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
		}},
		{onCreate, `spec: {selector: null}`, []string{
			`spec.selector: Required value`,
			"spec.template.metadata.labels: Invalid value: {\"app\":\"a\"}: `selector` does not match template `labels`",
		}},
		{onCreate, `spec: {selector: {matchLabels: null}}`, []string{`spec.selector: Invalid value: {}: empty selector is invalid for statefulset`}},
		{onCreate, `spec: {selector: {matchExpressions: [{key: app, operator: Foo}]}}`, []string{
			`spec.selector.matchExpressions[0].operator: Invalid value: "Foo": not a valid selector operator`,
			`spec.selector: Invalid value: {"matchLabels":{"app":"a"},"matchExpressions":[{"key":"app","operator":"Foo"}]}`,
		}},
		{onCreate, `spec: {template: {metadata: {labels: {app: b}}}}`, []string{
			"spec.template.metadata.labels: Invalid value: {\"app\":\"b\"}: `selector` does not match template `labels`",
		}},
		{onCreate, `spec: {template: {spec: {restartPolicy: Never, activeDeadlineSeconds: 5}}}`, []string{
			`spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"`,
			`spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in StatefulSet is not Supported`,
		}},
		{onUpdate, `spec: {serviceName: other}`, []string{
			`spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden`,
		}},
		{onUpdate, `spec: {selector: {matchLabels: {tier: b}}, template: {metadata: {labels: {tier: b}}}}`, []string{
			`spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden`,
		}},
		{onUpdate, `spec: {podManagementPolicy: Parallel, volumeClaimTemplates: null}`, []string{
			`spec.template.spec.containers[0].volumeMounts[0].name: Not found: "data"`,
			`spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden`,
		}},
		{onUpdate, `spec: {updateStrategy: {type: OnDelete}}`, nil},
		{onUpdate, `spec: {volumeClaimTemplates: [{kind: Foo, metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}, volumeMode: Filesystem}}]}`, nil},
		{onUpdate, `spec: {replicas: 3, ordinals: {start: 1}, revisionHistoryLimit: -1, minReadySeconds: 5, template: {metadata: {labels: {x: y}}}}`, nil},
	})
}
