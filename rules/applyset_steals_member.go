package rules

import (
	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/prune"
	"threeway/merge/tree"
)

var applysetStealsMember = &lint.Rule{
	ID:    "applyset-steals-member",
	Title: "an object would leave its ApplySet",
	Text: "The live object is a member of an ApplySet. Apply moves it to the one in --applyset (error), or, without --applyset, removes it from " +
		"its ApplySet (warning).",
	Why: "An object can be in only one ApplySet, and kubectl moves it without a message. The next run of the old one takes it back, and when " +
		"one of the two no longer has the manifest, its prune deletes an object that the other still needs. An object in no ApplySet is never " +
		"pruned.",
	Fix:      "Keep the manifest in only one of the two, and apply it with that --applyset.",
	Links:    []string{declarative + "#alternative-kubectl-apply-f-directory-prune", "https://github.com/kubernetes/enhancements/pull/3919", pruneKEP},
	Severity: lint.Error,
	Needs:    lint.Live,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		path := fieldpath.New("metadata", "labels", prune.PartOfLabel)
		for o := range p.Accepted() {
			was := tree.String(o.Before, "metadata", "labels", prune.PartOfLabel)
			is := tree.String(o.Result, "metadata", "labels", prune.PartOfLabel)
			if was == "" || was == is {
				continue
			}
			r := lint.Report{LivePath: path, Live: "member of " + setName(p, was)}
			if is == "" {
				r.Severity = lint.Warning
				r.Message = "apply without --applyset removes the object from its ApplySet; no prune will delete it later"
				r.Fix = "apply it with --prune --applyset, as before"
			} else {
				r.Message = "apply moves the object from another ApplySet to " + setName(p, is) + "; each of the two takes it from the other, or prunes it"
				r.Fix = "keep the manifest in only one of the two"
			}
			p.Report(o, r)
		}
	},
}

// setName is the parent with an ApplySet's ID in the snapshot or in this run,
// else the ID.
func setName(p *lint.Pass, id string) string {
	if p.Plan.ApplySet != nil && p.Plan.ApplySet.ID() == id {
		return p.Plan.ApplySet.Identity().String()
	}
	for _, e := range p.Options.Live.Entries {
		if e.Label(prune.ParentIDLabel) == id {
			return e.ID().String()
		}
	}
	return id
}
