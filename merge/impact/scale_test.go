package impact

import (
	"strings"
	"testing"

	"threeway/merge/manifest"
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
