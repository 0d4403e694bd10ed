package rules

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/manifest"
	"threeway/merge/prune"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

var pruneFromSubdirectory = &lint.Rule{
	ID:     "prune-from-subdirectory",
	Former: []string{"applyset-shared-by-directories"},
	Title:  "--prune would delete objects with manifests elsewhere",
	Text: "The run prunes, but -f is only a part of the manifests: --prune treats the live objects of the other directories below the same " +
		"root as removed. Each is reported at its manifest; without a snapshot, the run is reported once: an error if .threeway.yaml " +
		"defines the root, a warning if it is the repository. So is an ApplySet that another directory uses, too.",
	Why: "kubectl does not know the other directories: it deletes every live object that has last-applied, matches the labels, and is not " +
		"among the files of this run.",
	Fix:      "Prune only from the root of all manifests, with -R and a label that all of them have: kubectl apply -R -f ROOT --prune -l app=shop.",
	Links:    []string{declarative + "#alternative-kubectl-apply-f-directory-prune", pruneKEP},
	Severity: lint.Error,
	Needs:    lint.Prune | lint.Root,
	Run: func(p *lint.Pass) {
		sharedApplySet(p)
		reportSiblings(p)
		var strays []prune.Candidate
		var manifests []*manifest.Object
		for _, c := range p.Plan.Prune.Pruned() {
			if c.Manifest != nil {
				strays, manifests = append(strays, c), append(manifests, c.Manifest)
			}
		}
		ways := wholeSet(p, manifests)
		for _, c := range strays {
			r := lint.Report{
				Message: fmt.Sprintf("--prune would delete %s, whose manifest is here but not among the files applied", c.Live.ID()),
				Live:    c.Why, Against: c.Live.Object(), Ways: ways,
			}
			for _, t := range c.Takes {
				r.Notes = append(r.Notes, fmt.Sprintf("also deletes %s: %s", t.Live.ID(), t.Why))
			}
			p.ReportAt(c.Manifest, r)
		}
	},
}

// reportSiblings names the manifests that a run without a snapshot endangers.
func reportSiblings(p *lint.Pass) {
	if p.Plan.Prune == nil || len(p.Plan.Prune.Siblings) == 0 {
		return
	}
	const most = 10
	siblings := p.Plan.Prune.Siblings
	what := fmt.Sprintf("%d objects whose manifests are in other directories, if they are live", len(siblings))
	if len(siblings) == 1 {
		what = "1 object whose manifest is in another directory, if it is live"
	}
	r := lint.Report{
		Message: "-f is only a part of " + p.Options.Prune.Root + ": --prune would delete " + what,
		Ways:    wholeSet(p, siblings),
	}
	if p.Options.Prune.Guessed {
		r.Severity = lint.Warning
		r.Message = "-f is only a part of the repository: --prune would delete " + what
	}
	for _, o := range siblings[:min(most, len(siblings))] {
		r.Notes = append(r.Notes, o.At()+" "+o.ID().String())
	}
	if more := len(siblings) - most; more > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("and %d more", more))
	}
	p.ReportRun(r)
}

// wholeSet is the command that applies these manifests too: on the root, or on
// their directories as well if the root was not given, but for those within others.
func wholeSet(p *lint.Pass, manifests []*manifest.Object) []lint.Way {
	const together = "apply without --prune, or all manifests together"
	if p.Options.Prune.Guessed && slices.Contains(p.Paths, manifest.Stdin) {
		return []lint.Way{{Words: together}}
	}
	dirs := []string{p.Options.Prune.Root}
	if p.Options.Prune.Guessed {
		dirs = slices.Clone(p.Paths)
		for _, o := range manifests {
			dirs = append(dirs, filepath.Dir(o.Origin.File))
		}
		slices.Sort(dirs)
		all := slices.Compact(dirs)
		dirs = slices.DeleteFunc(slices.Clone(all), func(dir string) bool {
			return slices.ContainsFunc(all, func(other string) bool {
				return other != dir && (other == "." && !strings.HasPrefix(dir, "..") || strings.HasPrefix(dir, other+"/"))
			})
		})
	}
	var files []shell.Arg
	for _, dir := range dirs {
		files = append(files, shell.File("-f", dir))
	}
	args := slices.Concat(files, []shell.Arg{shell.Option("--prune")}, p.Options.Prune.Selection().Args(), []shell.Arg{shell.Arg{}.In(p.Options.Namespace)})
	line := shell.Line("kubectl apply -R", args...)
	if p.Options.Prune.ApplySet != "" { // which kubectl asks for
		line = shell.Line("KUBECTL_APPLYSET=true kubectl apply -R", args...)
	}
	return []lint.Way{{Words: together + ": ", Commands: []string{line}, Instead: together}}
}

// sharedApplySet reports an ApplySet that is also applied from another directory.
func sharedApplySet(p *lint.Pass) {
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
