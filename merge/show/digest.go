package show

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"threeway/merge/explain"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/impact/setting"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

// Digest is what an apply does to what runs, as reports say it.
type Digest struct {
	facts   *impact.Impact
	opts    Options
	effects map[impact.Effect][]impact.Affected
	// besides is what findings say that is no effect.
	besides ofLint
	// found are the dangers, found once; concluded is the verdict of who knows more.
	found func() []Danger
	// told are the fields that findings are about.
	told      func() Told
	concluded *Verdict
	byObject  map[string]*rehearsal.Outcome
	// changed are the changes of the objects that were asked for; mu guards it.
	mu      sync.Mutex
	changed map[string]*changed
	counts  Counts
	first   *manifest.Object
	renames []impact.Rename
	// objects are those of which there is something to say.
	objects []*jsonEntry
	byName  map[string]*jsonEntry
	// remainders are those without the fields of ignored managers.
	remainders []*impact.Remainder
	// touched are the objects that change a part of the cluster, harmless how many
	// change nothing that runs.
	touched  map[setting.Class]map[string]bool
	harmless int
}

// ofLint is what findings say that count as no effect, and what suppressed ones do; judged is set once
// that is known.
type ofLint struct {
	errors, warnings, accepted []impact.Affected
	judged                     bool
	// accepts are the fields that accepted is about.
	accepts func() Told
}

// planCounts are the numbers of objects by what happens to them. Changed ones
// differ as they are shown: by more than what every apply writes.
type planCounts struct {
	Created  int `json:"created"`
	Renamed  int `json:"renamed,omitempty"`
	Changed  int `json:"changed"`
	Rejected int `json:"rejected"`
	Stopped  int `json:"stopped,omitempty"`
	Pruned   int `json:"pruned"`
	Removed  int `json:"removed"`
}

func (i *Digest) planCounts() planCounts {
	c := i.counts
	return planCounts{c.Created, c.Renamed, c.Configured, c.Rejected, c.Stopped, c.Pruned, c.Removed}
}

// NewDigest is what a plan does to what runs, for reports with these options. The
// effects are what findings of lint say.
func NewDigest(facts *impact.Impact, effects map[impact.Effect][]impact.Affected, opts Options) *Digest {
	renames := facts.Renames()
	i := &Digest{facts: facts, opts: opts, effects: effects, renames: renames, counts: countOf(facts.Plan, opts, renames), objects: []*jsonEntry{}, byName: map[string]*jsonEntry{}, byObject: map[string]*rehearsal.Outcome{}, changed: map[string]*changed{}, touched: map[setting.Class]map[string]bool{}}
	i.found, i.told, i.besides.accepts = sync.OnceValue(i.dangers), sync.OnceValue(i.findTold), func() Told { return Told{} }
	differing := differences(facts, opts)
	for k, o := range facts.Plan.Outcomes {
		if differing[k] == nil {
			continue
		}
		i.byObject[o.Identity().String()] = o
		if o.Stopped {
			e := i.entry(o)
			e.say("never reached: the run stops before it, because another object is rejected")
		}
		if asked := i.asked(o); asked != "" {
			i.entry(o).say(asked)
		}
		if i.first == nil {
			i.first = o.Manifest
		}
	}
	for _, r := range i.renames {
		was, is := i.named(r.Old.ID().String()), i.entry(r.New)
		was.say(i.newName(r.Old))
		is.say(i.renameLine(r))
	}
	for _, r := range facts.Rollouts {
		e := i.entry(r.Outcome)
		e.Rollout, e.danger = rolloutJSON(r), rolloutDanger(r)
		e.lines = append(e.lines, rolloutLine(r))
		for _, b := range r.Blocks {
			e.say(b.Words())
		}
		if r.Scaling != nil {
			for _, id := range r.Scaling.Cut {
				if id.Kind != "Service" { // which is a danger of its own
					e.say(cutWords(id))
				}
			}
		}
	}
	for _, d := range facts.Deliveries {
		if d.Consumers == nil {
			continue
		}
		e := i.entry(d.Outcome)
		e.Delivery = deliveryJSON(d)
		for _, a := range d.Arrivals() {
			l := Line{Text: a.Words(), Names: a.Consumers}
			if a.Arrival == impact.NotUntilRestart {
				l.Paths = []fieldpath.Path{d.Path()}
			}
			e.lines = append(e.lines, l)
		}
		if len(d.Stale()) > 0 {
			e.danger = max(e.danger, 2)
		}
	}
	for k, o := range facts.Plan.Outcomes {
		if d := differing[k]; d != nil && o.Action == rehearsal.Configured && !o.Stopped {
			i.consequences(o, d.follows)
		}
	}
	i.presences()
	for _, b := range facts.Budgets {
		name := b.Object.String()
		e := i.named(name)
		e.say(b.Words(), fieldpath.New("spec"))
		for _, o := range b.Scaled {
			of := i.entry(o)
			of.say(name+" then "+b.Words(), replicas)
		}
	}
	for _, r := range facts.Remainders {
		if r = opts.remaining(r); r == nil {
			continue
		}
		i.remainders = append(i.remainders, r)
		e := i.entry(r.Outcome)
		e.Remainder = remainderJSON(r, opts)
		e.lines = append(e.lines, Line{Text: remainderWords(r, opts)})
		e.danger = max(e.danger, 2)
	}
	return i
}

// PlanSchemaVersion is that of the plan in JSON reports; see docs/plan.schema.json.
const PlanSchemaVersion = 1

// Incomplete reports whether the plan does not tell everything.
func (i *Digest) Incomplete() bool { return i.facts.Plan.Gaps != nil }

// left is what leaves the removed objects in the cluster.
func (i *Digest) left() string {
	switch plan := i.facts.Plan; {
	case !plan.By.Claim().IsKubectl():
		return "this " + plan.By.Run()
	case plan.Prune != nil:
		return "this --prune"
	}
	return "apply without --prune"
}

// restartClauses say how many workloads are restarted.
func (i *Digest) restartClauses() (line planLine) {
	var details planLine
	r := i.restarts()
	switch {
	case r.Workloads == 0:
	case r.Uncounted == 0:
		line.add(r.Workloads, "restarts 1 workload", "restarts %d workloads")
		line[0] += " (" + phrase.Count(r.Pods, "pod") + ")"
	default:
		line.add(r.Workloads, "restarts 1 workload", "restarts %d workloads")
		line[0] += fmt.Sprintf(" (%s and those of %s)", phrase.Count(r.Pods, "pod"), phrase.Count(r.Uncounted, "workload"))
		if r.Pods == 0 {
			line[0] = strings.Replace(line[0], "0 pods and those", "the pods", 1)
		}
	}
	details.add(r.WithoutOverlap, "1 without overlap", "%d without overlap")
	details.add(r.Blocked, "1 gets stuck", "%d get stuck")
	if len(details) > 0 && len(line) > 0 {
		line[0] += ", " + strings.Join(details, ", ")
	}
	return line
}

// stale counts the workloads that a change of configuration does not reach.
func (i *Digest) stale() int {
	stale := map[manifest.Identity]bool{}
	for _, d := range i.facts.Deliveries {
		for _, c := range d.Stale() {
			stale[c.Object] = true
		}
	}
	return len(stale)
}

// remainderClauses say how much the previous manifests do not bring back.
func (i *Digest) remainderClauses() planLine {
	n := i.remains()
	var counts planLine
	counts.add(n.Fields, "1 field", "%d fields")
	counts.add(n.Objects, "1 object", "%d objects")
	if counts == nil {
		return nil
	}
	return planLine{"a rollback would not restore " + strings.Join(counts, ", ")}
}

// jsonRemains counts what applying the previous manifests does not bring back:
// fields, and objects whose previous manifests would be rejected.
type jsonRemains struct {
	Fields  int `json:"fields"`
	Objects int `json:"objects"`
}

func (i *Digest) remains() (n jsonRemains) {
	for _, r := range i.remainders {
		if n.Fields += len(r.Fields); r.Rejected() {
			n.Objects++
		}
	}
	return n
}

// jsonRestarts counts what is restarted.
type jsonRestarts struct {
	Workloads      int `json:"workloads"`
	Pods           int `json:"pods"`
	Uncounted      int `json:"uncounted"`
	WithoutOverlap int `json:"withoutOverlap"`
	Blocked        int `json:"blocked"`
}

func (i *Digest) restarts() (n jsonRestarts) {
	for _, r := range i.facts.Rollouts {
		if !r.Restarts() {
			continue
		}
		n.Workloads++
		n.Pods += r.Pods
		if !r.Counted {
			n.Uncounted++
		}
		if r.AllDown != "" {
			n.WithoutOverlap++
		}
		if r.Blocked() {
			n.Blocked++
		}
	}
	return n
}

// jsonUndone counts what is taken back of what was changed in the cluster.
type jsonUndone struct {
	Fields   int      `json:"fields"`
	Managers []string `json:"managers,omitempty"`
}

// jsonPlan is the plan in a JSON report.
type jsonPlan struct {
	SchemaVersion int                   `json:"schemaVersion"`
	Line          string                `json:"line"`
	Verdict       *Verdict              `json:"verdict,omitempty"`
	Dangers       []Danger              `json:"dangers,omitempty"`
	Complete      bool                  `json:"complete"`
	Unknown       []jsonGap             `json:"unknown,omitempty"`
	Counts        planCounts            `json:"counts"`
	Restarts      jsonRestarts          `json:"restarts"`
	Stale         int                   `json:"stale"`
	Effects       map[impact.Effect]int `json:"effects"`
	Remains       jsonRemains           `json:"remains"`
	Touches       map[setting.Class]int `json:"touches"`
	Undone        jsonUndone            `json:"undone"`
	Objects       []*jsonEntry          `json:"objects"`
}

// jsonEntry is what the apply of one object does to what runs.
type jsonEntry struct {
	Object    string         `json:"object"`
	Rollout   *jsonRollout   `json:"rollout,omitempty"`
	Delivery  *jsonDelivery  `json:"delivery,omitempty"`
	Remainder *jsonRemainder `json:"remainder,omitempty"`
	// Consequences are what changes besides; Nothing says what changes if nothing that
	// runs does.
	Consequences []jsonConsequence `json:"consequences,omitempty"`
	Nothing      string            `json:"nothing,omitempty"`

	lines  []Line
	danger int
}

// replicas is the field that makes pods more and fewer.
var replicas = fieldpath.New("spec", "replicas")

// say adds a line about fields of the object, or about none.
func (e *jsonEntry) say(text string, paths ...fieldpath.Path) {
	e.lines = append(e.lines, Line{Text: text, Paths: paths})
}

// ToJSON is the plan in a JSON report; nil if it is not known.
func (i *Digest) ToJSON() any {
	if i == nil {
		return nil
	}
	effects := map[impact.Effect]int{}
	for _, e := range impact.Effects() {
		if n := impact.Counted(i.effects[e]); n > 0 {
			effects[e] = n
		}
	}
	touches := map[setting.Class]int{}
	for class, objects := range i.touched {
		touches[class] = len(objects)
	}
	var verdict *Verdict
	var dangers []Danger
	if i.besides.judged {
		v := i.Verdict()
		verdict, dangers = &v, i.Dangers()
	}
	return jsonPlan{PlanSchemaVersion, i.PlanLine(), verdict, dangers, !i.Incomplete(), GapsJSON(i.facts.Plan.Gaps), i.planCounts(), i.restarts(), i.stale(), effects, i.remains(), touches, jsonUndone{i.facts.Undone.Fields, i.facts.Undone.Managers}, i.objects}
}

// FirstChange is the first manifest that changes something, as a place for the plan
// line; nil if there is none.
func (i *Digest) FirstChange() *manifest.Object { return i.first }

// entry is what there is to say of an object.
func (i *Digest) entry(o *rehearsal.Outcome) *jsonEntry { return i.named(o.Identity().String()) }

func (i *Digest) named(name string) *jsonEntry {
	e := i.byName[name]
	if e == nil {
		e = &jsonEntry{Object: name}
		i.objects, i.byName[name] = append(i.objects, e), e
	}
	return e
}

// Lines say what the apply of an object, by its name, does to what runs.
func (i *Digest) Lines(object string) []Line {
	if i == nil || i.byName[object] == nil {
		return nil
	}
	return i.byName[object].lines
}

// Changes are the fields of an object that an apply changes, as its diff shows them.
func (i *Digest) Changes(o *rehearsal.Outcome) []explain.Change {
	list := slices.DeleteFunc(i.opts.shown(i.opts.view(o).Changes()), func(c explain.Change) bool {
		return o.Action == rehearsal.Rejected || c.InOld == c.InNew && tree.Equal(c.Old, c.New)
	})
	if o.Action == rehearsal.Configured {
		told := slices.Clone(list)
		list = slices.DeleteFunc(list, func(c explain.Change) bool {
			twin := o.CopyOf(c.Path)
			return twin != nil && slices.ContainsFunc(told, func(t explain.Change) bool { return twin.Equal(t.Path) && tree.Equal(t.New, c.New) })
		})
	}
	if i.facts.Plan.Base != nil && o.Live != nil {
		list = slices.DeleteFunc(list, func(c explain.Change) bool { // a value that this run has made up
			return c.InOld && !c.InNew && rehearsal.Chosen(c.Path.Tail().String()) && !saysAt(o.Live.Tree, c.Path)
		})
		for n, c := range list {
			if holdsChosen(c) {
				list[n].Old = asSaid(c, o.Live.Tree)
			}
		}
	}
	return brief(list, false)
}

// saysAt reports whether the manifest of a live object of the base has a field.
func saysAt(live tree.Object, path fieldpath.Path) bool {
	last, _, err := rehearsal.ReadLastApplied(live)
	_, said := path.Find(last)
	return err != nil || last == nil || said
}

// holdsChosen reports whether a change removes an object with a field whose value the server chooses.
func holdsChosen(c explain.Change) bool {
	old, is := c.Old.(tree.Object)
	return is && c.InOld && !c.InNew && slices.ContainsFunc(tree.Keys(old), rehearsal.Chosen)
}

// asSaid is what a change removes of a live object of the base, without what its manifest leaves to the server.
func asSaid(c explain.Change, live tree.Object) any {
	last, _, err := rehearsal.ReadLastApplied(live)
	if err != nil || last == nil {
		return c.Old
	}
	said, _ := c.Path.Find(last)
	old := maps.Clone(tree.Map(c.Old))
	maps.DeleteFunc(old, func(key string, _ any) bool { return rehearsal.Chosen(key) && !tree.Has(said, key) })
	return old
}

// Brief is what an apply does to an object on one line: the first of its lines, how many
// fields change, and how much is found: replaces 3 pods, 1 at a time · 2 changes · 1 warning.
func (i *Digest) Brief(o *rehearsal.Outcome, errors, warnings int) string {
	var parts planLine
	changes := len(i.Changes(o))
	switch {
	case o.Action == rehearsal.Configured && changes == 0:
		parts = append(parts, string(rehearsal.Unchanged))
	case o.Action != rehearsal.Configured:
		parts = append(parts, string(o.Action))
	}
	if lines := i.Lines(o.Identity().String()); len(lines) > 0 {
		first, _, _ := strings.Cut(lines[0].String(), "; ")
		parts = append(parts, first)
	}
	if o.Action == rehearsal.Configured {
		parts.add(changes, "1 change", "%d changes")
	}
	parts.add(errors, "1 error", "%d errors")
	parts.add(warnings, "1 warning", "%d warnings")
	return strings.Join(parts, " · ")
}

// Danger ranks the apply of an object, by its name: 0 does nothing to what runs.
func (i *Digest) Danger(object string) int {
	if i == nil || i.byName[object] == nil {
		return 0
	}
	return i.byName[object].danger
}

func rolloutDanger(r *impact.Rollout) int {
	switch {
	case r.Scaling != nil && r.Scaling.Stops() > 0 && r.Scaling.To > 0:
		return 3
	case !r.Restarts() && r.Scaling == nil:
		return 0
	case r.Blocked(), r.Scaling != nil && r.Scaling.To == 0:
		return 4
	case r.AllDown != "":
		return 3
	}
	return 1
}
