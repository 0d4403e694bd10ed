package rules

import (
	"threeway/lint"
	"threeway/merge/prune"
	"threeway/merge/tree"
)

var pruneWithoutSelector = &lint.Rule{
	ID:    "prune-without-selector",
	Title: "--prune without a label selector",
	Text: "The run prunes without -l. With neither -l nor --all kubectl refuses to run (error). With --all it can delete every object in the " +
		"namespaces of the manifests that any kubectl apply has applied (warning). Reported once, at the first object.",
	Why: "Without a label, kubectl cannot tell your objects from others. It deletes every applied object in these namespaces that " +
		"is not among these manifests, and Namespaces and PersistentVolumes in the whole cluster.",
	Fix:      "Give all your objects a label that no others have, and prune with -l; or use --applyset.",
	Links:    []string{declarative + "#alternative-kubectl-apply-f-directory-prune", pruneKEP, issue + "74414"},
	Severity: lint.Error,
	Needs:    lint.Prune,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		r := lint.Report{Fix: "give the objects a label that no others have, and prune with -l"}
		if label := sharedLabel(p); label != "" {
			r.Fix = "prune with -l " + label + ", which all objects have, if no other objects have it"
		}
		switch {
		case refused(p, prune.NoSelection) != nil:
			r.Message = "--prune has neither -l nor --all: kubectl refuses to run"
		case p.Options.Prune.All && p.Options.Prune.ApplySet == "":
			r.Severity = lint.Warning
			r.Message = "--prune --all deletes every applied object in the namespaces of the manifests that is not in these files"
		default:
			return
		}
		p.ReportRun(r)
	},
}

// refused finds why kubectl refuses the whole run, if it is for the cause.
func refused(p *lint.Pass, cause prune.Cause) *prune.Refusal {
	for _, r := range p.Plan.Refused {
		if r.Cause == cause {
			return r
		}
	}
	return nil
}

// sharedLabel is a label that all objects of the set have and that looks as if
// it stays, or "".
func sharedLabel(p *lint.Pass) string {
	var shared tree.Object
	for o := range p.Objects() {
		labels := tree.Map(o.Manifest.Tree, "metadata", "labels")
		if shared == nil {
			shared = labels
			continue
		}
		both := tree.Object{}
		for key, value := range shared {
			if labels[key] == value {
				both[key] = value
			}
		}
		shared = both
	}
	for _, key := range tree.Keys(shared) {
		if value, ok := shared[key].(string); ok && mutable(key, value, nil) == "" {
			return key + "=" + value
		}
	}
	return ""
}
