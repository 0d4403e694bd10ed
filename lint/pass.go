package lint

import (
	"cmp"
	"iter"
	"reflect"
	"sync"

	"threeway/merge"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/manifest"
	"threeway/merge/mask"
	"threeway/merge/text/edit"
)

// Input is what a run looks at: a plan, and what it was made from.
type Input struct {
	Plan    *merge.Plan
	Options merge.Options
	// Secrets says what is masked besides the values of Secrets.
	Secrets *mask.Policy
	// Source returns the text of a config file, to find comments in it; nil
	// if there is none.
	Source func(file string) string
	// Paths are what -f names: where a finding about an empty set is placed.
	Paths []string
	// References are fields that refer to other objects, besides those that the
	// rules know.
	References []Reference
	// Elsewhere reads the manifests of the repository, also those that are not
	// applied; nil if there is no repository.
	Elsewhere func() *manifest.Set
	// Kustomizations are those in the directories of the config files.
	Kustomizations []*manifest.Object
}

// Reference is a field by which the objects of a kind refer to another one. Kind
// and To are written Kind.group, Field is the path of the name, in which [] is any
// item of a list. Cluster says that the objects referred to have no namespace.
type Reference struct {
	Kind, Field, To string
	Cluster         bool
}

// Pass is what a rule may see. It is read-only.
type Pass struct {
	Input
	// Impact is what the plan does to what runs, found out when it is first asked
	// for.
	Impact  func() *impact.Impact
	rule    *Rule
	all     []*Object
	set     []Member
	sink    func(*Finding)
	claimed map[*Object]claim
	shared  *sync.Map // by type, what SharedByRun computes
}

type claim struct {
	rule   *Rule
	fault  Fault
	report *Report
}

// Report is what a rule has to say.
type Report struct {
	// Path is the offending field; the place is that of the field, or of the
	// nearest parent that the config has.
	Path    fieldpath.Path
	Message string
	// Live says what the live object has; if it is empty and LivePath is set,
	// the value there is printed.
	Live     string
	LivePath fieldpath.Path
	// Against is the live object meant, where it is not that of the config
	// object.
	Against *manifest.Object
	Notes   []string
	Fix     string
	// Edits make the fix in the config, if that needs no judgement: what a
	// maintainer would accept unseen. None of them may hold a secret value.
	Edits []edit.Edit
	// Suggested are the edits that Fix describes where only a person can say
	// whether they are meant: --fix leaves them alone, tests follow them.
	Suggested []edit.Edit
	// Severity is Unset for the rule's own.
	Severity Severity
	// Effect is "" for the rule's own, and impact.None for none. Count is how many
	// the plan line counts of it, such as ports; 0 is 1.
	Effect impact.Effect
	Count  int
	// Group names a cause that objects have in common, such as a kind that the
	// cluster lacks. A rule's reports with the same Group are one finding, at
	// the first object, and its notes list the others.
	Group string
}

// Objects yields the objects that are reported on and have what the rule needs.
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
	return !(n&Live != 0 && o.Live == nil ||
		n&LastApplied != 0 && o.LastApplied() == nil ||
		n&ManagedFields != 0 && len(o.Owners()) == 0)
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

// SharedByRun is what compute finds out about the whole run, once for all the
// rules that ask for the same type of result. compute must not depend on the rule.
func SharedByRun[T any](p *Pass, compute func() T) T {
	once, _ := p.shared.LoadOrStore(reflect.TypeFor[T](), sync.OnceValue(compute))
	return once.(func() T)()
}

// Member is one object of the config set, whether it is reported on or not.
type Member struct {
	Config *manifest.Object
	// Object is rehearsed when it is first asked for, unless it is reported on.
	Object func() *Object
}

// Set is the whole config set, in kubectl's order, for rules that hold one
// object against others. A lint of a few files of many is only as fast as the
// rules leave most of it alone.
func (p *Pass) Set() []Member { return p.set }

// Report records a finding about an object of the config set.
func (p *Pass) Report(o *Object, r Report) {
	if r.Against == nil && o.Live != nil && (r.LivePath != nil || r.Live != "") {
		r.Against = o.Live
		if v, ok := r.LivePath.Find(o.Before); r.Live == "" && ok {
			r.Live = Value(v)
		}
	}
	f := p.finding(o.Config, r)
	f.object = o
	p.sink(f)
}

// ReportAt records a finding about an object that is not in the config set:
// one of the snapshot, or a manifest elsewhere.
func (p *Pass) ReportAt(o *manifest.Object, r Report) { p.sink(p.finding(o, r)) }

// ReportRun records a finding about the run as a whole: at the first object of
// the config set, or of an empty set at what -f names.
func (p *Pass) ReportRun(r Report) {
	f := p.finding(&manifest.Object{}, r)
	f.Object = ""
	switch {
	case len(p.all) > 0:
		f.at = p.place(p.all[0].Config, nil)
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
		Rule: p.rule, Severity: severity, Message: r.Message, Object: o.ID().String(), Path: r.Path,
		Live: r.Live, Notes: r.Notes, Fix: r.Fix, at: p.place(o, r.Path), id: o.ID(),
		source: o, edits: r.Edits, suggested: r.Suggested, secret: p.Secrets.Holds(o.Tree), group: r.Group,
	}
	if f.effect = cmp.Or(r.Effect, p.rule.Effect); f.effect != impact.None {
		f.count = max(r.Count, 1)
	}
	if r.Against != nil {
		f.LiveAt = p.place(r.Against, r.LivePath)
		f.LiveObject = r.Against.ID().String()
	}
	return f
}
