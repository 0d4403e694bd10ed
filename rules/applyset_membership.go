package rules

import (
	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/prune"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

var applysetMembership = &lint.Rule{
	ID:     "applyset-membership",
	Former: []string{"applyset-steals-member", "applyset-label-in-config"},
	Title:  "an object enters or leaves an ApplySet",
	Text: "The live object is a member of an ApplySet, and apply moves it to the one in --applyset (error), or, without --applyset, removes it from its " +
		"ApplySet (warning). Or the manifest sets " + prune.PartOfLabel + ", as exported objects do (warning).",
	Why: "An object can be in only one ApplySet. The next run of the old one takes it back, and a prune of either deletes an object that the other needs. An object in none is never pruned. With the label in the manifest, kubectl --applyset refuses to " +
		"run.",
	Fix:      "Keep the manifest in only one of the two, and apply it with that --applyset. Remove the label.",
	Repair:   "Removes the label.",
	Links:    []string{declarative + "#alternative-kubectl-apply-f-directory-prune", "https://github.com/kubernetes/enhancements/pull/3919", pruneKEP},
	Severity: lint.Error,
	Run: func(p *lint.Pass) {
		movedMembers(p)
		labeledMembers(p)
	},
}

// movedMembers reports objects that change their ApplySet.
func movedMembers(p *lint.Pass) {
	path := fieldpath.New("metadata", "labels", prune.PartOfLabel)
	for o := range p.Accepted() {
		was := tree.String(o.Before, "metadata", "labels", prune.PartOfLabel)
		is := tree.String(o.Result, "metadata", "labels", prune.PartOfLabel)
		if was == "" || was == is || is == "" && p.Plan.ApplySet != nil { // kubectl refuses the run
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
}

// labeledMembers reports manifests that set the label themselves.
func labeledMembers(p *lint.Pass) {
	path := fieldpath.New("metadata", "labels", prune.PartOfLabel)
	if p.Plan.ApplySet != nil {
		return // the others have it because the rehearsal has set it
	}
	for o := range p.Objects() {
		if has(o.Manifest.Tree, path) {
			p.Report(o, lint.Report{Path: path, Severity: lint.Warning, Message: "the label makes the object a member of an ApplySet; kubectl --applyset rejects it, and a prune of that ApplySet deletes it", Fix: "remove the label", Edits: []edit.Edit{edit.Remove(path)}})
		}
	}
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
