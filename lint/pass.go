package lint

import (
	"cmp"
	"iter"

	"threeway/merge"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/impact/upgrade"
	"threeway/merge/manifest"
	"threeway/merge/mask"
	"threeway/merge/memo"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
	"threeway/merge/text/edit"
)

// Input is the input of a run: a plan, and what it was made from.
type Input struct {
	Plan    *merge.Plan
	Options merge.Options
	// Secrets says what is masked besides the values of Secrets.
	Secrets *mask.Policy
	// Source returns the text of a manifest file, to find comments in it. It
	// may be nil.
	Source func(file string) string
	// Apply is the command line that applies the manifests.
	Apply string
	// Paths are the values of -f: the position of a finding if there are no
	// manifests.
	Paths []string
	// References are fields that refer to other objects, besides those that the
	// rules know.
	References []Reference
	// Elsewhere reads all manifests of the repository, including those that are
	// not applied; nil if there is no repository.
	Elsewhere func() *manifest.Set
	// Upgrade compares the apply with that on another minor; nil if none is asked
	// for.
	Upgrade *upgrade.Comparison
	// Kustomizations are the kustomization files in the directories of the
	// manifests.
	Kustomizations []*manifest.Object

	order func() *order // of Options.Manifests
}

// Reference is a field with which objects of a kind refer to another object.
// Kind and To are written Kind.group. Field is the path of the name, in which
// [] is any item of a list. Cluster is set if the objects referred to have no
// namespace.
type Reference struct {
	Kind, Field, To string
	Cluster         bool
}

// Pass is what a rule sees. It is read-only.
type Pass struct {
	Input
	// Impact returns what the plan does to pods, traffic and data. It is
	// computed on the first call.
	Impact  func() *impact.Impact
	rule    *Rule
	all     []*Object
	set     []Member
	sink    func(*Finding)
	unknown func(rehearsal.Undecided) // nil: not asked for
	claimed map[*Rule][]claim
	shared  *memo.Types
	trial   bool // of findings, only their fingerprints are asked for
}

// claim is a rejected object that a rule reports.
type claim struct {
	of     *Object
	rule   *Rule
	fault  *Fault
	report *Report
}

// Report is what a rule reports.
type Report struct {
	// Path is the field that the report is about. The position is that of the
	// field, or of its nearest parent in the manifest.
	Path    fieldpath.Path
	Message string
	// Also are further fields that the message is about; the notes name them.
	Also []fieldpath.Path
	// Live describes the live value. If it is empty and LivePath is set, the
	// value at LivePath is printed.
	Live     string
	LivePath fieldpath.Path
	// Against is the live object, if it is not the one of the manifest.
	Against *manifest.Object
	Notes   []string
	Fix     string
	// Edits make the fix in the manifest, if that needs no judgment: a
	// maintainer would accept it without looking. They must not contain secret
	// values.
	Edits []edit.Edit
	// Suggested are the edits that Fix describes if a person must decide about
	// them. --fix does not make them; tests do. Likely says that they keep what the live
	// object has, or are the only way, so that most would do so.
	Suggested []edit.Edit
	Likely    bool
	// Ways are ways out besides Fix, each said only if its rehearsal works. They follow Fix,
	// which may be empty.
	Ways []Way
	// Severity is Unset to use the severity of the rule. Off is for what needs no
	// action: the plan line counts it, and only users who give the rule a severity see it.
	Severity Severity
	// Effect is "" to use the effect of the rule, and impact.None or impact.Told for none.
	// Count is how many things it counts in the plan line, such as ports; 0
	// means 1.
	Effect impact.Effect
	Count  int
	// Group names a cause that several objects share, such as a kind that the
	// cluster does not have. A rule's reports with the same Group become one
	// finding, at the first object; its notes list the others.
	Group string
}

// Objects yields the objects that are reported and have the inputs that the
// rule needs.
func (p *Pass) Objects() iter.Seq[*Object] {
	return func(yield func(*Object) bool) {
		for _, o := range p.all {
			if p.has(o) && !yield(o) {
				return
			}
		}
	}
}

func (p *Pass) has(o *Object) bool {
	n := p.rule.Needs
	if p.Plan.Parts != nil && (way{o.ServerSide != nil, !o.By.Claim().IsKubectl()}).without(n) != (lack{}) {
		return false
	}
	return !(n&Live != 0 && o.Live == nil ||
		n&LastApplied != 0 && o.LastApplied() == nil ||
		n&ManagedFields != 0 && !owners.Recorded(o.Before))
}

// Accepted yields those of Objects that the server would accept.
func (p *Pass) Accepted() iter.Seq[*Object] {
	return func(yield func(*Object) bool) {
		for o := range p.Objects() {
			if o.Result != nil && !yield(o) {
				return
			}
		}
	}
}

// SharedByRun returns the result of compute for the whole run. It is computed
// once for all rules that ask for the same type of result, so compute must not
// depend on the rule.
func SharedByRun[T any](p *Pass, compute func() T) T {
	return memo.Of(p.shared, compute)
}

// Member is one object of the manifests, whether it is reported or not.
type Member struct {
	Manifest *manifest.Object
	// Object returns the rehearsed object. If the object is not reported, it is
	// rehearsed on the first call.
	Object func() *Object
}

// Set returns all objects of the manifests, in kubectl's order, for rules that
// compare objects. When lint reports only a few of many files, it is fast only
// if the rules call Object for few of them.
func (p *Pass) Set() []Member { return p.set }

// Report records a finding about an object of the manifests.
func (p *Pass) Report(o *Object, r Report) {
	if r.Against == nil && o.Live != nil && (r.LivePath != nil || r.Live != "") {
		r.Against = o.Live
		if v, ok := o.Find(r.LivePath, o.Before); r.Live == "" && ok {
			r.Live = Value(v)
		}
	}
	p.sink(p.finding(o.Manifest, r))
}

// Unknown records that a rule cannot decide about an object that changes.
func (p *Pass) Unknown(u rehearsal.Undecided) {
	if p.unknown != nil {
		p.unknown(u)
	}
}

// ReportAt records a finding about an object that is not in the manifests of
// this run: one of the snapshot, or a manifest in another file.
func (p *Pass) ReportAt(o *manifest.Object, r Report) { p.sink(p.finding(o, r)) }

// ReportRun records a finding about the run as a whole: at the first object of
// the manifests, or, if there is none, at the path of -f.
func (p *Pass) ReportRun(r Report) {
	f := p.finding(&manifest.Object{}, r)
	f.Object = ""
	switch {
	case len(p.all) > 0:
		f.at = p.place(p.all[0].Manifest, nil)
	case len(p.Paths) > 0:
		f.at = Position{File: p.Paths[0], Line: 1, Column: 1, Width: 1}
	}
	p.sink(f)
}

func (p *Pass) finding(o *manifest.Object, r Report) *Finding {
	severity := r.Severity
	if severity == Unset {
		severity = p.rule.Severity
	}
	f := &Finding{
		Rule: p.rule, Severity: severity, Message: r.Message, Object: o.ID().String(), Path: r.Path, Notes: r.Notes,
		Against: Against{Live: r.Live},
		Advice:  Advice{Fix: r.Fix, edits: r.Edits, suggested: r.Suggested, ways: r.Ways, likely: r.Likely && r.Suggested != nil},
		subject: subject{id: o.ID(), source: o, secret: p.isSecret(o), group: r.Group, also: r.Also},
	}
	for _, path := range r.Also {
		f.Notes = append(f.Notes, "also "+path.String())
	}
	if f.effect = cmp.Or(r.Effect, p.rule.Effect); f.effect != impact.None && f.effect != impact.Told && f.effect != impact.Says {
		f.count = max(r.Count, 1)
	}
	if p.trial {
		return f
	}
	f.at = p.place(o, r.Path).missing(o, r.Path)
	if r.Against != nil {
		f.LiveAt = p.place(r.Against, r.LivePath)
		f.LiveObject = r.Against.ID().String()
		if r.Against.ID() != o.ID() {
			f.old = r.Against
		}
	}
	return f
}
