package server_test

import (
	"strings"
	"testing"

	"threeway/merge/kube/internal/server"
	"threeway/merge/tree"
)

// TestTracked: who owns what after a patch by the manager c of an object whose
// fields at the path "f:…" all belong to m, as 1.37.2 answered; and the generation.
func TestTracked(t *testing.T) {
	const role, limits = "apiVersion: rbac.authorization.k8s.io/v1, kind: Role, rules: [{apiGroups: [''], resources: [pods], verbs: [get]", "apiVersion: v1, kind: LimitRange, spec: {limits: [{type: PersistentVolumeClaim, max: {storage: "
	const slice, budget = "apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, addressType: IPv4, ports: null, endpoints: [{addresses: [10.0.0.1]", "apiVersion: policy/v1, kind: PodDisruptionBudget, spec: {minAvailable: 1, selector: {"
	const crd = "apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: {group: b.c, scope: Cluster, names: {kind: A, listKind: AList, plural: as, singular: a}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]"
	for _, c := range []struct {
		name, live, patch, owned string
		minor                    int
		want                     string
	}{
		{"an empty list in a list", role + "}]", role + ", resourceNames: []}]", "f:rules: {}", 37, "c{f:rules: {}}"},
		{"the same list", role + "}]", role + "}]", "f:rules: {}", 37, "m{f:rules: {}}"},
		{"a quantity written otherwise", limits + "1Gi}}]}", limits + "1024Mi}}]}", "f:spec: {f:limits: {}}", 37, "c{f:spec: {f:limits: {}}}"},
		{"a quantity that Go does not tell apart", limits + "512Mi}}]}", limits + "524288Ki}}]}", "f:spec: {f:limits: {}}", 37, "m{f:spec: {f:limits: {}}}"},
		{"the same quantity", limits + "1Gi}}]}", limits + "1Gi}}]}", "f:spec: {f:limits: {}}", 37, "m{f:spec: {f:limits: {}}}"},
		{"a field that is dropped counts", slice + "}]", slice + ", deprecatedTopology: {k: v}}]", "f:addressType: {}", 37, "generation 2; m{f:addressType: {}}c{f:endpoints: {}}"},
		{"a selector that is stripped", budget + "}}", budget + "matchExpressions: [{key: pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match, operator: In, values: [a]}]}}", "f:spec: {f:selector: {}}", 37, "generation 2; c{f:spec: {f:selector: {}}}"},
		{"a selector that is stripped", budget + "}}", budget + "matchExpressions: [{key: pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match, operator: In, values: [a]}]}}", "f:spec: {f:selector: {}}", 36, "m{f:spec: {f:selector: {}}}"},
		{"a list that storage drops", crd + "}", crd + ", conversion: {strategy: None, webhook: {conversionReviewVersions: []}}}", "f:spec: {f:group: {}}", 37, "m{f:spec: {f:group: {}}}c{f:spec: {f:conversion: {f:webhook: {.: {}, f:conversionReviewVersions: {}}}}}"},
		{"an item without its key", "apiVersion: v1, kind: ServiceAccount", "secrets: [{}]", "f:x: {}", 37, "m{f:x: {}}"},
		{"an item without its key", "apiVersion: v1, kind: ServiceAccount", "secrets: [{}]", "f:x: {}", 36, ""},
	} {
		s := &server.Server{Minor: c.minor}
		live := object(t, "{metadata: {name: a, namespace: b, generation: 1, managedFields: [{manager: m, operation: Update, apiVersion: "+
			strings.TrimSuffix(strings.Fields(c.live)[1], ",")+", fieldsType: FieldsV1, fieldsV1: {"+c.owned+"}}]}, "+c.live+"}")
		res := s.Patch(kindOf(live), live, object(t, "{"+c.patch+"}"))
		if res.Rejection != nil {
			t.Fatalf("%s: %v", c.name, res.Rejection.Text())
		}
		var got string
		if n, _ := tree.Int(res.Object, "metadata", "generation"); n > 1 {
			got = "generation 2; "
		}
		for _, entry := range tree.List(res.Owned("c", ""), "metadata", "managedFields") {
			got += tree.String(entry, "manager") + flow(tree.Map(entry)["fieldsV1"])
		}
		if got != c.want {
			t.Errorf("%s on 1.%d: %s, want %s", c.name, c.minor, got, c.want)
		}
	}
}
