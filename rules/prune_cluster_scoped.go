package rules

import (
	"threeway/lint"
	"threeway/merge/applier"
	"threeway/merge/manifest"
	"threeway/merge/prune"
)

var pruneClusterScoped = &lint.Rule{
	ID:       "prune-cluster-scoped",
	Title:    "the apply would delete a Namespace or PersistentVolume",
	Text:     "The apply would delete a Namespace or PersistentVolume: with --prune, or with Helm, Argo CD or Flux. Both kinds are in kubectl's default allowlist, and -n does not limit them.",
	Why:      "Deleting a Namespace also deletes every object in it, including those of other tools and teams.",
	Fix:      "List the kinds to prune with --prune-allowlist, without these two, or keep their manifests.",
	Links:    []string{pruneKEP, issue + "108161", issue + "110905", issue + "74414"},
	Severity: lint.Error,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		reportPruned(p, func(live *manifest.Entry) (what, fix string) {
			switch live.Kind.GroupKind() {
			case "Namespace":
				what = "every object in it is deleted, too, including those of other tools"
			case "PersistentVolume":
				what = "the claim that is bound to it loses its volume"
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
			switch {
			case what == "":
				continue
			case plan.By.Claim().Program != applier.Kubectl:
				reportDeleted(p, c, "this "+plan.By.Run()+" would delete ", what, keepManifest)
			case plan.ApplySet != nil:
				reportDeleted(p, c, "--prune would delete ", what, keepManifest)
			default:
				reportDeleted(p, c, "--prune would delete ", what, fix)
			}
		}
	}
}

const keepManifest = "keep its manifest if it is still needed; else back up first what goes with it"

func reportDeleted(p *lint.Pass, c prune.Candidate, how, what, fix string) {
	r := lint.Report{Message: how + c.Live.ID().String() + ": " + what, Notes: []string{c.Why}, Fix: fix}
	for _, t := range c.Takes {
		r.Notes = append(r.Notes, "also deletes "+t.Live.ID().String()+": "+t.Why)
	}
	p.ReportAt(c.Live.Object(), r)
}
