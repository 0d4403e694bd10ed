package impact_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"sigs.k8s.io/yaml"

	"threeway/fixtures"
)

// TestRollouts holds what is said of the pods of a workload against what a real
// kube-controller-manager did with them; testdata/record writes it down.
func TestRollouts(t *testing.T) {
	stories, err := filepath.Glob("testdata/rollouts/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	restarting := 0
	for _, story := range stories {
		archive, err := txtar.ParseFile(story)
		if err != nil {
			t.Fatal(err)
		}
		files := map[string]string{}
		for _, f := range archive.Files {
			files[f.Name] = string(f.Data)
		}
		var want struct {
			Replaced, Kept int
			Down           bool
		}
		if err := yaml.UnmarshalStrict([]byte(files["want.yaml"]), &want); err != nil || files["want.yaml"] == "" {
			t.Errorf("%s is not recorded: %v", story, err)
			continue
		}
		i := impactOf(t, files["live.yaml"], files["v2.yaml"], fixtures.Step{})
		if len(i.Rollouts) != 1 {
			t.Errorf("%s: %d rollouts", story, len(i.Rollouts))
			continue
		}
		r := i.Rollouts[0]
		if r.Pods != want.Replaced || !r.Counted || r.Restarts() != (want.Replaced > 0) {
			t.Errorf("%s: %s, %d pods are replaced; the controller replaced %d", story, r.How, r.Pods, want.Replaced)
		}
		if r.Kept != 0 && r.Kept != want.Kept {
			t.Errorf("%s: %d pods stay; with the controller %d did", story, r.Kept, want.Kept)
		}
		if (r.AllDown != "") != want.Down {
			t.Errorf("%s: no pod runs for a time: %q; with the controller: %t", story, r.AllDown, want.Down)
		}
		if want.Replaced > 0 {
			restarting++
		}
	}
	if len(stories) < 25 || restarting < 10 {
		t.Errorf("%d stories, %d with a restart, are too few", len(stories), restarting)
	}
}

// TestAutoscaled: of a workload without a status, which a manifest stands in for, an
// autoscaler counts: it keeps no fewer pods than its least, and none at 0 replicas.
func TestAutoscaled(t *testing.T) {
	const deployment = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop}, spec: {replicas: %d, " +
		"selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: web, image: 'web:%d'}]}}}}\n"
	const scaler = "---\n{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: web, namespace: shop}, " +
		"spec: {%smaxReplicas: 9, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: %s}}}\n"
	for _, c := range []struct {
		replicas     int
		least, named string
		pods         int
	}{
		{2, "minReplicas: 3, ", "web", 3},
		{1, "minReplicas: 3, ", "web", 3},
		{5, "minReplicas: 3, ", "web", 5},
		{1, "", "web", 1},
		{0, "minReplicas: 3, ", "web", 0},
		{1, "minReplicas: 3, ", "other", 1},
	} {
		live := fmt.Sprintf(deployment, c.replicas, 1) + fmt.Sprintf(scaler, c.least, c.named)
		i := impactOf(t, live, fmt.Sprintf(deployment, c.replicas, 2), fixtures.Step{})
		pods := 0
		for _, r := range i.Rollouts {
			pods += r.Pods
		}
		if pods != c.pods {
			t.Errorf("%+v: %d pods are replaced", c, pods)
		}
	}
}
