package show

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"threeway/merge"
	"threeway/merge/fieldpath"
	"threeway/merge/gap"
	"threeway/merge/impact"
	"threeway/merge/impact/setting"
	"threeway/merge/rehearsal"
	"threeway/merge/text/phrase"
)

// Hazard is what is endangered, for filters and signs.
type Hazard string

// The hazards, in the order of reports.
const (
	Traffic    Hazard = "traffic"
	Data       Hazard = "data"
	Rejected   Hazard = "rejected"
	Exposure   Hazard = "exposure"
	Readiness  Hazard = "readiness"
	Protection Hazard = "protection"
	Undone     Hazard = "undone"
	Leftover   Hazard = "leftover"
	Restart    Hazard = "restart"
	Rollback   Hazard = "rollback"
)

// Danger is one thing that a plan does and that a person should know, with the objects
// that it does it to.
type Danger struct {
	// Code names what it does, for policies of the guard; Codes has all.
	Code   string `json:"code"`
	Hazard Hazard `json:"hazard"`
	Level  Level  `json:"level"`
	// Text is a clause: 2 objects are rejected.
	Text string `json:"text"`
	// Shared are what is to be said of the objects, each once with all that have it.
	Shared []Shared `json:"shared"`
}

// Shared is what is to be said of objects. Text is empty if the danger says it all.
type Shared struct {
	Text    string   `json:"text,omitempty"`
	Objects []string `json:"objects"`
	// Changes are the fields of each that it is about, the first of them.
	Changes []Beside `json:"changes,omitempty"`
	// Clusters are those of several on which it is so, if they are not all; On says that in words.
	Clusters []string `json:"clusters,omitempty"`
	On       string   `json:"on,omitempty"`
	// Finding is set if it is the message of a finding, and Told are the objects at whose
	// fields a finding says it: reports need not say it again. Nor of Accepted, of which a person
	// has suppressed the finding.
	Finding  bool            `json:"-"`
	Told     map[string]bool `json:"-"`
	Accepted map[string]bool `json:"-"`
	// Level is that of the danger, or of a finding: only what is an error stops an apply.
	Level Level `json:"-"`
	// Cause is the object whose change does it to these; "" if it is their own.
	Cause string `json:"-"`
}

// Untold are the causes of a danger that are its own to tell, each with its objects: what a
// finding says besides at the same field is left out, and what is accepted.
func (d Danger) Untold() (list []Shared) {
	for _, s := range d.Shared {
		all := len(s.Objects)
		s.Objects = slices.DeleteFunc(slices.Clone(s.Objects), func(object string) bool { return s.Told[object] || s.Accepted[object] })
		if len(s.Objects) > 0 || all == 0 {
			list = append(list, s)
		}
	}
	return list
}

// Of are the dangers that have causes of a level, with those.
func Of(dangers []Danger, level Level) (list []Danger) {
	for _, d := range dangers {
		if d.Shared == nil && d.Level != level { // it is counted, and not by objects
			continue
		}
		some := d.Shared != nil
		if d.Shared = slices.DeleteFunc(slices.Clone(d.Shared), func(s Shared) bool { return s.Level != level }); some && len(d.Shared) == 0 {
			continue
		}
		d.Level = level
		list = append(list, d)
	}
	return list
}

// causes counts those that are the danger's own to tell.
func (d Danger) causes() int {
	if d.Shared == nil {
		return 1
	}
	texts := map[string]bool{}
	for _, s := range d.Untold() {
		texts[s.Text] = true
	}
	return len(texts)
}

// dangerBuilder is a danger while its causes are found.
type dangerBuilder struct {
	Danger
	one, many string
	first     [2]string // the same where no danger stands before it, if they are others
	objects   map[string]bool
	causes    map[string]int     // by their text, where they are in Shared
	caused    map[[2]string]bool // texts and objects
	// times is how often it counts, if that is not how many objects have it.
	times int
}

// gather begins a danger, with its words for one object and for many.
func gather(code string, hazard Hazard, level Level, one, many string) *dangerBuilder {
	return &dangerBuilder{Danger: Danger{Code: code, Hazard: hazard, Level: level}, one: one, many: many, objects: map[string]bool{}, causes: map[string]int{}, caused: map[[2]string]bool{}}
}

// add adds what is to be said of an object, "" if it is of none, and the fields that it is
// about.
func (g *dangerBuilder) add(text, object string, changes ...Beside) *Shared {
	g.objects[object] = true
	key := text + fmt.Sprintf("%q", changes)
	i, found := g.causes[key]
	if !found {
		i = len(g.Shared)
		g.causes[key] = i
		g.Shared = append(g.Shared, Shared{Text: text, Objects: []string{}, Changes: changes, Level: g.Level})
	}
	if at := [2]string{key, object}; object != "" && !g.caused[at] {
		g.caused[at] = true
		g.Shared[i].Objects = append(g.Shared[i].Objects, object)
	}
	return &g.Shared[i]
}

// mark marks of an object that a finding says the same, or that one does which is accepted.
func (i *Digest) mark(s *Shared, object string, says func(Told) bool) {
	switch {
	case says(i.told()):
		put(&s.Told, object)
	case says(i.besides.accepts()):
		put(&s.Accepted, object)
	}
}

func put(in *map[string]bool, object string) {
	if *in == nil {
		*in = map[string]bool{}
	}
	(*in)[object] = true
}

// findings adds what findings say, with what changes where they stand.
func (i *Digest) findings(g *dangerBuilder, list []impact.Affected) *dangerBuilder {
	g.times = impact.Counted(list)
	type place struct{ object, path string }
	at := map[place][]Beside{} // each of n may be about the same list of n
	for _, a := range list {
		here := place{a.Object, a.Path.String()}
		if _, found := at[here]; !found {
			at[here] = i.beside(a.Object, a.Path)
		}
		var beside []Beside
		for _, b := range at[here] {
			if !strings.Contains(a.Says, b.Field) || !b.toldBy(a.Says) {
				beside = append(beside, b)
			}
		}
		s := g.add(a.Says, a.Object, beside...)
		if a.Stops {
			s.Level = Stop
		} else if !s.Finding && g.Level == Stop {
			s.Level = Look
		}
		s.Finding = true
		if a.Accepted {
			put(&s.Accepted, a.Object)
		}
	}
	return g
}

// rollouts adds those that a danger is about, which comes of fields of each; nil if of none alone.
func (i *Digest) rollouts(g *dangerBuilder, paths []fieldpath.Path, is func(*impact.Rollout) bool) *dangerBuilder {
	for _, r := range i.facts.Rollouts {
		if is(r) {
			name := r.Outcome.Identity().String()
			i.mark(g.add(r.Words(), name), name, func(t Told) bool { return covers(t.found[name], paths) })
		}
	}
	return g
}

// AddErrors adds what findings say that are errors and warnings and count as no effect, and those
// that are accepted, which the verdict leaves to them. Only then does the digest tell all that is
// dangerous.
func (i *Digest) AddErrors(errors, warnings, accepted []impact.Affected) {
	i.besides = ofLint{errors, warnings, accepted, true, sync.OnceValue(func() (all Told) {
		all.Add(accepted...)
		return all
	})}
	i.found, i.told = sync.OnceValue(i.dangers), sync.OnceValue(i.findTold)
}

// Dangers are what the plan does, the worst first: what stops an apply, what a person
// should look at, and last what every rollout does.
func (i *Digest) Dangers() []Danger {
	if i == nil {
		return nil
	}
	return i.found()
}

func (i *Digest) dangers() (list []Danger) {
	for _, g := range i.gathered() {
		n := max(len(g.objects), g.times)
		if n == 0 {
			continue
		}
		var text planLine
		if list == nil && g.first != [2]string{} {
			g.one, g.many = g.first[0], g.first[1]
		}
		text.add(n, g.one, g.many)
		g.Text = text[0]
		list = append(list, g.Danger)
	}
	return list
}

// gathered are all dangers, those that the plan does not do without objects.
func (i *Digest) gathered() []*dangerBuilder {
	return []*dangerBuilder{
		i.cutOff(), i.effect(impact.LosesData, "loses-data", Data, Stop),
		i.rejectedObjects(), i.stoppedObjects(), i.stuck(), i.effect(impact.Strands, "cannot-restart", Readiness, Stop), i.otherErrors(), i.scaledDown(), i.deleted(),
		i.effect(impact.Opens, "opens", Exposure, Look), i.effect(impact.Widens, "widens-rights", Exposure, Look), i.effect(impact.Serves, "serves", Exposure, Look),
		i.effect(impact.Lacks, "lacks", Readiness, Look), i.effect(impact.Misses, "not-stored", Data, Look), i.effect(impact.FailsFirst, "fails-first", Readiness, Look),
		i.effect(impact.Locks, "locks", Rejected, Look), i.effect(impact.Blocks, "next-apply-rejected", Rejected, Look), i.staleReaders(),
		i.effect(impact.Clears, "clears", Protection, Look), i.effect(impact.FallsBack, "falls-back", Protection, Look),
		i.touches(setting.Traffic, Traffic), i.touches(setting.Access, Exposure), i.touches(setting.Isolation, Exposure),
		i.touches(setting.Scale, Readiness), i.touches(setting.Schedule, Readiness), i.touches(setting.Placement, Readiness),
		i.touches(setting.Protection, Protection), i.touches(setting.Storage, Data), i.touches(setting.Data, Data), i.touches(setting.Controller, Readiness),
		i.undoneObjects(), i.leftovers(), i.unseen(), i.otherWarnings(), i.gaps(), i.restarted(), i.notRestored(),
	}
}

// The codes of what no policy of the guard allows.
const (
	CodeRejected   = "rejected"
	CodeNotApplied = "not-applied"
)

// CodeLeft is the code of objects that left the manifests and stay.
const CodeLeft = "left-over"

// Codes are those of all dangers, the worst first.
func Codes() (list []string) {
	for _, g := range (&Digest{facts: &impact.Impact{Plan: &merge.Plan{}}}).gathered() {
		list = append(list, g.Code)
	}
	return list
}

// effect are the findings that count as an effect.
func (i *Digest) effect(e impact.Effect, code string, hazard Hazard, level Level) *dangerBuilder {
	return i.findings(gather(code, hazard, level, effectWords[e][0], effectWords[e][1]), i.effects[e])
}

func (i *Digest) otherErrors() *dangerBuilder {
	g := gather("lint-error", Readiness, Stop, "lint finds 1 more error", "lint finds %d more errors")
	g.first = [2]string{"lint finds 1 error", "lint finds %d errors"}
	return i.findings(g, i.besides.errors)
}

func (i *Digest) otherWarnings() *dangerBuilder {
	g := gather("lint-warning", Readiness, Look, "lint finds 1 more warning", "lint finds %d more warnings")
	g.first = [2]string{"lint finds 1 warning", "lint finds %d warnings"}
	return i.findings(g, i.besides.warnings)
}

// unseen are the objects that change values which cannot be read.
func (i *Digest) unseen() *dangerBuilder {
	g := gather("unseen", Readiness, Look, "1 object changes a value that is encrypted or cannot be read", "%d objects change values that are encrypted or cannot be read")
	for _, u := range i.facts.Plan.Unseen {
		g.add(u.Text, u.Object.String())
	}
	return g
}

func (i *Digest) rejectedObjects() *dangerBuilder {
	g := gather(CodeRejected, Rejected, Stop, "1 object is rejected", "%d objects are rejected")
	for _, o := range i.facts.Plan.Outcomes {
		if o.Action == rehearsal.Rejected {
			g.add(i.cause(o), o.Identity().String())
		}
	}
	for _, problem := range i.facts.Plan.RejectedEarly() {
		g.add(problem.Text, problem.Object.ID().String())
	}
	return g
}

// touches are the objects that change a part of the cluster, besides pods that are replaced
// and data that is read.
func (i *Digest) touches(class setting.Class, hazard Hazard) *dangerBuilder {
	g := gather("touches-"+string(class), hazard, Look, touchWords[class][0], touchWords[class][1])
	for _, e := range i.objects {
		if (class == setting.Controller || class == setting.Data) && slices.ContainsFunc(i.facts.Plan.Unseen, func(u gap.Unseen) bool { return u.Object.String() == e.Object }) {
			continue // that says what its controller does, or that its values change
		}
		fields := map[string][]fieldpath.Path{}
		var texts []string
		for _, c := range e.Consequences {
			if c.Class == class && !c.Safer && !(class == setting.Controller && i.told().Covers(e.Object, []fieldpath.Path{c.path})) { // of which nothing but that something acts is known
				if _, known := fields[c.Text]; !known {
					texts = append(texts, c.Text)
				}
				fields[c.Text] = append(fields[c.Text], c.path)
			}
		}
		for _, text := range texts {
			s := g.add(text, e.Object, slices.DeleteFunc(i.beside(e.Object, fields[text]...), func(b Beside) bool { return b.toldBy(text) })...)
			i.mark(s, e.Object, func(t Told) bool {
				return t.Covers(e.Object, fields[text]) || t.Says(e.Object, text, fields[text]) ||
					class == setting.Scale && covers(t.found[e.Object], fields[text]) // it says how many pods there were and will be
			})
		}
	}
	return g
}

// findTold finds the fields of objects that findings are about which count in the plan.
func (i *Digest) findTold() (told Told) {
	for _, list := range i.effects {
		for _, a := range list {
			if !a.Accepted {
				told.Add(a)
			}
		}
	}
	told.Add(i.besides.warnings...)
	told.Add(i.besides.errors...)
	return told
}

// cause is why an object is rejected: the first cause of the API server, or the words of
// kubectl.
func (i *Digest) cause(o *rehearsal.Outcome) string {
	v := i.opts.view(o)
	if len(v.Causes) == 0 || o.Rejection.Causes()[0].Patch {
		first, _, _ := strings.Cut(cmp.Or(v.Brief, v.Rejected), "\n")
		return first
	}
	text := strings.TrimPrefix(v.Causes[0].Text, ": ") // a policy names no field
	if more := len(v.Causes) - 1; more > 0 {
		text += " (and " + phrase.Count(more, "more cause") + ")"
	}
	return text
}

func (i *Digest) stoppedObjects() *dangerBuilder {
	g := gather(CodeNotApplied, Rejected, Stop, "1 object is never reached: the run stops at the first failure", "%d objects are never reached: the run stops at the first failure")
	for _, o := range i.facts.Plan.Outcomes {
		if o.Stopped && o.Action != rehearsal.Unchanged {
			g.add("never reached: the run stops at the first failure", o.Identity().String())
		}
	}
	return g
}

// cutOff are the objects that no traffic reaches any longer.
func (i *Digest) cutOff() *dangerBuilder {
	g := i.effect(impact.CutsTraffic, "cuts-traffic", Traffic, Stop)
	for _, r := range i.facts.Rollouts {
		if r.Scaling == nil {
			continue
		}
		for _, id := range r.Scaling.Cut {
			if id.Kind == "Service" && !g.objects[id.String()] {
				g.add("no pods are left: "+r.Outcome.Identity().String()+" is scaled to 0", id.String()).Cause = r.Outcome.Identity().String()
			}
		}
	}
	g.one, g.many, g.times = "1 object loses its traffic", "%d objects lose their traffic", 0
	return g
}

func (i *Digest) stuck() *dangerBuilder {
	g := gather("rollout-stuck", Readiness, Stop, "1 rollout gets stuck", "%d rollouts get stuck")
	for _, r := range i.facts.Rollouts {
		for _, b := range r.Blocks {
			if b.Certain {
				g.add(b.Words(), r.Outcome.Identity().String())
			}
		}
	}
	return g
}

func (i *Digest) scaledDown() *dangerBuilder {
	return i.rollouts(gather("loses-pods", Traffic, Look, "1 workload loses pods", "%d workloads lose pods"), []fieldpath.Path{replicas}, func(r *impact.Rollout) bool { return r.Scaling != nil && r.Scaling.Stops() > 0 })
}

func (i *Digest) deleted() *dangerBuilder {
	g := gather("deleted", Data, Look, "1 object is deleted", "%d objects are deleted")
	for _, c := range i.facts.Plan.Prune.Pruned() {
		obj := c.Live.Object()
		g.add(strings.TrimSuffix("deleted; "+i.newName(obj), "; "), obj.ID().String())
	}
	return g
}

// leftovers are the objects that left the manifests and stay in the cluster.
func (i *Digest) leftovers() *dangerBuilder {
	g := gather(CodeLeft, Leftover, Look, "1 object was removed from the manifests but stays in the cluster", "%d objects were removed from the manifests but stay in the cluster")
	if !i.facts.Plan.Unread() {
		for _, o := range i.facts.Plan.Left {
			said := g.add("stays in the cluster, "+cmp.Or(i.newName(o), "in no manifest"), o.ID().String())
			for _, r := range i.renames {
				if r.Old == o {
					said.Cause = r.New.Identity().String()
				}
			}
		}
	}
	return i.findings(g, i.effects[impact.Leaves])
}

func (i *Digest) staleReaders() *dangerBuilder {
	g := gather("stale-readers", Readiness, Look, staleOne, staleMany)
	for _, d := range i.facts.Deliveries {
		for _, c := range d.Stale() {
			g.add(d.Outcome.Identity().String()+" changes", c.Object.String()).Cause = d.Outcome.Identity().String()
		}
	}
	return g
}

func (i *Digest) undoneObjects() *dangerBuilder {
	g := gather("undone", Undone, Look, "1 change made in the cluster is reverted", "%d changes made in the cluster are reverted")
	g.times = i.facts.Undone.Fields
	if i.facts.Plan.Base != nil {
		return g
	}
	for _, o := range i.facts.Plan.Outcomes {
		if u := impact.UndoneBy(o); u.Fields > 0 {
			name := o.Identity().String()
			tells := func(t Told, p fieldpath.Path) bool { return covers(t.found[name], []fieldpath.Path{p}) }
			untold := slices.DeleteFunc(slices.Clone(u.Paths), func(p fieldpath.Path) bool { return tells(i.told(), p) || tells(i.besides.accepts(), p) })
			text := phrase.Count(u.Fields, "field") + " set by " + phrase.Abbreviated(u.Managers, 3)
			if len(untold) > 0 && len(untold) < len(u.Paths) || u.Managers == nil {
				text = phrase.Count(max(len(untold), 1), "field") + " set in the cluster"
			}
			switch s := g.add(text, name, i.beside(name, untold...)...); {
			case len(untold) > 0 || len(u.Paths) == 0:
			case slices.ContainsFunc(u.Paths, func(p fieldpath.Path) bool { return !tells(i.told(), p) }):
				put(&s.Accepted, name)
			default:
				put(&s.Told, name)
			}
		}
	}
	return g
}

// gaps are the workloads of which no pod runs for a time.
func (i *Digest) gaps() *dangerBuilder {
	return i.rollouts(gather("no-pod-for-a-time", Restart, Look, "1 workload has no pods for a while", "%d workloads have no pods for a while"), nil, func(r *impact.Rollout) bool { return r.Restarts() && r.AllDown != "" })
}

func (i *Digest) restarted() *dangerBuilder {
	return i.rollouts(gather("restarts", Restart, Fine, "1 workload restarts without a gap", "%d workloads restart without a gap"), nil, func(r *impact.Rollout) bool { return r.Restarts() && r.AllDown == "" && r.Blocks == nil })
}

func (i *Digest) notRestored() *dangerBuilder {
	g := gather("not-restored", Rollback, Fine, "a rollback would not restore 1 object", "a rollback would not restore %d objects")
	for _, r := range i.remainders {
		g.add(remainderWords(r, i.opts), r.Outcome.Identity().String())
	}
	return g
}

// Line is what is shared on one line: its objects, of many the first, and what is to be
// said of them.
func (s Shared) Line(most int) string {
	names, text := phrase.Abbreviated(s.Objects, most), s.Said()
	switch {
	case names == "":
		return text
	case text == "":
		return names
	}
	return names + ": " + text
}
