package validation_test

import (
	"testing"

	"threeway/merge/kube/internal/validation"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// A server accepts no new object with these faults, but an object that got one
// from an older server may keep it while something else changes.
func TestKeptFaults(t *testing.T) {
	const template = `{apiVersion: v1, kind: PodTemplate, metadata: {name: a, namespace: b}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: a}]}}}`
	const hooks = `{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: {name: a}, webhooks: []}`
	const hook = `name: a.example.com, clientConfig: {url: "https://a"}`
	const capacity = `{apiVersion: storage.k8s.io/v1, kind: CSIStorageCapacity, metadata: {name: a, namespace: b}, storageClassName: c}`
	const volume = `{apiVersion: v1, kind: PersistentVolume, metadata: {name: a}, spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], nfs: {server: a, path: /b}}}`
	const budget = `{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: a, namespace: b}, spec: {minAvailable: 1}}`
	const terms = `requiredDuringSchedulingIgnoredDuringExecution`
	const set = `{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: a, namespace: b}, spec: {selector: {matchLabels: {a: b}}, updateStrategy: {type: RollingUpdate}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: a}]}}}}`
	for _, test := range []struct{ base, fault string }{
		{set, `spec: {template: {spec: {volumes: [{name: v, hostPath: {path: ""}}]}}}`},
		{set, `spec: {template: {metadata: {annotations: {controller.kubernetes.io/pod-deletion-cost: a}}}}`},
		{template, `template: {metadata: {annotations: {controller.kubernetes.io/pod-deletion-cost: "+1"}}}`},
		{template, `template: {spec: {affinity: {podAffinity: {` + terms + `: [{topologyKey: a, labelSelector: {matchExpressions: [{key: a, operator: In, values: [b c]}]}}]}}}}`},
		{template, `template: {spec: {affinity: {podAntiAffinity: {` + terms + `: [{topologyKey: a, labelSelector: {matchExpressions: [{key: a, operator: In, values: [b c]}]}}]}}}}`},
		{template, `template: {spec: {affinity: {podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, podAffinityTerm: {topologyKey: a, labelSelector: {matchExpressions: [{key: a, operator: In, values: [b c]}]}}}]}}}}`},
		{template, `template: {spec: {affinity: {podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, podAffinityTerm: {topologyKey: a, namespaceSelector: {matchExpressions: [{key: a, operator: In, values: [b c]}]}}}]}}}}`},
		{template, `template: {spec: {affinity: {nodeAffinity: {` + terms + `: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: In, values: [b c]}]}]}}}}}`},
		{template, `template: {spec: {topologySpreadConstraints: [{maxSkew: 1, topologyKey: a, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchExpressions: [{key: a, operator: In, values: [b c]}]}}]}}`},
		{template, `template: {spec: {containers: [{name: a, image: a, resources: {limits: {cpu: 1, hugepages-2Mi: 3Mi}}}]}}`},
		{template, `template: {spec: {overhead: {cpu: 1, hugepages-2Mi: 3Mi}}}`},
		{template, `template: {spec: {volumes: [{name: a, emptyDir: {}}, {name: v, projected: {sources: [{configMap: {name: a}}, {serviceAccountToken: {path: ..a}}]}}]}}`},
		{template, `template: {spec: {hostNetwork: true, securityContext: {sysctls: [{name: kernel.sem, value: "1"}, {name: net.core.somaxconn, value: "1"}]}}}`},
		{template, `template: {spec: {hostIPC: true, securityContext: {sysctls: [{name: kernel.sem, value: "1"}]}}}`},
		{template, `template: {spec: {securityContext: {seLinuxChangePolicy: MountOption}}}`},
		{template, `template: {spec: {initContainers: [{name: b, image: a, resizePolicy: [{resourceName: cpu, restartPolicy: NotRequired}, {resourceName: memory, restartPolicy: RestartContainer}]}]}}`},
		{template, `template: {spec: {tolerations: [{key: b, operator: Exists}, {key: a, operator: Lt, value: "1"}]}}`},
		{template, `template: {spec: {tolerations: [{key: a, operator: Gt, value: "1"}]}}`},
		{template, `template: {spec: {hostUsers: false, hostNetwork: true}}`},
		{template, `template: {spec: {hostUsers: false, volumes: [{name: v, persistentVolumeClaim: {claimName: a}}], containers: [{name: a, image: a, volumeDevices: [{name: v, devicePath: /a}]}]}}`},
		{hooks, `webhooks: [{` + hook + `, sideEffects: Some, admissionReviewVersions: [v1]}]`},
		{hooks, `webhooks: [{` + hook + `, sideEffects: Unknown, admissionReviewVersions: [v1]}]`},
		{hooks, `webhooks: [{` + hook + `, sideEffects: None, admissionReviewVersions: [v2, v3]}]`},
		{hooks, `webhooks: [{` + hook + `, sideEffects: None, admissionReviewVersions: [v1]}, {` + hook + `, sideEffects: None, admissionReviewVersions: [v1]}]`},
		{hooks, `webhooks: [{` + hook + `, sideEffects: None, admissionReviewVersions: [v1], namespaceSelector: {matchExpressions: [{key: a, operator: In, values: [b c]}]}}]`},
		{hooks, `webhooks: [{` + hook + `, sideEffects: None, admissionReviewVersions: [v1], objectSelector: {matchExpressions: [{key: a, operator: In, values: [b c]}]}}]`},
		{hooks, `webhooks: [{` + hook + `, sideEffects: None, admissionReviewVersions: [v1], matchConditions: [{name: b c, expression: "true"}]}]`},
		{capacity, `nodeTopology: {matchExpressions: [{key: a, operator: In, values: [b c]}]}`},
		{volume, `spec: {nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: In, values: [b c]}]}]}}}`},
		{budget, `spec: {selector: {matchExpressions: [{key: a, operator: In, values: [b c]}]}}`},
	} {
		testKept(t, test.base, test.fault)
	}
}

// testKept checks that an object may keep a fault, but neither have it when it
// is new nor get it.
func testKept(t *testing.T, base, fault string) {
	t.Run(fault, func(t *testing.T) {
		const change = `metadata: {labels: {x: y}}`
		plain := requestOf(t, base, rejection{onUpdate, change, nil})
		if errs := validated(plain); len(errs) > 0 {
			t.Fatalf("without the fault: %v", errs)
		}
		faulty := merged(treeOf(t, base), treeOf(t, fault)).(tree.Object)
		k := schema.ParseKind(tree.String(faulty, "apiVersion"), tree.String(faulty, "kind"))
		prepared(faulty, k)
		if errs := validated(&validation.Request{Kind: k, Minor: 36, Object: faulty}); len(errs) == 0 {
			t.Error("accepted when new")
		}
		if errs := validated(&validation.Request{Kind: k, Minor: 36, Object: faulty, Old: plain.Old}); len(errs) == 0 {
			t.Error("accepted when added")
		}
		changed := merged(faulty, treeOf(t, change)).(tree.Object)
		if errs := validated(&validation.Request{Kind: k, Minor: 36, Object: changed, Old: faulty}); len(errs) > 0 {
			t.Errorf("kept: %v", errs)
		}
	})
}
