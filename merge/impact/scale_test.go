package impact

import (
	"fmt"
	"strings"
	"testing"

	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// object reads one of a kind of apps.
func object(t *testing.T, kind, text string) *manifest.Object {
	t.Helper()
	in := "{apiVersion: apps/v1, kind: " + kind + ", metadata: {name: a}, " + text + "}"
	set := manifest.Read(manifest.Options{Paths: []string{"-"}, Stdin: strings.NewReader(in)})
	if len(set.Objects) != 1 {
		t.Fatal(in)
	}
	return set.Objects[0]
}

// A pod needs the sum of its containers and sidecars, or what an init container needs with
// the sidecars before it, if that is more.
func TestRequestsWithInitContainers(t *testing.T) {
	for _, c := range []struct{ init, want string }{
		{"", "300m"},
		{"[{resources: {requests: {cpu: 200m}}}]", "300m"},
		{"[{resources: {requests: {cpu: 500m}}}]", "500m"},
		{"[{restartPolicy: Always, resources: {requests: {cpu: 100m}}}]", "400m"},
		{"[{restartPolicy: Always, resources: {requests: {cpu: 100m}}}, {resources: {requests: {cpu: 450m}}}]", "550m"},
		{"[{resources: {requests: {cpu: 350m}}}, {restartPolicy: Always, resources: {requests: {cpu: 100m}}}]", "400m"},
		{"[{}]", ""},
	} {
		template := object(t, "Deployment", "spec: {containers: [{resources: {requests: {cpu: 100m}}}, {resources: {requests: {cpu: 200m}}}], initContainers: "+c.init+"}").Tree
		q, ok := perPod("cpu", template)
		if got := q.String(); ok != (c.want != "") || ok && got != c.want {
			t.Errorf("init containers %s: %s, %t, want %s", c.init, got, ok, c.want)
		}
	}
}

func TestEnding(t *testing.T) {
	for _, c := range []struct {
		kind, text string
		n          int
		known      bool
	}{
		{"Deployment", "spec: {replicas: 3}", 3, true},
		{"Deployment", "spec: {}", 1, true},
		{"Deployment", "spec: {replicas: 3}, status: {observedGeneration: 2, replicas: 5}", 5, true},
		{"Deployment", "spec: {replicas: 0}, status: {observedGeneration: 2}", 0, true},
		{"DaemonSet", "spec: {}", 0, false},
		{"DaemonSet", "status: {currentNumberScheduled: 4}", 4, true},
	} {
		n, known := Ending(object(t, c.kind, c.text))
		if n != c.n || known != c.known {
			t.Errorf("%s %s: %d, %t", c.kind, c.text, n, known)
		}
	}
}

// TestJobScaling: a Job that has ended makes no pods, whatever its parallelism becomes.
func TestJobScaling(t *testing.T) {
	for status, want := range map[string]Scaling{
		"": {From: 1, To: 3},
		"{startTime: '2026-11-27T08:00:00Z', active: 2}":        {From: 2, To: 3},
		"{conditions: [{type: Complete, status: 'False'}]}":     {From: 1, To: 3},
		"{conditions: [{type: FailureTarget, status: 'True'}]}": {From: 1, To: 3},
		"{conditions: [{type: Complete, status: 'True'}]}":      {},
		"{conditions: [{type: Failed, status: 'True'}]}":        {},
	} {
		o := &rehearsal.Outcome{States: rehearsal.States{Before: object(t, "Job", "spec: {parallelism: 1}, status: "+status).Tree, Result: object(t, "Job", "spec: {parallelism: 3}").Tree}}
		got := jobScaling(o)
		if got == nil {
			got = &Scaling{}
		}
		if got.From != want.From || got.To != want.To {
			t.Errorf("%s: %+v", status, got)
		}
	}
}

// TestKeysAsFiles: of a volume that names the keys, only those are read, as the files it says.
func TestKeysAsFiles(t *testing.T) {
	const template = "{containers: [{volumeMounts: [{name: c, mountPath: /etc/a, subPath: %s}]}], volumes: [{name: c, configMap: {name: web, items: [{key: a, path: dir/a.conf}]}}]}"
	for path, want := range map[string]bool{"dir": true, "dir/a.conf": true, "a": false, "b": false} {
		r := &reader{spec: tree.Map(object(t, "Deployment", "spec: "+fmt.Sprintf(template, path)).Tree, "spec")}
		r.read()
		for _, key := range []string{"a", "b"} {
			got := r.readings(manifest.Identity{Kind: "ConfigMap", Name: "web"}, []string{key})
			if (len(got) == 1) != (want && key == "a") {
				t.Errorf("%s mounted, key %s: %v", path, key, got)
			}
		}
	}
}
