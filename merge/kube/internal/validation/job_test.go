package validation_test

import "testing"

func TestJob(t *testing.T) {
	testRejections(t, `apiVersion: batch/v1
kind: Job
metadata: {name: task, namespace: default}
spec:
  template:
    spec: {restartPolicy: Never, containers: [{name: c, image: i}], initContainers: [{name: setup, image: i}]}`, []rejection{
		{onCreate, `metadata: {name: Task}`, []string{
			`metadata.name: Invalid value: "Task": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
		}},
		{onCreate, `spec: {parallelism: -1, completions: -2, activeDeadlineSeconds: -3, backoffLimit: -4, ttlSecondsAfterFinished: -5}`, []string{
			`spec.parallelism: Invalid value: -1: must be greater than or equal to 0`,
			`spec.completions: Invalid value: -2: must be greater than or equal to 0`,
			`spec.activeDeadlineSeconds: Invalid value: -3: must be greater than or equal to 0`,
			`spec.backoffLimit: Invalid value: -4: must be greater than or equal to 0`,
			`spec.ttlSecondsAfterFinished: Invalid value: -5: must be greater than or equal to 0`,
		}},
		{onCreate, `spec: {selector: {matchLabels: {a: b}}}`, []string{
			"spec.selector: Invalid value: {\"matchLabels\":{\"a\":\"b\",\"batch.kubernetes.io/controller-uid\":\"00000000-0000-0000-0000-000000000000\"}}: `selector` not auto-generated",
			"spec.template.metadata.labels: Invalid value: {\"batch.kubernetes.io/controller-uid\":\"00000000-0000-0000-0000-000000000000\",\"batch.kubernetes.io/job-name\":\"task\",\"controller-uid\":\"00000000-0000-0000-0000-000000000000\",\"job-name\":\"task\"}: `selector` does not match template `labels`",
		}},
		{onCreate, `spec: {manualSelector: true}`, []string{
			`spec.selector: Required value`,
			"spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`",
		}},
		{onCreate, `spec: {template: {metadata: {labels: {job-name: other}}}}`, []string{
			`spec.template.metadata.labels[job-name]: Invalid value: {"batch.kubernetes.io/controller-uid":"00000000-0000-0000-0000-000000000000","batch.kubernetes.io/job-name":"task","controller-uid":"00000000-0000-0000-0000-000000000000","job-name":"other"}: must be 'task'`,
		}},
		{onCreate, `spec: {managedBy: ""}`, []string{`spec.managedBy: Required value`}},
		{onCreate, `spec: {managedBy: me}`, []string{
			`spec.managedBy: Invalid value: "me": must be a domain-prefixed path (such as "acme.io/foo")`,
		}},
		{onCreate, `spec: {managedBy: "Me/a b"}`, []string{
			`spec.managedBy: Invalid value: "Me": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
			`spec.managedBy: Invalid value: "a b": Invalid path (regex used for validation is '[A-Za-z0-9/\-._~%!$&'()*+,;=:]+')`,
		}},
		{onCreate, `spec: {managedBy: example.com/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa}`, []string{`spec.managedBy: Too long: may not be more than 63 bytes`}},
		{onCreate, `spec: {completionMode: Foo}`, []string{`spec.completionMode: Unsupported value: "Foo": supported values: "NonIndexed", "Indexed"`}},
		{onCreate, `spec: {backoffLimitPerIndex: -1, maxFailedIndexes: 1}`, []string{
			`spec.backoffLimitPerIndex: Invalid value: -1: must be greater than or equal to 0`,
			`spec.backoffLimitPerIndex: Invalid value: -1: requires indexed completion mode`,
			`spec.maxFailedIndexes: Invalid value: 1: requires indexed completion mode`,
		}},
		{onCreate, `spec: {maxFailedIndexes: 1}`, []string{
			`spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified`,
			`spec.maxFailedIndexes: Invalid value: 1: requires indexed completion mode`,
		}},
		{onCreate, `spec: {successPolicy: {rules: [{succeededCount: 1}]}}`, []string{
			`spec.successPolicy: Invalid value: {"Rules":[{"SucceededIndexes":null,"SucceededCount":1}]}: requires indexed completion mode`,
		}},
		{onCreate, `spec: {podReplacementPolicy: Foo}`, []string{
			`spec.podReplacementPolicy: Unsupported value: "Foo": supported values: "Failed", "TerminatingOrFailed"`,
		}},
		{onCreate, `spec: {template: {spec: {restartPolicy: Always}}}`, []string{`spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"`}},
		{onCreate, `spec: {template: {spec: {restartPolicy: Foo}}}`, []string{
			`spec.template.spec.restartPolicy: Unsupported value: "Foo": supported values: "Always", "OnFailure", "Never"`,
			`spec.template.spec.restartPolicy: Unsupported value: "Foo": supported values: "OnFailure", "Never"`,
		}},
		{onCreate, `spec: {podReplacementPolicy: TerminatingOrFailed, podFailurePolicy: {rules: [{action: Count, onExitCodes: {operator: In, values: [1]}}]}, template: {spec: {restartPolicy: OnFailure}}}`, []string{
			`spec.podReplacementPolicy: Unsupported value: "TerminatingOrFailed": supported values: "Failed"`,
			`spec.template.spec.restartPolicy: Invalid value: "OnFailure": only "Never" is supported when podFailurePolicy is specified`,
		}},
		{onCreate, `spec: {podFailurePolicy: {rules: [{action: FailIndex, onPodConditions: [{type: "a b", status: Foo}]}, {action: Foo}, {}]}}`, []string{
			`spec.podFailurePolicy.rules[0].action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set`,
			`spec.podFailurePolicy.rules[0].onPodConditions[0].type: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
			`spec.podFailurePolicy.rules[0].onPodConditions[0].status: Unsupported value: "Foo": supported values: "False", "True", "Unknown"`,
			`spec.podFailurePolicy.rules[1].action: Unsupported value: "Foo": supported values: "Count", "FailIndex", "FailJob", "Ignore"`,
			`spec.podFailurePolicy.rules[1]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required`,
			`spec.podFailurePolicy.rules[2].action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]`,
			`spec.podFailurePolicy.rules[2]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required`,
		}},
		{onCreate, `spec: {podFailurePolicy: {rules: [{action: Ignore, onExitCodes: {containerName: setup, operator: Foo}, onPodConditions: [{type: Ready}]}]}}`, []string{
			`spec.podFailurePolicy.rules[0].onExitCodes.operator: Unsupported value: "Foo": supported values: "In", "NotIn"`,
			`spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: null: at least one value is required`,
			`spec.podFailurePolicy.rules[0]: Invalid value: specifying both OnExitCodes and OnPodConditions is not supported`,
		}},
		{onCreate, `spec: {podFailurePolicy: {rules: [{action: Ignore, onExitCodes: {containerName: x, operator: In, values: [3, 0, 3]}}]}}`, []string{
			`spec.podFailurePolicy.rules[0].onExitCodes.containerName: Invalid value: "x": must be one of the container or initContainer names in the pod template`,
			`spec.podFailurePolicy.rules[0].onExitCodes.values[1]: Invalid value: 0: must not be 0 for the In operator`,
			`spec.podFailurePolicy.rules[0].onExitCodes.values[2]: Duplicate value: 3`,
			`spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: [3,0,3]: must be ordered`,
		}},
		{onUpdate, `spec: {completions: 5, parallelism: 5}`, []string{`spec.completions: Invalid value: 5: field is immutable`}},
		{onUpdate, `spec: {backoffLimit: 1, ttlSecondsAfterFinished: 5, suspend: true}`, nil},
		{onUpdate, `spec: {podFailurePolicy: {rules: [{action: Ignore, onPodConditions: [{type: Ready, status: "True"}]}]}}`, []string{
			`spec.podReplacementPolicy: Unsupported value: "TerminatingOrFailed": supported values: "Failed"`,
			`spec.podFailurePolicy: Invalid value: {"Rules":[{"Action":"Ignore","OnExitCodes":null,"OnPodConditions":[{"Type":"Ready","Status":"True"}]}]}: field is immutable`,
		}},
		{onUpdate, `spec: {managedBy: example.com/me}`, []string{`spec.managedBy: Invalid value: "example.com/me": field is immutable`}},
	})
}

func TestIndexedJob(t *testing.T) {
	testRejections(t, `apiVersion: batch/v1
kind: Job
metadata: {name: indexed, namespace: default}
spec:
  completionMode: Indexed
  completions: 3
  parallelism: 3
  backoffLimitPerIndex: 1
  template:
    spec: {restartPolicy: Never, containers: [{name: c, image: i}]}`, []rejection{
		{onCreate, `metadata: {name: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa}`, []string{
			`metadata.name: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": will not able to create pod with invalid DNS label: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-2`,
		}},
		{onCreate, `spec: {completions: null}`, []string{`spec.completions: Required value: when completion mode is Indexed`}},
		{onCreate, `spec: {completions: 1, maxFailedIndexes: 2}`, []string{`spec.maxFailedIndexes: Invalid value: 2: must be less than or equal to completions`}},
		{onCreate, `spec: {completions: 100001, parallelism: 100001}`, []string{
			`spec.parallelism: Invalid value: 100001: must be less than or equal to 100000 when completion mode is Indexed`,
			`spec.maxFailedIndexes: Required value: must be specified when completions is above 100000`,
			`spec.parallelism: Invalid value: 100001: must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index`,
		}},
		{onCreate, `spec: {completions: 100001, parallelism: 10001, maxFailedIndexes: 10001}`, []string{
			`spec.parallelism: Invalid value: 10001: must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index`,
			`spec.maxFailedIndexes: Invalid value: 10001: must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index`,
		}},
		{onCreate, `spec: {completions: 200000, parallelism: 1, maxFailedIndexes: 100001}`, []string{
			`spec.maxFailedIndexes: Invalid value: 100001: must be less than or equal to 100000`,
			`spec.maxFailedIndexes: Invalid value: 100001: must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index`,
		}},
		{onCreate, `spec: {successPolicy: {rules: null}}`, []string{
			`spec.successPolicy.rules: Required value: at least one rules must be specified when the successPolicy is specified`,
		}},
		{onCreate, `spec: {successPolicy: {rules: [{}, {succeededCount: -1}, {succeededCount: 4}, {succeededIndexes: "0-1", succeededCount: 3}]}}`, []string{
			`spec.successPolicy.rules[0]: Required value: at least one of succeededCount or succeededIndexes must be specified`,
			`spec.successPolicy.rules[1].succeededCount: Invalid value: -1: must be greater than or equal to 0`,
			`spec.successPolicy.rules[2].succeededCount: Invalid value: 4: must be less than or equal to 3 (the number of specified completions)`,
			`spec.successPolicy.rules[3].succeededCount: Invalid value: 3: must be less than or equal to 2 (the number of indexes in the specified succeededIndexes field)`,
		}},
		{onCreate, `spec: {successPolicy: {rules: [{succeededIndexes: "3"}, {succeededIndexes: "0-1-2"}, {succeededIndexes: "a"}, {succeededIndexes: "2-1"}, {succeededIndexes: "1,1"}]}}`, []string{
			`spec.successPolicy.rules[0].succeededIndexes: Invalid value: "3": error parsing succeededIndexes: too large index: "3"`,
			`spec.successPolicy.rules[1].succeededIndexes: Invalid value: "0-1-2": error parsing succeededIndexes: the fragment "0-1-2" violates the requirement that an index interval can have at most two parts separated by '-'`,
			`spec.successPolicy.rules[2].succeededIndexes: Invalid value: "a": error parsing succeededIndexes: cannot convert string to integer for index: "a"`,
			`spec.successPolicy.rules[3].succeededIndexes: Invalid value: "2-1": error parsing succeededIndexes: non-increasing order, previous: 2, current: 1`,
			`spec.successPolicy.rules[4].succeededIndexes: Invalid value: "1,1": error parsing succeededIndexes: non-increasing order, previous: 1, current: 1`,
		}},
		{onCreate, `spec: {podFailurePolicy: {rules: [{action: FailIndex, onExitCodes: {operator: NotIn, values: [0]}}]}}`, nil},
		{onUpdate, `spec: {completions: 5, parallelism: 5}`, nil},
		{onUpdate, `spec: {completions: 5}`, []string{`spec.completions: Invalid value: 5: can only be modified in tandem with spec.parallelism`}},
		{onUpdate, `spec: {completionMode: NonIndexed}`, []string{
			`spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode`,
			`spec.completionMode: Invalid value: "NonIndexed": field is immutable`,
		}},
		{onUpdate, `spec: {successPolicy: {rules: [{succeededCount: 1}]}, backoffLimitPerIndex: 2}`, []string{
			`spec.backoffLimitPerIndex: Invalid value: 2: field is immutable`,
			`spec.successPolicy: Invalid value: {"Rules":[{"SucceededIndexes":null,"SucceededCount":1}]}: field is immutable`,
		}},
	})
}

func TestSuspendedJob(t *testing.T) {
	testRejections(t, `apiVersion: batch/v1
kind: Job
metadata: {name: suspended, namespace: default}
spec:
  suspend: true
  template:
    metadata: {annotations: {a: b}}
    spec:
      restartPolicy: Never
      affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists}]}]}}}
      containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]`, []rejection{
		{onUpdate, `spec: {suspend: false, template: {metadata: {annotations: {a: c}}, spec: {nodeSelector: {a: b}, tolerations: [{operator: Exists}], schedulingGates: [{name: x/y}]}}}`, nil},
		{onUpdate, `spec: {template: {spec: {affinity: null}}}`, nil},
		{onUpdate, `spec: {template: {spec: {affinity: {nodeAffinity: null, podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 0, podAffinityTerm: {topologyKey: z}}]}}}}}`, []string{
			`spec.template.spec.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 0: must be in the range 1-100`,
			`spec.template.spec: Invalid value: {"Volumes":null,"InitContainers":null,"Containers":[{"Name":"c","…meOverride":null,"SchedulingGroup":null}: field is immutable`,
		}},
		{onUpdate, `spec: {template: {spec: {containers: [{name: c, image: i, resources: {requests: {cpu: "2"}}}]}}}`, nil},
	})
}
