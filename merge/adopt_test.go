package merge_test

import (
	"strings"
	"testing"

	"threeway/merge"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
	"threeway/merge/workflow"
)

// TestAdoptChangesNothing: an adoption compares live objects without some fields, which they keep.
func TestAdoptChangesNothing(t *testing.T) {
	const live = `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop, uid: u, generation: 3, managedFields: [{manager: kubectl, operation: Update}], annotations: {kubectl.kubernetes.io/last-applied-configuration: "{}"}},
  spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: "c:1"}]}}}}`
	snapshot := manifest.ReadSnapshot(manifest.Options{Paths: []string{"-"}, Stdin: strings.NewReader(live)})
	var o *manifest.Object
	for o = range snapshot.Objects() {
	}
	before := tree.CopyObject(o.Tree)
	if _, err := workflow.Adopt(merge.Options{Options: rehearsal.Options{Inputs: rehearsal.Inputs{Live: snapshot}}}, workflow.Adoption{}); err != nil {
		t.Fatal(err)
	}
	for after := range snapshot.Objects() {
		if !tree.Equal(after.Tree, before) {
			t.Errorf("the live object is\n%v\nafter it\n%v", before, after.Tree)
		}
	}
}
