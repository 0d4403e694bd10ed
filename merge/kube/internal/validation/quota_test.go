package validation_test

import "testing"

func TestResourceQuota(t *testing.T) {
	testRejections(t, `apiVersion: v1
kind: ResourceQuota
metadata: {name: q, namespace: default}
spec: {hard: {pods: "4"}, scopes: [NotTerminating]}`, []rejection{
		{onCreate, `spec: {hard: {foo: "1"}}`, []string{
			`spec.hard[foo]: Invalid value: "foo": must be a standard resource type or fully qualified`,
			`spec.hard[foo]: Invalid value: "foo": must be a standard resource for quota`,
		}},
		{onCreate, `spec: {hard: {storage: "1"}}`, []string{`spec.hard[storage]: Invalid value: "storage": must be a standard resource for quota`}},
		{onCreate, `spec: {hard: {pods: "1.5"}}`, []string{`spec.hard[pods]: Invalid value: "1500m": must be an integer`}},
		{onCreate, `spec: {hard: {pods: "-1"}}`, []string{`spec.hard[pods]: Invalid value: "-1": must be greater than or equal to 0`}},
		{onCreate, `spec: {hard: {"a b": "1"}}`, []string{
			`spec.hard[a b]: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
			`spec.hard[a b]: Invalid value: "a b": must be a standard resource for quota`,
		}},
		{onCreate, `spec: {scopes: [Foo]}`, []string{`spec.scopes: Invalid value: ["Foo"]: unsupported scope`}},
		{onCreate, `spec: {hard: {services: "1"}, scopes: [BestEffort, NotBestEffort]}`, []string{
			`spec.scopes: Invalid value: ["BestEffort","NotBestEffort"]: unsupported scope applied to resource`,
			`spec.scopes: Invalid value: ["BestEffort","NotBestEffort"]: conflicting scopes`,
		}},
		{onCreate, `spec: {scopes: null, scopeSelector: {matchExpressions: [{scopeName: Foo, operator: Bar}, {scopeName: Terminating, operator: In}, {scopeName: PriorityClass, operator: Exists, values: [a]}]}}`, []string{
			`spec.scopeSelector.matchExpressions.scopeName: Invalid value: "Foo": unsupported scope`,
			`spec.scopeSelector.matchExpressions.operator: Invalid value: "Bar": not a valid selector operator`,
			`spec.scopeSelector.matchExpressions.operator: Invalid value: "In": must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity`,
			"spec.scopeSelector.matchExpressions.values: Required value: must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
			"spec.scopeSelector.matchExpressions.values: Invalid value: [\"a\"]: must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
		}},
		{onCreate, `spec: {scopes: null, hard: {services: "1"}, scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: Exists}]}}`, []string{
			`spec.scopeSelector.matchExpressions: Invalid value: {"MatchExpressions":[{"ScopeName":"PriorityClass","Operator":"Exists","Values":null}]}: unsupported scope applied to resource`,
		}},
		{onCreate, `spec: {scopes: null, scopeSelector: {matchExpressions: [{scopeName: Terminating, operator: Exists}, {scopeName: NotTerminating, operator: Exists}]}}`, []string{`spec.scopeSelector.matchExpressions: Invalid value: null: conflicting scopes`}},
		{onUpdate, `spec: {scopes: [Terminating]}`, []string{`spec.scopes: Invalid value: ["Terminating"]: field is immutable`}},
		{onUpdate, `spec: {scopes: null, hard: {pods: "5"}}`, []string{`spec.scopes: Invalid value: null: field is immutable`}},
	})
}

func TestLimitRange(t *testing.T) {
	testRejections(t, `apiVersion: v1
kind: LimitRange
metadata: {name: l, namespace: default}
spec: {limits: [{type: Container, max: {cpu: "2"}}]}`, []rejection{
		{onCreate, `spec: {limits: [{type: Foo}, {type: "a b"}, {type: example.com/foo}]}`, []string{
			`spec.limits[0].type: Invalid value: "Foo": must be a standard limit type or fully qualified`,
			`spec.limits[1].type: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
		}},
		{onCreate, `spec: {limits: [{type: Pod, max: {cpu: "2"}}, {type: Pod, default: {cpu: "1"}, defaultRequest: {cpu: "1"}}]}`, []string{
			`spec.limits[1].type: Duplicate value: "Pod"`,
			"spec.limits[1].default: Forbidden: may not be specified when `type` is 'Pod'",
			"spec.limits[1].defaultRequest: Forbidden: may not be specified when `type` is 'Pod'",
		}},
		{onCreate, `spec: {limits: [{type: PersistentVolumeClaim}, {type: Container, max: {storage: "1"}}]}`, []string{
			`spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided`,
			`spec.limits[1].max[storage]: Invalid value: "storage": must be a standard resource for containers`,
			`spec.limits[1].default[storage]: Invalid value: "storage": must be a standard resource for containers`,
			`spec.limits[1].defaultRequest[storage]: Invalid value: "storage": must be a standard resource for containers`,
		}},
		{onCreate, `spec: {limits: [{type: Container, min: {cpu: "3"}, max: {cpu: "2"}}]}`, []string{
			`spec.limits[0].min[cpu]: Invalid value: "3": min value 3 is greater than max value 2`,
			`spec.limits[0].defaultRequest[cpu]: Invalid value: "2": min value 3 is greater than default request value 2`,
			`spec.limits[0].default[cpu]: Invalid value: "3": min value 3 is greater than default value 2`,
		}},
		{onCreate, `spec: {limits: [{type: Container, min: {cpu: "2"}, default: {cpu: "1"}, defaultRequest: {cpu: "1500m"}}]}`, []string{
			`spec.limits[0].defaultRequest[cpu]: Invalid value: "1500m": min value 2 is greater than default request value 1500m`,
			`spec.limits[0].defaultRequest[cpu]: Invalid value: "1500m": default request value 1500m is greater than default limit value 1`,
			`spec.limits[0].default[cpu]: Invalid value: "2": min value 2 is greater than default value 1`,
		}},
		{onCreate, `spec: {limits: [{type: Container, max: {cpu: "1"}, default: {cpu: "2"}, defaultRequest: {cpu: "1500m"}}]}`, []string{
			`spec.limits[0].defaultRequest[cpu]: Invalid value: "1500m": default request value 1500m is greater than max value 1`,
			`spec.limits[0].default[cpu]: Invalid value: "1": default value 2 is greater than max value 1`,
		}},
		{onCreate, `spec: {limits: [{type: Container, min: {cpu: "1"}, max: {cpu: "2"}, maxLimitRequestRatio: {cpu: "3"}}]}`, []string{
			`spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "3": ratio 3 is greater than max/min = 2.000000`,
		}},
		{onCreate, `spec: {limits: [{type: Container, maxLimitRequestRatio: {cpu: "0.5"}}]}`, []string{
			`spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "500m": ratio 500m is less than 1`,
		}},
		{onCreate, `spec: {limits: [{type: Container, default: {example.com/gpu: "2"}, defaultRequest: {example.com/gpu: "1"}}]}`, []string{
			`spec.limits[0].defaultRequest[example.com/gpu]: Invalid value: "1": default value 2 must equal to defaultRequest value 1 in example.com/gpu`,
		}},
		{onUpdate, `spec: {limits: [{type: Container, max: {foo: "2"}}]}`, []string{
			`spec.limits[0].max[foo]: Invalid value: "foo": must be a standard resource type or fully qualified`,
			`spec.limits[0].max[foo]: Invalid value: "foo": must be a standard resource for containers`,
			`spec.limits[0].default[foo]: Invalid value: "foo": must be a standard resource type or fully qualified`,
			`spec.limits[0].default[foo]: Invalid value: "foo": must be a standard resource for containers`,
			`spec.limits[0].defaultRequest[foo]: Invalid value: "foo": must be a standard resource type or fully qualified`,
			`spec.limits[0].defaultRequest[foo]: Invalid value: "foo": must be a standard resource for containers`,
		}},
	})
}
