package validation_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/validation"
	"threeway/merge/kube/schema"
)

// The texts are those of a kube-apiserver 1.36.3 with the feature gates GenericWorkload
// and MaxUnavailableStatefulSet, which are off by default.

func TestSchedulingGroup(t *testing.T) {
	testRejections(t, `apiVersion: v1
kind: Pod
metadata: {name: a, namespace: default}
spec: {containers: [{name: a, image: a}]}`, []rejection{
		{onCreate, `spec: {schedulingGroup: {podGroupName: A}}`, []string{
			`spec.schedulingGroup.podGroupName: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
		}},
		{onCreate, `spec: {schedulingGroup: {podGroupName: a.b}}`, nil},
		{onCreate, `spec: {schedulingGroup: {}}`, []string{"spec.schedulingGroup.podGroupName: Invalid value: null: must specify one of: `podGroupName`"}},
	})
}

func TestStatefulSetMaxUnavailable(t *testing.T) {
	testRejections(t, `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: a, namespace: default}
spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: a}]}}, updateStrategy: {type: RollingUpdate}}`, []rejection{
		{onCreate, `spec: {updateStrategy: {rollingUpdate: {maxUnavailable: 1}}}`, nil},
		{onCreate, `spec: {updateStrategy: {rollingUpdate: {maxUnavailable: 0}}}`, []string{`spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: 0: cannot be 0`}},
		{onCreate, `spec: {updateStrategy: {rollingUpdate: {maxUnavailable: -1}}}`, []string{
			`spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: -1: must be greater than or equal to 0`,
		}},
		{onCreate, `spec: {updateStrategy: {rollingUpdate: {maxUnavailable: 0%}}}`, []string{`spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: "0%": cannot be 0`}},
		{onCreate, `spec: {updateStrategy: {rollingUpdate: {maxUnavailable: 100%}}}`, nil},
		{onCreate, `spec: {updateStrategy: {rollingUpdate: {maxUnavailable: 101%}}}`, []string{
			`spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%`,
		}},
		{onCreate, `spec: {updateStrategy: {rollingUpdate: {maxUnavailable: a}}}`, []string{
			`spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: "a": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')`,
			`spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: "a": cannot be 0`,
		}},
		{onCreate, `spec: {updateStrategy: {rollingUpdate: {maxUnavailable: "1"}}}`, []string{
			`spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: "1": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')`,
		}},
		{onCreate, `spec: {updateStrategy: {rollingUpdate: {maxUnavailable: 5a}}}`, []string{
			`spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: "5a": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')`,
			`spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: "5a": cannot be 0`,
		}},
		{onCreate, `spec: {updateStrategy: {type: OnDelete, rollingUpdate: {maxUnavailable: 1}}}`, []string{
			`spec.updateStrategy.rollingUpdate: Invalid value: {"Partition":0,"MaxUnavailable":1}: only allowed for updateStrategy 'RollingUpdate'`,
		}},
		{onCreate, `spec: {updateStrategy: {type: Foo, rollingUpdate: {maxUnavailable: 1}}}`, []string{
			`spec.updateStrategy: Invalid value: {"Type":"Foo","RollingUpdate":{"Partition":0,"MaxUnavailable":1}}: must be 'RollingUpdate' or 'OnDelete'`,
		}},
	})
}

// A Pod that an old server gave a negative grace period may only be made to
// end at once.
func TestNegativeGracePeriod(t *testing.T) {
	const pod = `{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: b}, spec: {containers: [{name: a, image: a}], terminationGracePeriodSeconds: %d}}`
	for _, test := range []struct {
		was, now int
		accepted bool
	}{{-5, 1, true}, {-1, 1, true}, {-5, 2, false}, {0, 1, false}, {5, 1, false}, {1, 1, true}} {
		r := requestOf(t, fmt.Sprintf(pod, test.was), rejection{onUpdate, fmt.Sprintf("spec: {terminationGracePeriodSeconds: %d}", test.now), nil})
		if errs := validated(r); (len(errs) == 0) != test.accepted {
			t.Errorf("from %d to %d: %.200v", test.was, test.now, errs)
		}
	}
}

// TestRestartRules: before 1.36 a container may restart all of them, and a sidecar
// may have rules, only where the stored Pod has it.
func TestRestartRules(t *testing.T) {
	all := `{action: RestartAllContainers, exitCodes: {operator: In, values: [1]}}`
	for _, in := range []string{
		"containers: [{name: a, image: a, restartPolicy: Never, restartPolicyRules: [" + all + "]}]",
		"containers: [{name: a, image: a}], initContainers: [{name: b, image: a, restartPolicy: Always, restartPolicyRules: [" + strings.Replace(all, "AllContainers", "", 1) + "]}]",
	} {
		pod := treeOf(t, "{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: default}, spec: {"+in+"}}")
		kind := schema.ParseKind("v1", "Pod")
		prepared(pod, kind)
		for _, minor := range []int{35, 36} {
			created := validated(&validation.Request{Kind: kind, Minor: minor, Object: pod})
			updated := validated(&validation.Request{Kind: kind, Minor: minor, Object: pod, Old: pod})
			if (len(created) > 0) != (minor == 35) || len(updated) > 0 {
				t.Errorf("1.%d, %s: created with %v, updated with %v", minor, in, created, updated)
			}
		}
	}
}

// TestDeadlineUpdates: a deadline may come closer, down to none at all; of one that may not, the
// server says nothing else about the spec.
func TestDeadlineUpdates(t *testing.T) {
	const deadline, other = "spec.activeDeadlineSeconds: Invalid value: ", "spec: Forbidden: pod updates may not change fields other than "
	for _, test := range []struct {
		now  int
		want []string
	}{{0, []string{deadline + "0: must be between 1 and ", other}}, {5, []string{other}},
		{-1, []string{deadline + "-1: must be between 1 and ", deadline + "-1: must be between 0 and "}}, {11, []string{deadline + "11: must be less than or equal to previous value"}}} {
		const pod = "{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: b}, spec: {containers: [{name: a, image: a}], activeDeadlineSeconds: %d, dnsPolicy: %s}}"
		r := &validation.Request{Kind: schema.ParseKind("v1", "Pod"), Minor: 37, Object: treeOf(t, fmt.Sprintf(pod, test.now, "Default")), Old: treeOf(t, fmt.Sprintf(pod, 10, "ClusterFirst"))}
		prepared(r.Object, r.Kind)
		prepared(r.Old, r.Kind)
		got := validated(r)
		if !slices.EqualFunc(got, test.want, func(e *field.Error, want string) bool { return strings.HasPrefix(e.Error(), want) }) {
			t.Errorf("%d: %v", test.now, got)
		}
	}
}
