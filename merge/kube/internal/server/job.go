package server

import "threeway/merge/tree"

// randomUID stands where the server would put the uid that it makes for a new
// object: it cannot be known before.
const randomUID = "ffffffff-ffff-4fff-8fff-ffffffffffff"

// generateSelector follows generateSelectorIfNeeded
// (pkg/registry/batch/job/strategy.go): labels and selector by the new uid.
// Labels that were defaulted from the template are the same map there and here,
// so that the Job gets the generated ones as well.
func generateSelector(job tree.Object, _ int) {
	if tree.Bool(job, "spec", "manualSelector") {
		return
	}
	template := tree.Map(job, "spec", "template", "metadata", "labels")
	name := tree.String(job, "metadata", "name")
	for _, l := range []struct{ key, value string }{
		{"job-name", name}, {"batch.kubernetes.io/job-name", name},
		{"controller-uid", randomUID}, {"batch.kubernetes.io/controller-uid", randomUID},
	} {
		if !tree.Has(template, l.key) {
			tree.Set(job, l.value, "spec", "template", "metadata", "labels", l.key)
		}
	}
	const byUID = "batch.kubernetes.io/controller-uid"
	if !tree.Has(job, "spec", "selector", "matchLabels", byUID) {
		tree.Set(job, randomUID, "spec", "selector", "matchLabels", byUID)
	}
}
