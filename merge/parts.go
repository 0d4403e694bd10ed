package merge

import (
	"fmt"
	"slices"
	"strings"

	"threeway/merge/manifest"
	"threeway/merge/prune"
	"threeway/merge/rehearsal"
	"threeway/merge/text/phrase"
)

// Part are the manifests of a set that one program applies, of several that do.
type Part struct {
	// By is the program; nil for kubectl.
	By rehearsal.Applier
	// ServerSide is that of Options.
	ServerSide *rehearsal.ServerSide
	// Manifests are in the order of the program.
	Manifests *manifest.Set
	// Namespace is that of Options, if it is kubectl.
	Namespace string
}

// newOfParts rehearses the parts of a set one after the other, each as its program applies
// it, and makes one plan of them. A part sees the definitions of all others, and the
// namespaces and classes of those before it.
func newOfParts(opts Options) (*Plan, error) {
	all := opts
	all.Parts, all.By, all.Before = nil, nil, nil
	all = all.rehearsed()
	all.Manifests.Objects = nil
	for _, part := range opts.Parts {
		all.Manifests.Objects = append(all.Manifests.Objects, part.Manifests.Objects...)
	}
	whole := &Plan{By: all.By, Diff: all.Diff, live: all.Live, Problems: manifest.Bounded(all.Manifests.Problems)}
	for i, part := range opts.Parts {
		p, err := New(all.of(part, whole))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", part.program(), err)
		}
		whole.add(p, part, i == 0)
	}
	all.Minor = whole.Minor
	whole.run = &run{rehearsal.New(all.Options, rehearsal.NewCatalog(all.Options)), all}
	whole.Notes = slices.Concat(opts.Notes, whole.perPart())
	whole.Add(opts.Gaps...)
	whole.run.compare(whole)
	whole.run.compareGaps(whole)
	return whole, nil
}

// of are the options of a part.
func (opts Options) of(part Part, whole *Plan) Options {
	own := opts
	own.By, own.ServerSide, own.Manifests, own.Namespace, own.Notes, own.Gaps = part.By, part.ServerSide, part.Manifests, part.Namespace, nil, nil
	own.Former = nil // of all parts
	isOther := func(o *manifest.Object) bool {
		return o.Kind.GroupKind() == rehearsal.DefinitionKind && !slices.Contains(part.Manifests.Objects, o)
	}
	own.Definitions = slices.Concat(opts.Definitions, filter(opts.Manifests.Objects, isOther))
	if own.Enforce = opts.Enforce && opts.Namespace == part.Namespace; part.By != nil {
		own.LastApplied = nil
	}
	if len(whole.Parts) > 0 {
		own.Sibling = whole.Parts[0].run.Run
	}
	return own
}

// program names what applies a part.
func (part Part) program() string {
	if part.By == nil {
		return "kubectl"
	}
	return part.By.Claim().By()
}

// add adds the plan of a part.
func (p *Plan) add(plan *Plan, part Part, first bool) {
	p.Parts, p.Minor = append(p.Parts, plan), plan.Minor
	p.Set, p.Outcomes = append(p.Set, plan.Set...), append(p.Outcomes, plan.Outcomes...)
	if p.Problems = append(p.Problems, manifest.Bounded(part.Manifests.Problems)...); first {
		p.Problems = append(p.Problems, manifest.Bounded(p.live.Problems)...)
	}
	p.Asked, p.Warnings = append(p.Asked, plan.Asked...), phrase.Distinct(append(p.Warnings, plan.Warnings...))
	p.Gaps.Add(plan.Gaps...)
	p.Unseen = append(p.Unseen, plan.Unseen...)
	if plan.Prune == nil {
		return
	}
	if p.Prune == nil {
		p.Prune = &prune.Result{}
	}
	p.Prune.Candidates = append(p.Prune.Candidates, plan.Prune.Candidates...)
	p.Prune.Kinds, p.Prune.Uncovered = append(p.Prune.Kinds, plan.Prune.Kinds...), append(p.Prune.Uncovered, plan.Prune.Uncovered...)
	p.Prune.Waits = p.Prune.Waits || plan.Prune.Waits
}

// perPart says of each part what its program does, and what the plan of the part notes
// that those of the others do not.
func (p *Plan) perPart() (notes []string) {
	for _, part := range p.Parts {
		by, what := "kubectl", "kubectl apply, "+part.Mode()
		if part.run.Namespace != p.run.Namespace {
			what += ", in namespace " + part.run.Namespace
		}
		if !part.By.Claim().IsKubectl() {
			by, what = part.By.Claim().By(), part.By.Title(part.Mode())
		}
		notes = append(notes, what+": "+part.counts())
		for _, note := range part.Notes {
			shared := !slices.ContainsFunc(p.Parts, func(other *Plan) bool { return !slices.Contains(other.Notes, note) })
			if !shared {
				note = by + ": " + note
			}
			if !slices.Contains(notes, note) {
				notes = append(notes, note)
			}
		}
	}
	return notes
}

// counts says how many objects a plan creates, changes and so on.
func (p *Plan) counts() string {
	n := map[rehearsal.Action]int{}
	for _, o := range p.Outcomes {
		if n[o.Action]++; o.Stopped {
			n[o.Action], n[rehearsal.NotApplied] = n[o.Action]-1, n[rehearsal.NotApplied]+1
		}
	}
	n["deleted"] = len(p.Prune.Pruned())
	var texts []string
	for _, action := range []rehearsal.Action{rehearsal.Created, rehearsal.Configured, rehearsal.Unchanged, rehearsal.Rejected, rehearsal.NotApplied, "deleted"} {
		if n[action] > 0 {
			texts = append(texts, fmt.Sprintf("%d %s", n[action], action))
		}
	}
	return strings.Join(texts, ", ")
}
