package lint

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"threeway/merge"
	"threeway/merge/explain"
	"threeway/merge/fieldpath"
	"threeway/merge/gap"
	"threeway/merge/impact"
	"threeway/merge/manifest"
	"threeway/merge/memo"
	"threeway/merge/rehearsal"
	"threeway/merge/text/phrase"
)

// Options say which rules run and which findings are suppressed. The zero value
// is the default.
type Options struct {
	// Severities overrides the severities of rules by ID. Off disables a rule;
	// any other value enables an opt-in rule.
	Severities map[string]Severity
	// Only, if not empty, names the rules that run.
	Only []string
	// Ignores suppress findings by object and field.
	Ignores []Ignore
	// IgnoreManagers suppress findings about fields that these managers own in
	// the live object, unless the object is rejected.
	IgnoreManagers []string
	// NoSuppressions also reports findings that comments and annotations
	// suppress.
	NoSuppressions bool
	// Trusted says which suppressions in manifests count; nil: all.
	Trusted *Trusted
	// Baseline has the fingerprints of known findings.
	Baseline map[string]bool
	// Shown decides by file which findings are reported; nil means all.
	Shown func(file string) bool
	// Listed is the lowest severity of findings of which more than the edits is read.
	Listed Severity

	unrehearsed bool // advice is not rehearsed, and findings are not compared with the base
}

// Result is the result of a run.
type Result struct {
	// Findings and Suppressed are sorted by file and line.
	Findings, Suppressed []*Finding
	// Hidden counts the findings that were left out of Findings by their severity.
	Hidden [Error + 1]int
	// Known counts the findings that are in the baseline.
	Known int
	// Skipped are the rules that did not run because an input is missing.
	Skipped []Skipped
	// Objects counts the objects that were checked.
	Objects int
	// Problems are problems with the input that are not findings. If one is an
	// error, not everything was checked.
	Problems []manifest.Problem
	// Notes say where the real outcome may differ.
	Notes []string
	// Gaps are what the plan does not tell, and Undecided what rules need to know, which is in them.
	Gaps      gap.List
	Undecided []rehearsal.Undecided
	// Effects are what findings say by effect, for the plan. Suppressed ones,
	// those in the baseline and those in files that are not shown count too.
	Effects map[impact.Effect][]impact.Affected
	// Impact is what the plan does to what runs, found out when it is first asked
	// for.
	Impact func() *impact.Impact
}

// Skipped are rules that need an input that the run does not have.
type Skipped struct {
	Rules []string
	Why   string
	// Elsewhere is set if they are about another kind of run, such as one with
	// --prune, so that more input would not make them run.
	Elsewhere bool
}

// Count counts the findings of a severity. What cannot be read is an error.
func (r *Result) Count(s Severity) int {
	n := r.Hidden[s]
	for _, p := range r.Problems {
		if s == Error && p.Severity == manifest.Error {
			n++
		}
	}
	for _, f := range r.Findings {
		if f.Severity == s {
			n++
		}
	}
	return n
}

// Accepted are what the suppressed findings say that would stop an apply or be for a person to decide.
func (r *Result) Accepted() (list []impact.Affected) {
	for _, f := range r.Suppressed {
		if f.Severity >= Warning {
			list = append(list, f.Affected())
		}
	}
	return list
}

// Besides are what the findings of a severity say that count as no effect, without those
// of objects that are rejected, and those that a rollout counts: of what it leaves without pods.
func (r *Result) Besides(severity Severity) (list []impact.Affected) {
	facts := r.Impact()
	rejected, cut, scaled := map[manifest.Identity]bool{}, map[manifest.Identity]bool{}, map[manifest.Identity]bool{}
	for _, o := range facts.Plan.Outcomes {
		rejected[o.Identity()] = o.Action == rehearsal.Rejected
	}
	for _, problem := range facts.Plan.RejectedEarly() {
		rejected[problem.Object.ID()] = true
	}
	for _, rollout := range facts.Rollouts {
		if rollout.Scaling != nil {
			for _, id := range rollout.Scaling.Cut {
				cut[id], scaled[rollout.Outcome.Identity()] = true, true
			}
		}
	}
	for _, f := range r.Findings {
		counts := f.effect != "" && (f.count > 0 || cut[f.id]) || f.effect == impact.Told && (severity < Error || scaled[f.id])
		if f.Severity == severity && !counts && !rejected[f.id] {
			a := f.Affected()
			a.Count = 1
			list = append(list, a)
		}
	}
	return list
}

// Run runs the rules, which must be sorted by ID, without duplicates.
func Run(all []*Rule, in Input, opts Options) *Result {
	facts := sync.OnceValue(func() *impact.Impact { return impact.Of(in.Plan, in.Options) })
	in.order = sync.OnceValue(func() *order { return orderOf(in.Options.Manifests) })
	res := &Result{Impact: facts}
	p := &Pass{Input: in, Impact: facts, shared: &memo.Types{}}
	p.gather()
	for _, problem := range in.Plan.Problems {
		switch {
		case !refused(problem):
			res.Problems = append(res.Problems, problem)
		case in.Options.Only == nil || in.Options.Only(problem.Object):
			p.all = append(p.all, problemObject(problem, &p.Input))
		}
	}
	res.Objects = len(p.all)
	p.claim(all)
	var enabled []*Rule
	ran := map[string]bool{}
	live := in.Options.Live
	compared := live != nil && len(live.Entries) > 0 && in.Plan.Base == nil && !in.Options.EmptyCluster
	for _, r := range all {
		if !opts.enabled(r) {
			continue
		}
		enabled = append(enabled, r)
		if r.Run != nil {
			if s := cmp.Or(p.otherRun(r.Needs), p.lacks(r.Needs)); s != (lack{}) {
				res.skip(r.ID, s)
				if objects := p.undecided(r); compared && !s.elsewhere && opts.severity(r) >= Warning && objects != nil {
					in.Plan.Add(gap.Gap{Code: gap.RulesSkipped, Objects: objects, Needs: s.why})
				}
				continue
			}
		}
		ran[r.ID] = true
	}
	byRule, unknown := make([][]*Finding, len(enabled)), make([][]rehearsal.Undecided, len(enabled))
	in.Options.Progress.Rules(len(enabled))
	in.Options.Cores.Do(len(enabled), func(i int) {
		defer in.Options.Progress.Add(1)
		p := *p
		p.rule, p.sink = enabled[i], func(f *Finding) { byRule[i] = append(byRule[i], f) }
		if opts.severity(p.rule) >= Warning {
			p.unknown = func(u rehearsal.Undecided) { unknown[i] = append(unknown[i], u) }
		}
		p.reportClaims()
		if p.rule.Run != nil && ran[p.rule.ID] {
			p.rule.Run(&p)
		}
	})
	found := slices.Concat(byRule...)
	p.tellConsequences(found)
	res.Undecided = slices.Concat(unknown...)
	in.Plan.AddUndecided(res.Undecided)
	res.Notes, res.Gaps = in.Plan.Notes, in.Plan.Gaps
	if !opts.unrehearsed {
		found = res.withoutAsBefore(found, in, opts)
	}
	for _, f := range found {
		if s := opts.Severities[f.Rule.ID]; s != Unset {
			f.Severity = s
		}
	}
	asked := slices.DeleteFunc(slices.Clone(found), func(f *Finding) bool { return f.Severity == Off })
	if !opts.NoSuppressions {
		asked = append(asked, p.suppress(all, asked, ran, opts)...)
	}
	res.Effects = map[impact.Effect][]impact.Affected{}
	stopped := map[manifest.Identity]bool{}
	for _, o := range in.Plan.Outcomes {
		stopped[o.Identity()] = o.Stopped
	}
	for _, f := range found {
		if f.count > 0 && f.effect != "" && !stopped[f.id] {
			res.Effects[f.effect] = append(res.Effects[f.effect], f.Affected())
		}
	}
	res.sort(asked, opts)
	if !opts.unrehearsed {
		p.rehearse(all, res.Findings, opts.Listed)
	}
	return res
}

// tellConsequences ends each finding about the change of a field, unless it says itself what the change
// does, with what that is, so that it is told at one place.
func (p *Pass) tellConsequences(found []*Finding) {
	told, outcomes := map[string]bool{}, map[manifest.Identity]*rehearsal.Outcome{}
	for _, o := range p.Plan.Outcomes {
		outcomes[o.Identity()] = o
	}
	for _, f := range found {
		told[f.Object+f.Path.String()] = told[f.Object+f.Path.String()] || f.effect != ""
	}
	for _, f := range found {
		o := outcomes[f.id]
		if told[f.Object+f.Path.String()] || f.Severity < Warning || len(f.Path) == 0 || o == nil || o.Action != rehearsal.Configured {
			continue
		}
		if says := p.Impact().Hazard(o, f.Path); says != "" {
			f.Message += "; " + says
			told[f.Object+f.Path.String()] = true
		}
	}
}

// withoutAsBefore leaves out the findings about objects that stay as they are, or about fields of which
// the apply changes none, that the manifests before the change have, too, and counts them in a note.
func (r *Result) withoutAsBefore(found []*Finding, in Input, opts Options) []*Finding {
	stays := map[manifest.Identity]bool{}
	for _, m := range in.Plan.Set {
		stays[m.Manifest.ID()] = true // it is rejected as before, if it has no outcome
	}
	outcomes := map[manifest.Identity]*rehearsal.Outcome{}
	for _, o := range in.Plan.Outcomes {
		stays[o.Identity()], outcomes[o.Identity()] = o.Stays(), o
	}
	old, ofRules, touched := map[*Finding]bool{}, map[string]*Rule{}, map[*rehearsal.Outcome]*fieldpath.Set{}
	for _, f := range found {
		elsewhere := func() bool {
			o := outcomes[f.id]
			if o == nil || o.Action != rehearsal.Configured || f.Severity == Error || len(f.Path) == 0 {
				return false
			}
			if touched[o] == nil {
				touched[o] = &fieldpath.Set{}
				for _, c := range explain.FieldChanges(o) {
					touched[o].Add(c.Path, fieldpath.Path.String)
				}
			}
			return !touched[o].Overlaps(f.Path, fieldpath.Path.String)
		}
		if stays[f.id] || elsewhere() {
			old[f], ofRules[f.Rule.ID] = true, f.Rule
		}
	}
	if len(ofRules) == 0 {
		return found
	}
	base := in.Options.AtBase(in.Plan)
	if base == nil {
		return found
	}
	plan, err := merge.New(*base)
	if err != nil {
		return found
	}
	now := in.Plan
	in.Options, in.Plan = *base, plan
	all := slices.SortedFunc(maps.Values(ofRules), func(a, b *Rule) int { return cmp.Compare(a.ID, b.ID) })
	then := Run(all, in, Options{Severities: opts.Severities, Only: opts.Only, NoSuppressions: true, unrehearsed: true})
	before := map[string]bool{}
	for _, f := range then.Findings {
		before[f.Fingerprint()] = true
	}
	n := 0
	found = slices.DeleteFunc(found, func(f *Finding) bool {
		if !old[f] || !before[f.Fingerprint()] {
			return false
		}
		if f.Severity > Info {
			n++
		}
		return true
	})
	if n > 0 && now.Changes() {
		lint := "threeway lint"
		if base.Base != nil {
			lint += " without --base"
		}
		now.Notes = append(now.Notes, phrase.Count(n, "finding is not new: ", "findings are not new: ")+lint+map[bool]string{true: " lists it", false: " lists them"}[n == 1])
		r.Notes = now.Notes
	}
	return found
}

// gather collects the objects of the plan.
func (p *Pass) gather() {
	object := func(out *rehearsal.Outcome) *Object {
		return newObject(out, p.Options.LastApplied[out.Identity()], &p.Input)
	}
	reported := map[*manifest.Object]*Object{}
	p.all = make([]*Object, len(p.Plan.Outcomes))
	p.Options.Cores.Do(len(p.all), func(i int) { p.all[i] = object(p.Plan.Outcomes[i]) })
	for i, out := range p.Plan.Outcomes {
		reported[out.Manifest] = p.all[i]
	}
	for _, planned := range p.Plan.Set {
		m := Member{planned.Manifest, sync.OnceValue(func() *Object { return object(planned.Outcome()) })}
		if o := reported[planned.Manifest]; o != nil {
			m.Object = func() *Object { return o }
		}
		p.set = append(p.set, m)
	}
}

// refused reports whether a problem is about an object that kubectl can read
// but rejects. That is a finding, not an error of the run.
func refused(p manifest.Problem) bool {
	return p.Severity == manifest.Error && p.Object != nil && p.Object.Kind.Kind != ""
}

// claim gives each rejected object to one rule.
func (p *Pass) claim(all []*Rule) {
	p.claimed = map[*Rule][]claim{}
	for _, o := range p.all {
		for _, fallback := range []bool{false, true} {
			if c, ok := claimOf(all, o, fallback); ok {
				p.claimed[c.rule] = append(p.claimed[c.rule], c)
				break
			}
		}
	}
}

func claimOf(all []*Rule, o *Object, fallback bool) (claim, bool) {
	for _, f := range o.Faults() {
		for _, r := range all {
			if r.Claim == nil || r.Fallback != fallback {
				continue
			}
			if report := r.Claim(o, f); report != nil {
				return claim{o, r, &f, report}, true
			}
		}
	}
	return claim{}, false
}

// reportClaims reports the rejections that the current rule claimed. Other
// faults of the same object become notes.
func (p *Pass) reportClaims() {
	for _, c := range p.claimed[p.rule] {
		o, r := c.of, *c.report
		r.Severity = Error
		for _, f := range o.Faults() {
			if len(r.Notes) == mostNotes {
				r.Notes = append(r.Notes, fmt.Sprintf("rejected for %d faults in all: correct these first", len(o.Faults())))
				break
			}
			if f.Text != c.fault.Text && !o.follows(f) {
				at := p.place(o.Manifest, f.Path)
				r.Notes = append(r.Notes, At(at.File, at.Line)+": also rejected: "+shortFault(f))
			}
		}
		if c.fault.At.File == "" || len(r.Path) > 0 {
			claiming := *p
			claiming.sink = func(f *Finding) {
				f.claimed = c.fault
				p.sink(f)
			}
			claiming.Report(o, r)
			continue
		}
		f := p.finding(o.Manifest, r)
		f.claimed = c.fault
		f.at.File, f.at.Line, f.at.Column = c.fault.At.File, max(c.fault.At.Line, 1), max(c.fault.At.Column, 1)
		f.at.show(o.Manifest.SourceLine(f.at.Line))
		if f.secret || !o.Manifest.Alone(f.at.Line) {
			f.at.Source = ""
		}
		p.sink(f)
	}
}

// mostNotes is how many of the other faults of an object a finding names.
const mostNotes = 100

func shortFault(f Fault) string {
	text, _, _ := strings.Cut(f.Text, "\n")
	if f.Wants != "" {
		text = f.Path.String() + " must be " + f.Wants
	}
	if r := []rune(text); len(r) > 200 {
		return string(r[:199]) + "…"
	}
	return text
}

func (opts Options) enabled(r *Rule) bool {
	if len(opts.Only) > 0 {
		return slices.ContainsFunc(opts.Only, r.Named)
	}
	switch opts.Severities[r.ID] {
	case Off:
		return false
	case Unset:
		return !r.OptIn
	}
	return true
}

// severity is that of the findings of a rule that says no other.
func (opts Options) severity(r *Rule) Severity { return cmp.Or(opts.Severities[r.ID], r.Severity) }

// undecided are the objects that the apply changes, or prunes, and in which a rule that is
// skipped could have found something.
func (p *Pass) undecided(r *Rule) (objects []manifest.Identity) {
	if r.Needs&Root != 0 {
		for _, c := range p.Plan.Prune.Pruned() {
			objects = append(objects, c.Live.ID())
		}
		return objects
	}
	for _, o := range p.all {
		if o.Live != nil && o.Action == rehearsal.Configured && (r.Decides == nil || r.Decides(o)) {
			objects = append(objects, o.Identity())
		}
	}
	return objects
}

// lack says why a rule does not run.
type lack struct {
	why       string
	elsewhere bool
}

// way is how objects are applied, as far as rules are about it.
type way struct{ serverSide, other bool }

// without is what a way is not that a rule is about, or the zero value.
func (w way) without(n Needs) lack {
	switch {
	case n&ClientSide != 0 && w.serverSide:
		return lack{"they are about client-side apply", true}
	case n&Kubectl != 0 && w.other:
		return lack{"they are about kubectl", true}
	case n&OtherApplier != 0 && !w.other:
		return lack{"they are about Helm, Argo CD or Flux, which --applier names", true}
	case n&ServerSide != 0 && !w.serverSide:
		return lack{"they are about --server-side", true}
	}
	return lack{}
}

// otherRun returns why a rule does not apply to this kind of run, or the zero
// value.
func (p *Pass) otherRun(n Needs) (why lack) {
	switch {
	case n&Upgrade != 0 && p.Upgrade == nil:
		return lack{"they are about threeway upgrade", true}
	case n&Prune != 0 && p.Options.Prune == nil:
		return lack{"they are about --prune", true}
	case n&Root != 0 && p.Options.Prune.Elsewhere == nil:
		return lack{why: "no git repository tells the root of all manifests; set apply.prune.root"}
	case p.Plan.Parts == nil:
		return way{p.Options.ServerSide != nil, !p.Plan.By.Claim().IsKubectl()}.without(n)
	}
	for _, part := range p.Plan.Parts {
		if why = (way{part.ServerSide, !part.By.Claim().IsKubectl()}).without(n); why == (lack{}) {
			return why
		}
	}
	return why
}

// lacks returns which input is missing for a rule, or the zero value.
func (p *Pass) lacks(n Needs) lack {
	any := func(has func(*Object) bool) bool { return slices.ContainsFunc(p.all, has) }
	switch {
	case n&(Live|LastApplied|ManagedFields) == 0:
	case p.Options.EmptyCluster:
		return lack{why: "the cluster has no live objects"}
	case p.Options.Live == nil || len(p.Options.Live.Entries) == 0:
		return lack{"no live objects; pass --live", len(p.all) == 0 || p.Options.Base != nil} // all is new
	case n&LastApplied != 0 && any(func(o *Object) bool { return hasLive(o) && !(o.ServerSide != nil && o.AppliedServerSide()) }) && !any(func(o *Object) bool { return o.LastApplied() != nil }):
		return lack{why: "no live object has last-applied; pass --last-applied"}
	case n&ManagedFields != 0 && any(hasLive) && !any(func(o *Object) bool { return len(o.Owners()) > 0 }):
		return lack{why: "the snapshot has no managedFields; export with --show-managed-fields"}
	}
	return lack{}
}

func hasLive(o *Object) bool { return o.Live != nil && o.Action != rehearsal.Rejected }

func (r *Result) skip(id string, l lack) {
	for i := range r.Skipped {
		if r.Skipped[i].Why == l.why {
			r.Skipped[i].Rules = append(r.Skipped[i].Rules, id)
			return
		}
	}
	r.Skipped = append(r.Skipped, Skipped{[]string{id}, l.why, l.elsewhere})
}

// sort divides the findings into reported and suppressed ones.
func (r *Result) sort(found []*Finding, opts Options) {
	sortFindings(found)
	var reported []*Finding
	for _, f := range found {
		switch {
		case opts.Shown != nil && f.Rule.Needs&Prune == 0 && !opts.Shown(f.at.File), f.Severity == Off:
		case f.Suppressed != "":
			r.Suppressed = append(r.Suppressed, f)
		default:
			reported = append(reported, f)
		}
	}
	for _, f := range joinGroups(reported) {
		switch {
		case opts.Baseline[f.Fingerprint()]:
			r.Known++
		default:
			r.Findings = append(r.Findings, f)
		}
	}
}
