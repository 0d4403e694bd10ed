package merge

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

// rejection is a manifest that kubectl or the API server rejects.
type rejection struct {
	*manifest.Object
	// words are the server's; "" if kubectl rejects the manifest, in words that name its file.
	words string
	// line says which object it is, and why.
	line string
}

// unplaced are the words without the file, which has another name before the change.
func (r rejection) unplaced() string { return strings.ReplaceAll(r.words, r.Origin.File, "") }

// rejections are those of a plan, of its outcomes and of what was read.
func (p *Plan) rejections() (list []rejection) {
	for _, problem := range p.RejectedEarly() {
		if problem.Object.Name != "" {
			list = append(list, rejection{problem.Object, "", problem.String()})
		}
	}
	for _, o := range p.Outcomes {
		if o.Action == rehearsal.Rejected {
			list = append(list, rejection{o.Manifest, o.Rejection.OneLine(), o.Identity().String() + ": " + o.Rejection.OneLine()})
		}
	}
	return list
}

// repeated are the manifests of the objects that a plan has more than once.
func (p *Plan) repeated() map[manifest.Identity][]tree.Object {
	all := map[manifest.Identity][]tree.Object{}
	for _, o := range p.Set {
		all[o.Manifest.ID()] = append(all[o.Manifest.ID()], o.Manifest.Tree)
	}
	maps.DeleteFunc(all, func(_ manifest.Identity, trees []tree.Object) bool { return len(trees) < 2 })
	return all
}

// leaveRepeated leaves the objects as they are that the base has more than once, too, in the same
// manifests: the last of them is what the cluster has, before and after.
func (r *run) leaveRepeated(p *Plan) {
	if r.given.Base == nil || len(r.given.Base.repeated) == 0 {
		return
	}
	now := p.repeated()
	same := func(id manifest.Identity) bool {
		return slices.EqualFunc(now[id], r.given.Base.repeated[id], func(a, b tree.Object) bool { return tree.Equal(a, b) })
	}
	for _, o := range p.Outcomes {
		if id := o.Identity(); now[id] != nil && o.Action == rehearsal.Configured && same(id) {
			o.Leave()
		}
	}
	p.Problems = slices.DeleteFunc(p.Problems, func(problem manifest.Problem) bool {
		return problem.Severity == manifest.Warning && problem.Object != nil && now[problem.Object.ID()] != nil && same(problem.Object.ID())
	})
}

// asBefore takes out of the plan what was rejected before the change, too: the same manifest, in
// the same words. kubectl applies the others, now as then. It returns what of the former
// manifests is not rejected any more, or not so, and a note that counts those.
func (r *run) asBefore(p *Plan) (other []rejection, note string) {
	var before []rejection
	if r.given.Base != nil {
		before = r.given.Base.rejected
	}
	if r.given.Former == nil || r.given.Base == nil && !r.given.Former.Aside || !r.By.Claim().IsKubectl() {
		return before, ""
	}
	now := map[manifest.Identity][]rejection{}
	for _, n := range p.rejections() {
		now[n.ID()] = append(now[n.ID()], n)
	}
	if len(now) > 0 && r.given.Base == nil {
		then := r.given.beforeChange()
		then.Only = func(o *manifest.Object) bool { return now[o.ID()] != nil }
		if plan, err := New(then); err == nil {
			before = plan.rejections()
		}
	}
	same := map[*manifest.Object]bool{}
	var names []string
	for _, was := range before {
		i := slices.IndexFunc(now[was.ID()], func(n rejection) bool {
			return !same[n.Object] && n.unplaced() == was.unplaced() && tree.Equal(n.Tree, was.Tree)
		})
		if i < 0 {
			other = append(other, was)
			continue
		}
		same[now[was.ID()][i].Object] = true
		names = append(names, was.ID().String())
	}
	if names == nil {
		return other, ""
	}
	p.Outcomes = slices.DeleteFunc(p.Outcomes, func(o *rehearsal.Outcome) bool { return same[o.Manifest] })
	p.Problems = slices.DeleteFunc(p.Problems, func(problem manifest.Problem) bool { return same[problem.Object] })
	return other, phrase.Count(len(names), "object is", "objects are") + " rejected as before the change: " + phrase.Abbreviated(names, 3)
}

// Changes reports whether the apply changes an object, or leaves one behind. What does not change
// is no matter of a plan that changes nothing.
func (p *Plan) Changes() bool {
	return len(p.Left) > 0 || p.Prune != nil && len(p.Prune.Candidates) > 0 || slices.ContainsFunc(p.Outcomes, func(o *rehearsal.Outcome) bool { return !o.Stays() })
}

// AtBase returns the options to apply the manifests before the change, to the same cluster; nil if
// what is asked about is the apply, and not the change. What the plan of them has of manifests that
// stay as they are is that of now.
func (opts Options) AtBase(now *Plan) *Options {
	if opts.Former == nil || opts.Base == nil && !opts.Former.Aside || len(opts.Parts) > 0 {
		return nil
	}
	opts = opts.beforeChange()
	opts.Before = now
	return &opts
}

// beforeChange are the options to apply what Former has, alone.
func (opts Options) beforeChange() Options {
	opts.Manifests = opts.formerly()
	opts.Former, opts.Prune, opts.Notes, opts.Gaps, opts.Only, opts.Before = nil, nil, nil, nil, nil, nil
	return opts
}

// lacking says which manifests of a base count as absent, because they are rejected.
func lacking(list []rejection) (notes []string) {
	for _, by := range []struct {
		why string
		is  func(r rejection) bool
	}{
		{"kubectl would reject", func(r rejection) bool { return r.words == "" }},
		{"the API server would reject creating", func(r rejection) bool { return r.words != "" }},
	} {
		var lines []string
		for _, r := range list {
			if by.is(r) {
				lines = append(lines, r.line)
			}
		}
		const most = 3
		switch n := len(lines); {
		case n == 1:
			notes = append(notes, "1 object of the base counts as absent, because "+by.why+" it: "+lines[0])
		case n > 1:
			text := fmt.Sprintf("%d objects of the base count as absent, because %s them: %s", n, by.why, strings.Join(lines[:min(n, most)], "; "))
			if n > most {
				text += fmt.Sprintf("; and %d more", n-most)
			}
			notes = append(notes, text)
		}
	}
	return notes
}
