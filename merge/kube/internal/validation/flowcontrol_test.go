package validation_test

import "testing"

func TestFlowSchema(t *testing.T) {
	testRejections(t, `apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: FlowSchema
metadata: {name: mine}
spec:
  matchingPrecedence: 1000
  priorityLevelConfiguration: {name: global-default}
  rules:
  - subjects: [{kind: User, user: {name: me}}]
    resourceRules: [{verbs: [get], apiGroups: [""], resources: [pods], namespaces: [default]}]`, []rejection{
		{onCreate, `spec: {matchingPrecedence: 0, priorityLevelConfiguration: {name: null}}`, []string{`spec.priorityLevelConfiguration.name: Required value: must reference a priority level`}},
		{onCreate, `spec: {matchingPrecedence: 10001, priorityLevelConfiguration: {name: A_}, distinguisherMethod: {type: Foo}}`, []string{
			`spec.matchingPrecedence: Invalid value: 10001: must not be greater than 10000`,
			`spec.distinguisherMethod.type: Unsupported value: {"Type":"Foo"}: supported values: "ByNamespace", "ByUser"`,
			`spec.priorityLevelConfiguration.name: Invalid value: "A_": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
		}},
		{onCreate, `spec: {matchingPrecedence: 1}`, []string{
			`spec.matchingPrecedence: Invalid value: 1: only the schema named 'exempt' may have matchingPrecedence 1`,
		}},
		{onCreate, `metadata: {name: exempt}`, []string{
			`spec: Invalid value: {"PriorityLevelConfiguration":{"Name":"global-default"},"MatchingPrecedence":1000,"DistinguisherMethod":null,"Rules":[{"Subjects":[{"Kind":"User","User":{"Name":"me"},"Group":null,"ServiceAccount":null}],"ResourceRules":[{"Verbs":["get"],"APIGroups":[""],"Resources":["pods"],"ClusterScope":false,"Namespaces":["default"]}],"NonResourceRules":null}]}: spec of 'exempt' must equal the fixed value`,
		}},
		{onCreate, `metadata: {name: catch-all}`, []string{
			`spec: Invalid value: {"PriorityLevelConfiguration":{"Name":"global-default"},"MatchingPrecedence":1000,"DistinguisherMethod":null,"Rules":[{"Subjects":[{"Kind":"User","User":{"Name":"me"},"Group":null,"ServiceAccount":null}],"ResourceRules":[{"Verbs":["get"],"APIGroups":[""],"Resources":["pods"],"ClusterScope":false,"Namespaces":["default"]}],"NonResourceRules":null}]}: spec of 'catch-all' must equal the fixed value`,
		}},
		{onCreate, `spec: {rules: [{}]}`, []string{
			`spec.rules[0].subjects: Required value: subjects must contain at least one value`,
			`spec.rules[0]: Required value: at least one of resourceRules and nonResourceRules has to be non-empty`,
		}},
		{onCreate, `spec: {rules: [{subjects: [{kind: Foo}, {kind: User, group: {name: g}}, {kind: ServiceAccount, serviceAccount: {}, user: {name: u}}, {kind: ServiceAccount, serviceAccount: {name: A_, namespace: n.s}}, {kind: Group, group: {}}], nonResourceRules: [{verbs: ["*"], nonResourceURLs: ["*"]}]}]}`, []string{
			`spec.rules[0].subjects[0].kind: Unsupported value: "Foo": supported values: "Group", "ServiceAccount", "User"`,
			`spec.rules[0].subjects[1].user: Required value: user is required when subject kind is 'User'`,
			`spec.rules[0].subjects[1].group: Forbidden: group is forbidden when subject kind is not 'Group'`,
			`spec.rules[0].subjects[2].serviceAccount.name: Required value`,
			`spec.rules[0].subjects[2].serviceAccount.namespace: Required value: must specify namespace for service account`,
			`spec.rules[0].subjects[2].user: Forbidden: user is forbidden when subject kind is not 'User'`,
			`spec.rules[0].subjects[3].serviceAccount.name: Invalid value: "A_": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
			`spec.rules[0].subjects[3].serviceAccount.namespace: Invalid value: "n.s": must not contain dots`,
			`spec.rules[0].subjects[4].group.name: Required value`,
		}},
		{onCreate, `spec: {rules: [{subjects: [{kind: User, user: {name: u}}], resourceRules: [{}, {verbs: [foo], apiGroups: ["*", a], resources: ["*", a], namespaces: ["*", a]}, {verbs: ["*", get], apiGroups: [a], resources: [a], namespaces: [A]}], nonResourceRules: [{}, {verbs: [get], nonResourceURLs: ["*", /a]}, {verbs: [get], nonResourceURLs: ["", a, "/a b", /a//b, "/a*", /, "/a/*"]}]}]}`, []string{
			`spec.rules[0].resourceRules[0].verbs: Required value: verbs must contain at least one value`,
			`spec.rules[0].resourceRules[0].apiGroups: Required value: resource rules must supply at least one api group`,
			`spec.rules[0].resourceRules[0].resources: Required value: resource rules must supply at least one resource`,
			`spec.rules[0].resourceRules[0].namespaces: Required value: resource rules that are not cluster scoped must supply at least one namespace`,
			`spec.rules[0].resourceRules[1].verbs: Unsupported value: ["foo"]: supported values: "create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"`,
			`spec.rules[0].resourceRules[1].apiGroups: Invalid value: ["*","a"]: if '*' is present, must not specify other api groups`,
			`spec.rules[0].resourceRules[1].resources: Invalid value: ["*","a"]: if '*' is present, must not specify other resources`,
			`spec.rules[0].resourceRules[1].namespaces: Invalid value: ["*","a"]: if '*' is present, must not specify other namespaces`,
			`spec.rules[0].resourceRules[2].verbs: Invalid value: ["*","get"]: if '*' is present, must not specify other verbs`,
			`spec.rules[0].resourceRules[2].namespaces[0]: Invalid value: "A": each member of this list must be '*' or a DNS-1123 label; a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
			`spec.rules[0].nonResourceRules[0].verbs: Required value: verbs must contain at least one value`,
			`spec.rules[0].nonResourceRules[0].nonResourceURLs: Required value: nonResourceURLs must contain at least one value`,
			`spec.rules[0].nonResourceRules[1].nonResourceURLs: Invalid value: ["*","/a"]: if '*' is present, must not specify other non-resource URLs`,
			`spec.rules[0].nonResourceRules[2].nonResourceURLs[0]: Invalid value: "": must not be empty`,
			`spec.rules[0].nonResourceRules[2].nonResourceURLs[1]: Invalid value: "a": must start with slash`,
			`spec.rules[0].nonResourceRules[2].nonResourceURLs[2]: Invalid value: "/a b": must not contain white-space`,
			`spec.rules[0].nonResourceRules[2].nonResourceURLs[3]: Invalid value: "/a//b": must not contain double slash`,
			`spec.rules[0].nonResourceRules[2].nonResourceURLs[4]: Invalid value: "/a*": wildcard can only do suffix matching`,
		}},
		{onUpdate, `spec: {matchingPrecedence: -1}`, []string{`spec.matchingPrecedence: Invalid value: -1: must be a positive value`}},
	})
}

func TestPriorityLevel(t *testing.T) {
	testRejections(t, `apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: PriorityLevelConfiguration
metadata: {name: mine}
spec: {type: Limited, limited: {nominalConcurrencyShares: 5, limitResponse: {type: Queue, queuing: {queues: 64, handSize: 6, queueLengthLimit: 50}}}}`, []rejection{
		{onCreate, `spec: {type: Foo}`, []string{`spec.type: Unsupported value: "Foo": supported values: "Exempt", "Limited"`}},
		{onCreate, `spec: {type: Exempt, exempt: {nominalConcurrencyShares: -1, lendablePercent: 101}}`, []string{
			"spec.type: Invalid value: \"Exempt\": must be 'Exempt' if and only if `name` is 'exempt'",
			`spec.limited: Forbidden: must be nil if the type is not Limited`,
			`spec.exempt.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer`,
			`spec.exempt.lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive`,
		}},
		{onCreate, `spec: {limited: null, exempt: {}}`, []string{
			`spec.exempt: Forbidden: must be nil if the type is Limited`,
			`spec.limited: Required value: must not be empty when type is Limited`,
		}},
		{onCreate, `metadata: {name: exempt}`, []string{
			"spec.type: Invalid value: \"Limited\": must be 'Exempt' if and only if `name` is 'exempt'",
			`spec: Invalid value: {"Type":"Limited","Limited":{"NominalConcurrencyShares":5,"LimitResponse":{"Type":"Queue","Queuing":{"Queues":64,"HandSize":6,"QueueLengthLimit":50}},"LendablePercent":0,"BorrowingLimitPercent":null},"Exempt":null}: spec of 'exempt' except the 'spec.exempt' field must equal the fixed value`,
		}},
		{onCreate, `metadata: {name: catch-all}`, []string{
			`spec: Invalid value: {"Type":"Limited","Limited":{"NominalConcurrencyShares":5,"LimitResponse":{"Type":"Queue","Queuing":{"Queues":64,"HandSize":6,"QueueLengthLimit":50}},"LendablePercent":0,"BorrowingLimitPercent":null},"Exempt":null}: spec of 'catch-all' must equal the fixed value`,
		}},
		{onCreate, `metadata: {annotations: {flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares: ""}}`, []string{
			`metadata.annotations: Forbidden: annotation 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares' is forbidden`,
		}},
		{onCreate, `spec: {limited: {nominalConcurrencyShares: -1, lendablePercent: -1, borrowingLimitPercent: -1, limitResponse: {type: Foo}}}`, []string{
			`spec.limited.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer`,
			`spec.limited.limitResponse.type: Unsupported value: "Foo": supported values: "Queue", "Reject"`,
			`spec.limited.lendablePercent: Invalid value: -1: must be between 0 and 100, inclusive`,
			`spec.limited.borrowingLimitPercent: Invalid value: -1: if specified, must be a non-negative integer`,
		}},
		{onCreate, `spec: {limited: {limitResponse: {type: Reject}}}`, []string{
			`spec.limited.limitResponse.queuing: Forbidden: must be nil if limited.limitResponse.type is not Limited`,
		}},
		{onCreate, `spec: {limited: {limitResponse: {queuing: null}}}`, []string{
			`spec.limited.limitResponse.queuing: Required value: must not be empty if limited.limitResponse.type is Limited`,
		}},
		{onCreate, `spec: {limited: {limitResponse: {queuing: {queues: -1, handSize: -1, queueLengthLimit: -1}}}}`, []string{
			`spec.limited.limitResponse.queuing.queueLengthLimit: Invalid value: -1: must be positive`,
			`spec.limited.limitResponse.queuing.queues: Invalid value: -1: must be positive`,
			`spec.limited.limitResponse.queuing.handSize: Invalid value: -1: must be positive`,
		}},
		{onCreate, `spec: {limited: {limitResponse: {queuing: {queues: 10000001, handSize: 10000002}}}}`, []string{
			`spec.limited.limitResponse.queuing.queues: Invalid value: 10000001: must not be greater than 10000000`,
			`spec.limited.limitResponse.queuing.handSize: Invalid value: 10000002: should not be greater than queues (10000001)`,
		}},
		{onCreate, `spec: {limited: {limitResponse: {queuing: {handSize: 11}}}}`, []string{
			`spec.limited.limitResponse.queuing.handSize: Invalid value: 11: required entropy bits of deckSize 64 and handSize 11 should not be greater than 60`,
		}},
		{onUpdate, `spec: {limited: {limitResponse: {type: null}}}`, []string{`spec.limited.limitResponse.type: Required value`}},
	})
}
