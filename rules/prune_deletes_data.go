package rules

import (
	"threeway/lint"
	"threeway/merge/impact"
	"threeway/merge/manifest"
	"threeway/merge/prune"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

var pruneDeletesData = &lint.Rule{
	ID:     "prune-deletes-data",
	Former: []string{"prune-cluster-scoped", "prune-stateful-data"},
	Title:  "the apply would delete an object with all that it holds",
	Text: "The apply would delete a Namespace, PersistentVolume, PersistentVolumeClaim, StatefulSet or CustomResourceDefinition: with --prune, or " +
		"with Helm, Argo CD or Flux. The first two are in kubectl's default allowlist, and -n does not limit them.",
	Why: "What they hold is deleted, too: every object in the namespace; a claim's volume, depending on its reclaim policy; all objects " +
		"of a definition's kind.",
	Fix:      "Delete such objects by hand, after a backup; keep their kinds out of --prune-allowlist, or keep their manifests.",
	Links:    []string{"https://github.com/kubernetes-sigs/cli-utils/issues/274", pruneKEP, issue + "108161", issue + "110905", issue + "74414"},
	Severity: lint.Error,
	Effect:   impact.LosesData,
	Run: func(p *lint.Pass) {
		reportPruned(p, func(live *manifest.Entry) (what, fix string) {
			switch live.Kind.GroupKind() {
			case "Namespace":
				what = "every object in it is deleted, too, including those of other tools"
			case "PersistentVolume":
				what = "the claim that is bound to it loses its volume"
			default:
				return statefulData(live), "keep its kind out of --prune-allowlist, and delete it by hand after a backup"
			}
			return what, "list the kinds to prune with --prune-allowlist, without " + live.Kind.GroupKind()
		})
	},
}

// reportPruned reports the objects that the apply deletes and that are of interest: what
// goes with each, and the fix if a prune goes by an allowlist.
func reportPruned(p *lint.Pass, of func(live *manifest.Entry) (what, fix string)) {
	plans := p.Plan.Parts
	if plans == nil {
		plans = append(plans, p.Plan)
	}
	for _, plan := range plans {
		for _, c := range plan.Prune.Pruned() {
			what, fix := of(c.Live)
			if what == "" {
				continue
			}
			if !byPrune(plan.By) || plan.ApplySet != nil {
				fix = keepManifest
			}
			reportDeleted(p, c, deleting(p), what, fix)
		}
	}
}

// byPrune reports whether it is kubectl apply --prune that deletes.
func byPrune(by rehearsal.Applier) bool {
	return by.Run() == "apply"
}

// deleting says what would delete an object, before its name.
func deleting(p *lint.Pass) string {
	switch by := p.Plan.By; {
	case byPrune(by) && p.Options.Prune == nil: // a command that is rehearsed
		return "kubectl delete would delete "
	case byPrune(by):
		return "--prune would delete "
	default:
		return "this " + by.Run() + " would delete "
	}
}

const keepManifest = "keep its manifest if it is still needed; else back up first what goes with it"

func reportDeleted(p *lint.Pass, c prune.Candidate, how, what, fix string) {
	r := lint.Report{Effect: effectOf(c.Live), Message: how + c.Live.ID().String() + ": " + what, Notes: []string{c.Why}, Fix: fix}
	for _, t := range c.Takes {
		r.Notes = append(r.Notes, "also deletes "+t.Live.ID().String()+": "+t.Why)
	}
	p.ReportAt(c.Live.Object(), r)
}

// statefulData says what goes with an object; "" if no data does.
func statefulData(live *manifest.Entry) string {
	switch live.Kind.GroupKind() {
	case "PersistentVolumeClaim":
		return "the data of the volume is deleted, too, unless its reclaim policy is Retain"
	case "CustomResourceDefinition.apiextensions.k8s.io":
		return "all objects of its kind are deleted, too"
	case "StatefulSet.apps":
		if tree.String(live.Object().Tree, "spec", "persistentVolumeClaimRetentionPolicy", "whenDeleted") == "Delete" {
			return "its pods and, by its retention policy, its claims with their data are deleted, too"
		}
		return "its pods are deleted, too, and its claims are left behind"
	}
	return ""
}

// effectOf is what the plan counts of a deletion by itself: of a Namespace or a
// PersistentVolume it counts what goes with it.
func effectOf(live *manifest.Entry) impact.Effect {
	if statefulData(live) == "" {
		return impact.Told
	}
	return impact.LosesData
}
