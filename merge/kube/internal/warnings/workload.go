package warnings

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// podNames is what the names of workloads are used in.
const podNames = "Pod names and hostnames"

// template warns of a pod template at "spec.template" where it is new or the
// update counts.
func template(w *texts, r Request, changed bool) {
	if r.Old == nil || changed {
		w.template(tree.Map(r.Object, "spec", "template"), field.NewPath("spec", "template"), r.Minor)
	}
}

// Deployment follows pkg/registry/apps/{deployment,replicaset}/strategy.go.
func Deployment(w *texts, r Request) {
	if r.Old == nil {
		w.name(r.Object, podNames)
	}
	template(w, r, recounted(r))
}

// DaemonSet follows pkg/registry/apps/daemonset/strategy.go; conversion shows
// the generation of the template as an annotation.
func DaemonSet(w *texts, r Request) {
	const generation = "deprecated.daemonset.template.generation"
	template(w, r, tree.String(r.Object, "metadata", "annotations", generation) != tree.String(r.Old, "metadata", "annotations", generation))
}

// StatefulSet follows pkg/registry/apps/statefulset/strategy.go, which on
// update has one step too many in the paths of claims.
func StatefulSet(w *texts, r Request) {
	template(w, r, recounted(r))
	for i, c := range tree.List(r.Object, "spec", "volumeClaimTemplates") {
		p := field.NewPath("spec", "volumeClaimTemplates").Index(i)
		if r.Old != nil {
			p = p.Child("Spec")
		}
		w.claimSpec(tree.Map(c, "spec"), p)
	}
	if limit, _ := tree.Int(r.Object, "spec", "revisionHistoryLimit"); limit < 0 && minors.WarnNegativeHistory.In(r.Minor) {
		w.say("spec.revisionHistoryLimit", "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended")
	}
}

// ReplicationController follows
// pkg/registry/core/replicationcontroller/strategy.go, which before 1.38 takes the old
// template for the new one on update.
func ReplicationController(w *texts, r Request) {
	if r.Old == nil {
		w.name(r.Object, podNames)
		template(w, r, true)
	} else if recounted(r) {
		of := r.Old
		if minors.WarnNewController.In(r.Minor) {
			of = r.Object
		}
		w.template(tree.Map(of, "spec", "template"), field.NewPath("spec", "template"), r.Minor)
	}
}

// PodTemplate follows pkg/registry/core/podtemplate/strategy.go.
func PodTemplate(w *texts, r Request) {
	if r.Old == nil || recounted(r) {
		w.template(tree.Map(r.Object, "template"), field.NewPath("template"), r.Minor)
	}
}

// Job follows pkg/registry/batch/job/strategy.go.
func Job(w *texts, r Request) {
	if r.Old == nil {
		w.name(r.Object, podNames)
	}
	if r.Old == nil || recounted(r) {
		w.jobSpec(tree.Map(r.Object, "spec"), field.NewPath("spec"), r.Minor)
	}
}

// CronJob follows pkg/registry/batch/cronjob/strategy.go.
func CronJob(w *texts, r Request) {
	if r.Old == nil {
		w.name(r.Object, podNames)
	}
	if r.Old == nil || recounted(r) {
		w.jobSpec(tree.Map(r.Object, "spec", "jobTemplate", "spec"), field.NewPath("spec", "jobTemplate", "spec"), r.Minor)
	}
	if r.Old != nil && strings.Contains(tree.String(r.Object, "spec", "schedule"), "TZ") {
		w.say("spec.schedule", "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details")
	}
}

// jobSpec follows WarningsForJobSpec of pkg/api/job/warnings.go.
func (w *texts) jobSpec(spec tree.Object, p *field.Path, minor int) {
	completions, _ := tree.Int(spec, "completions")
	parallelism, _ := tree.Int(spec, "parallelism")
	if tree.String(spec, "completionMode") == "Indexed" && completions > 100_000 && parallelism > 10_000 {
		w.at(p, "In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail")
	}
	w.template(tree.Map(spec, "template"), p.Child("template"), minor)
}
