package server_test

import (
	"testing"

	"threeway/merge/kube/internal/server"
	"threeway/merge/tree"
)

// TestReturned: what another minor has exported is read as a server reads what
// another has stored.
func TestReturned(t *testing.T) {
	live := object(t, "{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: a, namespace: b, uid: c}, spec: {updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 0}}, template: {spec: {hostnameOverride: h, containers: [{name: c, image: d}]}}}, status: {replicas: 1}}")
	kind := kindOf(live)
	for _, c := range []struct {
		minor int
		path  []string
		want  string
	}{
		{37, []string{"spec", "updateStrategy", "rollingUpdate", "maxUnavailable"}, "1"},
		{36, []string{"spec", "updateStrategy", "rollingUpdate", "maxUnavailable"}, "null"},
		{30, []string{"spec", "template", "spec", "hostnameOverride"}, "null"},
		{30, []string{"status", "replicas"}, "1"},
		{33, []string{"spec", "template", "metadata"}, "{creationTimestamp: null}"},
		{34, []string{"spec", "template", "metadata"}, "{}"},
	} {
		s := &server.Server{Minor: c.minor}
		got, _ := tree.Get(s.Returned(kind, live), c.path...)
		if flow(got) != c.want {
			t.Errorf("1.%d has %v: %s, want %s", c.minor, c.path, flow(got), c.want)
		}
	}
	if _, there := tree.Get(live, "spec", "template", "spec", "hostnameOverride"); !there {
		t.Error("the live object was changed")
	}
}

// TestReturnedDefaults: what a person left out of a live object is there, as a server has
// it of each object.
func TestReturnedDefaults(t *testing.T) {
	live := object(t, "{apiVersion: v1, kind: Service, metadata: {name: a, namespace: b, uid: c}, spec: {ports: [{port: 80}]}}")
	s := &server.Server{Minor: 37}
	if got, _ := tree.Get(s.Returned(kindOf(live), live), "spec", "sessionAffinity"); got != "None" {
		t.Errorf("sessionAffinity: %v", got)
	}
}
