package rules

import (
	"path/filepath"
	"slices"

	"threeway/lint"
	"threeway/merge/prune"
	"threeway/merge/tree"
)

var applysetSharedByDirectories = &lint.Rule{
	ID:    "applyset-shared-by-directories",
	Title: "two directories use the same ApplySet",
	Text: "Another directory is applied with the same --applyset: its .threeway.yaml records it, or the members that this run would delete have " +
		"their manifests there while no object of this run is a member yet. Reported once, at the first object.",
	Why:      "An ApplySet contains what the last run applied. The two directories delete each other's objects in turn, and both runs report success.",
	Fix:      "Give each directory its own ApplySet, or apply their common root in one run.",
	Links:    []string{declarative + "#alternative-kubectl-apply-f-directory-prune", pruneKEP},
	Severity: lint.Error,
	Needs:    lint.Prune,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		if p.Plan.ApplySet == nil {
			return
		}
		places := append(recordedElsewhere(p), membersElsewhere(p)...)
		if len(places) > 0 {
			p.ReportRun(lint.Report{
				Message: "the ApplySet " + p.Plan.ApplySet.Identity().String() + " is also used for another directory: each run deletes what the other applies",
				Notes:   places,
				Fix:     "give each directory its own ApplySet",
			})
		}
	},
}

// recordedElsewhere lists the config files of other directories that record
// the same ApplySet.
func recordedElsewhere(p *lint.Pass) []string {
	var places []string
	for _, other := range p.Options.Prune.Others {
		if prune.SameRef(other.ApplySet, p.Options.Prune.ApplySet) && (!p.Plan.ApplySet.Namespaced() || other.Namespace == p.Options.Namespace) {
			places = append(places, other.Source+" records it for "+other.Root)
		}
	}
	return places
}

// membersElsewhere lists the directories with manifests of members that the
// run would delete. If an object of this run is a member already, it is the
// same directory, or a part of it: prune-from-subdirectory.
func membersElsewhere(p *lint.Pass) []string {
	for o := range p.Objects() {
		if tree.String(o.Before, "metadata", "labels", prune.PartOfLabel) == p.Plan.ApplySet.ID() {
			return nil
		}
	}
	var places []string
	for _, c := range p.Plan.Prune.Pruned() {
		if c.Manifest == nil {
			continue
		}
		if place := "members have their manifests in " + filepath.Dir(c.Manifest.Origin.File); !slices.Contains(places, place) {
			places = append(places, place)
		}
	}
	return places
}
