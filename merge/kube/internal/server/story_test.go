package server_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"threeway/merge/kube/internal/server"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

const slice = "{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: a, namespace: b, uid: u, creationTimestamp: '2026-01-01T00:00:00Z', generation: 3, labels: {x: '1'}}, addressType: IPv4, endpoints: [{addresses: [10.0.0.1]}], ports: []}"

// TestUpdates are patches of live objects, and what the server makes of the
// fields that are its own.
func TestUpdates(t *testing.T) {
	for _, c := range []struct{ name, live, patch, path, want string }{
		{"an annotation of an EndpointSlice is no new generation", slice, "{metadata: {annotations: {a: b}}}", "metadata generation", "3"},
		{"an endpoint is", slice, "{endpoints: [{addresses: [10.0.0.2]}]}", "metadata generation", "4"},
		{"a label is", slice, "{metadata: {labels: {x: '2'}}}", "metadata generation", "4"},
		{"a config without uid keeps the live one", slice, "{metadata: {uid: null}}", "metadata uid", "u"},
		{"a creation time is the server's", slice, "{metadata: {creationTimestamp: '2020-01-01T00:00:00Z'}}", "metadata creationTimestamp", "'2026-01-01T00:00:00Z'"},
		{"nor can it be removed", slice, "{metadata: {creationTimestamp: null}}", "metadata creationTimestamp", "'2026-01-01T00:00:00Z'"},
		{"a namespace keeps its finalizers", "{apiVersion: v1, kind: Namespace, metadata: {name: a}, spec: {finalizers: [kubernetes]}, status: {phase: Active}}", "{spec: {finalizers: [mine]}, status: {phase: Terminating}}", "spec finalizers", "[kubernetes]"},
		{"and its status", "{apiVersion: v1, kind: Namespace, metadata: {name: a}, spec: {finalizers: [kubernetes]}, status: {phase: Active}}", "{status: {phase: Terminating}}", "status phase", "Active"},
		{"a DaemonSet counts its templates", "{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: a, namespace: b, generation: 1, annotations: {deprecated.daemonset.template.generation: '7'}}, spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: d}]}}}}",
			"{spec: {template: {spec: {containers: [{name: c, image: e}]}}}}", "metadata annotations", "{deprecated.daemonset.template.generation: '8'}"},
		{"but not its updates", "{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: a, namespace: b, generation: 1, annotations: {deprecated.daemonset.template.generation: '7'}}, spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: d}]}}}}",
			"{spec: {minReadySeconds: 3}}", "metadata annotations", "{deprecated.daemonset.template.generation: '7'}"},
		{"a ServiceAccount keeps names of secrets only", "{apiVersion: v1, kind: ServiceAccount, metadata: {name: a, namespace: b}}", "{secrets: [{name: s, namespace: x, uid: u1}]}", "secrets", "[{name: s}]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			live := object(t, c.live)
			s := &server.Server{Minor: 36}
			res := s.Patch(kindOf(live), live, object(t, c.patch))
			if res.Rejection != nil {
				t.Fatalf("%+v", res.Rejection)
			}
			check(t, res.Object, c.path, c.want)
		})
	}
}

// TestCreations are configs that the server fills in.
func TestCreations(t *testing.T) {
	const pod = "{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: b}, spec: {resources: {limits: {cpu: '2', memory: 1Gi}}, " +
		"initContainers: [{name: first, image: x, resources: {requests: {cpu: 50m}}}, {name: side, image: x, restartPolicy: Always, resources: {requests: {cpu: 100m, memory: 1Mi}}}, " +
		"{name: large, image: x, resources: {requests: {cpu: 500m}}}, {name: small, image: x, resources: {requests: {cpu: 300m}}}], " +
		"containers: [{name: c, image: x, resources: {requests: {cpu: %s, memory: 2Mi}}}]}}"
	for _, c := range []struct{ name, config, path, want string }{
		{"a Pod asks for its largest step, with the sidecars before it", strings.ReplaceAll(pod, "%s", "200m"), "spec resources requests", "{cpu: 600m, memory: 3Mi}"},
		{"or for all that run together", strings.ReplaceAll(pod, "%s", "700m"), "spec resources requests", "{cpu: 800m, memory: 3Mi}"},
		{"an endpoint has no topology", "{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: a, namespace: b}, addressType: IPv4, endpoints: [{addresses: [10.0.0.1], deprecatedTopology: {a: b}}]}", "endpoints", "[{addresses: [10.0.0.1], conditions: {}}]"},
		{"a namespace has one finalizer of Kubernetes", "{apiVersion: v1, kind: Namespace, metadata: {name: a}, spec: {finalizers: [example.com/a, kubernetes]}}", "spec finalizers", "[example.com/a, kubernetes]"},
		{"a DaemonSet has a template generation", "{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: a, namespace: b, annotations: {deprecated.daemonset.template.generation: '0'}}, spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: d}]}}}}",
			"metadata annotations", "{deprecated.daemonset.template.generation: '1'}"},
		{"of a claim, the source is copied", "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: a, namespace: b}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}, dataSource: {kind: PersistentVolumeClaim, name: c}}}", "spec dataSourceRef", "{apiGroup: null, kind: PersistentVolumeClaim, name: c}"},
		{"unless it is of an unknown kind", "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: a, namespace: b}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}, dataSource: {apiGroup: example.com, kind: Other, name: c}}}", "spec dataSource", "null"},
	} {
		t.Run(c.name, func(t *testing.T) {
			config := object(t, c.config)
			s := &server.Server{Minor: 36}
			res := s.Create(kindOf(config), config)
			if res.Rejection != nil {
				t.Fatalf("%+v", res.Rejection)
			}
			check(t, res.Object, c.path, c.want)
		})
	}
}

// TestPriority: a class that nobody knows is refused if others are known.
func TestPriority(t *testing.T) {
	pod := object(t, "{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: b}, spec: {priorityClassName: gold, containers: [{name: c, image: x}]}}")
	class := func(name string) []tree.Object {
		return []tree.Object{object(t, "{metadata: {name: "+name+"}, value: 7}")}
	}
	for _, c := range []struct {
		name     string
		classes  []tree.Object
		complete bool
		refused  bool
	}{
		{"the snapshot has no classes", nil, false, false},
		{"nor has the cluster", nil, true, true},
		{"another class", class("silver"), false, true},
		{"the class", class("gold"), false, false},
	} {
		s := &server.Server{Minor: 36, World: fixed{map[string][]tree.Object{"PriorityClass.scheduling.k8s.io": c.classes}, c.complete}}
		if res := s.Create(kindOf(pod), pod); (res.Rejection != nil) != c.refused {
			t.Errorf("%s: %v", c.name, res.Rejection)
		} else if want := any(int64(7)); c.name == "the class" && !tree.Equal(tree.Map(res.Object, "spec")["priority"], want) {
			t.Errorf("priority %v", tree.Map(res.Object, "spec")["priority"])
		}
	}
}

// around is a cluster with some live objects.
func around(t *testing.T, complete bool, objects ...string) server.World {
	t.Helper()
	kinds := map[string][]tree.Object{}
	for _, text := range objects {
		obj := object(t, text)
		kind := kindOf(obj).GroupKind()
		kinds[kind] = append(kinds[kind], obj)
	}
	return fixed{kinds, complete}
}

// TestServiceAddresses: what the snapshot tells of the range of Services, and
// of addresses that are taken.
func TestServiceAddresses(t *testing.T) {
	svc := func(name, namespace, spec string) string {
		return "{apiVersion: v1, kind: Service, metadata: {name: " + name + ", namespace: " + namespace + "}, spec: {" + spec + "}}"
	}
	cidr := func(name, cidrs string) string {
		return "{apiVersion: networking.k8s.io/v1, kind: ServiceCIDR, metadata: {name: " + name + "}, spec: {cidrs: [" + cidrs + "]}}"
	}
	const taken = "spec.clusterIPs: Invalid value: %s: failed to allocate IP %s: provided IP is already allocated"
	held := svc("held", "b", "clusterIP: 10.0.0.5, clusterIPs: [10.0.0.5, fd00::5]")
	for _, c := range []struct {
		name, config, path, want, refused string
		live                              []string
	}{
		{name: "the kubernetes Service has the second address", config: svc("a", "b", "ports: [{port: 80}]"), path: "spec clusterIPs", want: "[10.0.0.0]",
			live: []string{svc("other", "default", "clusterIP: 10.9.9.9"), svc("kubernetes", "other", "clusterIP: 10.8.8.8"), svc("kubernetes", "default", "clusterIP: 10.0.0.1")}},
		{name: "and tells the family", config: svc("a", "b", "ports: [{port: 80}]"), path: "spec ipFamilies", want: "[IPv6]", live: []string{svc("kubernetes", "default", "clusterIP: 'fd00::1'")}},
		{name: "another one does not", config: svc("a", "b", "ports: [{port: 80}]"), path: "spec clusterIPs", want: "null", live: []string{svc("kubernetes", "other", "clusterIP: 10.0.0.1")}},
		{name: "a range tells both", config: svc("a", "b", "ports: [{port: 80}]"), path: "spec clusterIPs", want: "[10.2.0.0]",
			live: []string{cidr("more", "10.1.0.0/16"), cidr("kubernetes", "10.2.0.3/16, 'fd00::/64'"), svc("kubernetes", "default", "clusterIP: 10.0.0.1")}},
		{name: "the one of both families", config: svc("a", "b", "ipFamilyPolicy: PreferDualStack, ports: [{port: 80}]"), path: "spec ipFamilies", want: "[IPv4, IPv6]",
			live: []string{cidr("more", "'fd00:1::/64'"), cidr("kubernetes", "10.2.0.0/16, 'fd00::/64'")}},
		{name: "a range that cannot be read", config: svc("a", "b", "ports: [{port: 80}]"), path: "spec clusterIPs", want: "null", live: []string{cidr("kubernetes", "x, 1")}},
		{name: "an address that is taken", config: svc("a", "b", "clusterIP: 10.0.0.5, ports: [{port: 80}]"), refused: fmt.Sprintf(taken, `["10.0.0.5"]`, "10.0.0.5"), live: []string{held}},
		{name: "a second one", config: svc("a", "b", "ipFamilyPolicy: RequireDualStack, clusterIPs: [10.0.0.6, 'fd00::5'], clusterIP: 10.0.0.6, ports: [{port: 80}]"), refused: fmt.Sprintf(taken, `["10.0.0.6","fd00::5"]`, "fd00::5"),
			live: []string{held, cidr("kubernetes", "10.0.0.0/16, 'fd00::/64'")}},
		{name: "that of another namespace", config: svc("held", "c", "clusterIP: 10.0.0.5, ports: [{port: 80}]"), refused: fmt.Sprintf(taken, `["10.0.0.5"]`, "10.0.0.5"), live: []string{held}},
		{name: "its own", config: svc("held", "b", "clusterIP: 10.0.0.5, ports: [{port: 80}]"), path: "spec clusterIP", want: "10.0.0.5", live: []string{held}},
		{name: "none", config: svc("a", "b", "clusterIP: None, selector: {a: b}, ports: [{port: 80}]"), path: "spec clusterIP", want: "None", live: []string{svc("held", "b", "clusterIP: None, clusterIPs: [None]")}},
	} {
		config := object(t, c.config)
		s := &server.Server{Minor: 36, World: around(t, false, c.live...)}
		res := s.Create(kindOf(config), config)
		switch {
		case res.Rejection == nil && c.refused == "":
			t.Run(c.name, func(t *testing.T) { check(t, res.Object, c.path, c.want) })
		case res.Rejection == nil || len(res.Rejection.Faults) != 1 || res.Rejection.Faults[0].Text.Unmasked() != c.refused:
			t.Errorf("%s: %+v, want %q", c.name, res.Rejection, c.refused)
		}
	}
}

// TestResize: a claim grows if its class lets it; of classes that the snapshot
// does not have nobody can tell.
func TestResize(t *testing.T) {
	claim := func(annotation, class string) string {
		return "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: a, namespace: b, annotations: {" + annotation + "}}, spec: {accessModes: [ReadWriteOnce], volumeName: v" + class + ", resources: {requests: {storage: 1Gi}}}, status: {phase: Bound}}"
	}
	class := func(name, more string) string {
		return "{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: " + name + "}, provisioner: p" + more + "}"
	}
	const beta = "volume.beta.kubernetes.io/storage-class: gold"
	for _, c := range []struct {
		name, live, size string
		complete         bool
		classes          []string
		refused          bool
	}{
		{"no classes in the snapshot", claim("", ", storageClassName: gold"), "2Gi", false, nil, false},
		{"nor in the cluster", claim("", ", storageClassName: gold"), "2Gi", true, nil, true},
		{"nor in the cluster, and no growth", claim("", ", storageClassName: gold"), "1024Mi", true, nil, false},
		{"a claim without class", claim("", ""), "2Gi", false, nil, true},
		{"the class lets it", claim("", ", storageClassName: gold"), "2Gi", false, []string{class("silver", ""), class("gold", ", allowVolumeExpansion: true")}, false},
		{"only another one does", claim("", ", storageClassName: gold"), "2Gi", false, []string{class("silver", ", allowVolumeExpansion: true"), class("gold", "")}, true},
		{"the class of the annotation lets it", claim(beta, ""), "2Gi", false, []string{class("gold", ", allowVolumeExpansion: true")}, false},
		{"the class of the annotation does not", claim(beta, ", storageClassName: silver"), "2Gi", false, []string{class("silver", ", allowVolumeExpansion: true")}, true},
	} {
		live := object(t, c.live)
		s := &server.Server{Minor: 36, World: around(t, c.complete, c.classes...)}
		res := s.Patch(kindOf(live), live, object(t, "{spec: {resources: {requests: {storage: "+c.size+"}}}}"))
		if (res.Rejection != nil) != c.refused {
			t.Errorf("%s: %+v", c.name, res.Rejection)
		}
	}
}

// TestRuntimeClass: a class that nobody knows is refused if the snapshot could
// have it.
func TestRuntimeClass(t *testing.T) {
	pod := object(t, "{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: b}, spec: {runtimeClassName: gold, containers: [{name: c, image: x}]}}")
	class := func(name string) string {
		return "{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: " + name + "}, handler: h}"
	}
	for _, c := range []struct {
		name     string
		complete bool
		classes  []string
		refused  bool
	}{
		{"the snapshot has no classes", false, nil, false},
		{"nor has the cluster", true, nil, true},
		{"another class", false, []string{class("silver")}, true},
		{"the class", false, []string{class("silver"), class("gold")}, false},
	} {
		s := &server.Server{Minor: 36, World: around(t, c.complete, c.classes...)}
		if res := s.Create(kindOf(pod), pod); (res.Rejection != nil) != c.refused {
			t.Errorf("%s: %+v", c.name, res.Rejection)
		}
	}
}

// TestScaler: what a HorizontalPodAutoscaler holds beyond autoscaling/v1 is in
// annotations there (pkg/apis/autoscaling/v1/conversion.go).
func TestScaler(t *testing.T) {
	v2 := object(t, "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: a, namespace: b}, spec: {maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: c}, metrics: ["+
		"{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}}, "+
		"{type: Object, object: {describedObject: {kind: Ingress, name: i}, metric: {name: hits, selector: {matchLabels: {a: b}}}, target: {type: AverageValue, averageValue: '5'}}}, "+
		"{type: External, external: {metric: {name: queue, selector: {matchLabels: {a: b}}}, target: {type: Value, value: '7'}}}]}}")
	to := schema.ParseKind("autoscaling/v1", "HorizontalPodAutoscaler")
	s := &server.Server{Minor: 36}
	v1 := s.Convert(v2, kindOf(v2), to)
	check(t, v1, "spec targetCPUUtilizationPercentage", "80")
	check(t, v1, "spec metrics", "null")
	var metrics []any
	text := tree.String(v1, "metadata", "annotations", "autoscaling.alpha.kubernetes.io/metrics")
	if err := json.Unmarshal([]byte(text), &metrics); err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	want := object(t, "{v: [{type: Object, object: {target: {kind: Ingress, name: i}, metricName: hits, selector: {matchLabels: {a: b}}, averageValue: '5', targetValue: '0'}}, "+
		"{type: External, external: {metricName: queue, metricSelector: {matchLabels: {a: b}}, targetValue: '7'}}]}")["v"]
	if !reflect.DeepEqual(metrics, want) {
		t.Errorf("metrics %v, want %v", metrics, want)
	}

	flat := object(t, "{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, metadata: {name: a, namespace: b, annotations: {autoscaling.alpha.kubernetes.io/metrics: '"+
		`[{"type": "Pods", "pods": {"metricName": "hits"}}]`+"'}}, spec: {maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: c}}}")
	check(t, s.Convert(flat, to, kindOf(v2)), "spec metrics", "[{type: Pods, pods: {metric: {name: hits}, target: {type: AverageValue, averageValue: '0'}}}]")

	simple := object(t, "{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, metadata: {name: a, namespace: b}, spec: {maxReplicas: 3, targetCPUUtilizationPercentage: 50, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: c}}}")
	back := s.Convert(simple, to, kindOf(v2))
	check(t, back, "spec metrics", "[{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}]")
	check(t, back, "spec targetCPUUtilizationPercentage", "null")
}

func check(t *testing.T, obj tree.Object, path, want string) {
	t.Helper()
	got, _ := tree.Get(obj, strings.Fields(path)...)
	if want := object(t, "{v: "+want+"}")["v"]; !reflect.DeepEqual(got, want) {
		t.Errorf("%s is %v, want %v", path, got, want)
	}
}

func kindOf(o tree.Object) schema.Kind {
	return schema.ParseKind(tree.String(o, "apiVersion"), tree.String(o, "kind"))
}

// fixed is a cluster with some live objects, by kind.
type fixed struct {
	kinds map[string][]tree.Object
	whole bool
}

func (f fixed) Objects(groupKind string) []tree.Object { return f.kinds[groupKind] }

func (f fixed) ObjectsIn(groupKind, namespace string) []tree.Object {
	return slices.DeleteFunc(slices.Clone(f.kinds[groupKind]), func(o tree.Object) bool { return tree.String(o, "metadata", "namespace") != namespace })
}

func (fixed) Made(string) []tree.Object                           { return nil }
func (fixed) Namespace(string) (tree.Object, bool)                { return nil, false }
func (fixed) Serves(schema.Kind) (served, namespaced, known bool) { return false, false, false }
func (fixed) Plural(k schema.Kind) string                         { return strings.ToLower(k.Kind) + "s" }
func (fixed) Adds(string, string) bool                            { return false }
func (f fixed) GivesTokens() bool                                 { return slices.ContainsFunc(f.kinds["Pod"], server.MountsToken) }
func (f fixed) Complete() bool                                    { return f.whole }
func (fixed) Empty() bool                                         { return false }
func (fixed) Assumed() bool                                       { return false }
