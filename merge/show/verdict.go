package show

import (
	"fmt"
	"strings"

	"threeway/merge/impact"
	"threeway/merge/rehearsal"
	"threeway/merge/setting"
	"threeway/merge/text/phrase"
)

// Level is how much a plan asks for a person.
type Level string

// The levels, the worst first.
const (
	// Stop: objects are rejected, or traffic, data or a rollout is lost.
	Stop Level = "stop"
	// Unknown: the plan does not tell everything.
	Unknown Level = "unknown"
	// Look: a person should look at it first.
	Look Level = "look"
	// Fine: changes, and nothing of the above.
	Fine Level = "fine"
	// None: no changes.
	None Level = "none"
)

// Hazard is what is endangered, for filters and signs.
type Hazard string

// The hazards, in the order of reports.
const (
	Rejected   Hazard = "rejected"
	Data       Hazard = "data"
	Traffic    Hazard = "traffic"
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
}

// Verdict is the first thing to know of a plan.
type Verdict struct {
	Level Level  `json:"level"`
	Text  string `json:"text"`
}

// gathered is a danger while its causes are found.
type gathered struct {
	Danger
	one, many string
	objects   map[string]bool
	causes    map[string]int     // by their text, where they are in Shared
	caused    map[[2]string]bool // texts and objects
	// times is how often it counts, if that is not how many objects have it.
	times int
}

func (g *gathered) add(text string, objects ...string) {
	if g.objects == nil {
		g.objects, g.causes, g.caused = map[string]bool{}, map[string]int{}, map[[2]string]bool{}
	}
	for _, object := range objects {
		g.objects[object] = true
		i, found := g.causes[text]
		if !found {
			i = len(g.Shared)
			g.causes[text] = i
			g.Shared = append(g.Shared, Shared{Text: text})
		}
		if at := [2]string{text, object}; !g.caused[at] {
			g.caused[at] = true
			g.Shared[i].Objects = append(g.Shared[i].Objects, object)
		}
	}
}

// Judge adds what findings say that are errors and count as no effect. Only then does the
// digest tell all that is dangerous.
func (i *Digest) Judge(errors []impact.Affected) { i.errors, i.judged = errors, true }

// Dangers are what the plan does, the worst first: what stops an apply, what a person
// should look at, and last what every rollout does.
func (i *Digest) Dangers() (list []Danger) {
	if i == nil {
		return nil
	}
	for _, g := range []*gathered{
		i.rejectedObjects(), i.stoppedObjects(),
		i.effect(impact.LosesData, Data, Stop), i.cutOff(), i.stuck(), i.otherErrors(), i.scaledDown(), i.deleted(),
		i.effect(impact.Opens, Exposure, Look), i.effect(impact.Widens, Exposure, Look), i.effect(impact.Serves, Exposure, Look),
		i.effect(impact.Lacks, Readiness, Look), i.effect(impact.FailsFirst, Readiness, Look), i.staleReaders(),
		i.effect(impact.Clears, Protection, Look), i.effect(impact.FallsBack, Protection, Look),
		i.touches(setting.Traffic, Traffic), i.touches(setting.Access, Exposure), i.touches(setting.Isolation, Exposure),
		i.touches(setting.Scale, Readiness), i.touches(setting.Schedule, Readiness), i.touches(setting.Placement, Readiness),
		i.touches(setting.Protection, Protection), i.touches(setting.Storage, Data), i.touches(setting.Controller, Readiness),
		i.undoneObjects(), i.leftovers(), i.gaps(), i.restarted(), i.notRestored(),
	} {
		n := max(len(g.objects), g.times)
		if n == 0 {
			continue
		}
		var text planLine
		text.add(n, g.one, g.many)
		g.Text = text[0]
		list = append(list, g.Danger)
	}
	return list
}

// effect are the findings that count as an effect.
func (i *Digest) effect(e impact.Effect, hazard Hazard, level Level) *gathered {
	g := &gathered{Danger: Danger{Hazard: hazard, Level: level}, one: effectWords[e][0], many: effectWords[e][1], times: impact.Counted(i.effects[e])}
	for _, a := range i.effects[e] {
		g.add(a.Says, a.Object)
	}
	return g
}

func (i *Digest) otherErrors() *gathered {
	g := &gathered{Danger: Danger{Hazard: Readiness, Level: Stop}, one: "lint finds 1 more error", many: "lint finds %d more errors", times: len(i.errors)}
	for _, a := range i.errors {
		g.add(a.Says, a.Object)
	}
	return g
}

func (i *Digest) rejectedObjects() *gathered {
	g := &gathered{Danger: Danger{Hazard: Rejected, Level: Stop}, one: "1 object is rejected", many: "%d objects are rejected"}
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
func (i *Digest) touches(class setting.Class, hazard Hazard) *gathered {
	g := &gathered{Danger: Danger{Hazard: hazard, Level: Look}, one: "1 object touches " + string(class), many: "%d objects touch " + string(class)}
	if class == setting.Controller {
		g.one, g.many = "a controller acts on 1 object", "controllers act on %d objects"
	}
	for _, e := range i.objects {
		for _, c := range e.Consequences {
			if c.Class == class {
				g.add(c.Text, e.Object)
			}
		}
	}
	return g
}

// cause is why an object is rejected: the first cause of the API server, or the words of
// kubectl.
func (i *Digest) cause(o *rehearsal.Outcome) string {
	v := i.opts.view(o)
	if len(v.Causes) == 0 {
		first, _, _ := strings.Cut(v.Rejected, "\n")
		return first
	}
	text := v.Causes[0].Text
	if more := len(v.Causes) - 1; more > 0 {
		text += " (and " + phrase.Count(more, "more cause") + ")"
	}
	return text
}

func (i *Digest) stoppedObjects() *gathered {
	g := &gathered{Danger: Danger{Hazard: Rejected, Level: Stop}, one: "1 object is not applied, because the run fails before", many: "%d objects are not applied, because the run fails before"}
	for _, o := range i.facts.Plan.Outcomes {
		if o.Stopped && o.Action != rehearsal.Unchanged {
			g.add("", o.Identity().String())
		}
	}
	return g
}

// cutOff are the objects that no traffic reaches any longer.
func (i *Digest) cutOff() *gathered {
	g := i.effect(impact.CutsTraffic, Traffic, Stop)
	for _, r := range i.facts.Rollouts {
		if r.Scaling == nil {
			continue
		}
		for _, id := range r.Scaling.Cut {
			if id.Kind == "Service" && !g.objects[id.String()] {
				g.add(r.Outcome.Identity().String()+" is scaled to 0", id.String())
			}
		}
	}
	g.one, g.many, g.times = "traffic to 1 object is cut off", "traffic to %d objects is cut off", 0
	return g
}

func (i *Digest) stuck() *gathered {
	g := &gathered{Danger: Danger{Hazard: Readiness, Level: Stop}, one: "1 rollout gets stuck", many: "%d rollouts get stuck"}
	for _, r := range i.facts.Rollouts {
		for _, b := range r.Blocks {
			if b.Certain {
				g.add(b.Words(), r.Outcome.Identity().String())
			}
		}
	}
	return g
}

func (i *Digest) scaledDown() *gathered {
	g := &gathered{Danger: Danger{Hazard: Traffic, Level: Look}, one: "1 workload loses pods", many: "%d workloads lose pods"}
	for _, r := range i.facts.Rollouts {
		if r.Scaling != nil && r.Scaling.Stops() > 0 {
			g.add(r.Words(), r.Outcome.Identity().String())
		}
	}
	return g
}

func (i *Digest) deleted() *gathered {
	g := &gathered{Danger: Danger{Hazard: Data, Level: Look}, one: "1 object is deleted", many: "%d objects are deleted"}
	if prune := i.facts.Plan.Prune; prune != nil {
		for _, c := range prune.Pruned() {
			if obj := c.Live.Object(); !i.isRenamed(obj) {
				g.add("", obj.ID().String())
			}
		}
	}
	return g
}

// leftovers are the objects that left the manifests and stay in the cluster.
func (i *Digest) leftovers() *gathered {
	g := &gathered{Danger: Danger{Hazard: Leftover, Level: Look}, one: "1 object left the manifests and stays in the cluster", many: "%d objects left the manifests and stay in the cluster"}
	if base := i.facts.Plan.Base; base != nil && i.counts.Removed > 0 {
		for _, o := range base.Left {
			if !i.isRenamed(o) {
				g.add("", o.ID().String())
			}
		}
	}
	return g
}

func (i *Digest) staleReaders() *gathered {
	g := &gathered{Danger: Danger{Hazard: Readiness, Level: Look}, one: "1 workload keeps old configuration until it is restarted", many: "%d workloads keep old configuration until they are restarted"}
	for _, d := range i.facts.Deliveries {
		for _, c := range d.Stale() {
			g.add(d.Outcome.Identity().String()+" changes", c.Object.String())
		}
	}
	return g
}

func (i *Digest) undoneObjects() *gathered {
	g := &gathered{Danger: Danger{Hazard: Undone, Level: Look}, one: "1 change made in the cluster is undone", many: "%d changes made in the cluster are undone", times: i.facts.Undone.Fields}
	if i.facts.Plan.Base != nil {
		return g
	}
	for _, o := range i.facts.Plan.Outcomes {
		if u := impact.UndoneBy(o); u.Fields > 0 {
			text := phrase.Count(u.Fields, "field")
			if u.Managers != nil {
				text += " set by " + phrase.Abbreviated(u.Managers, 3)
			}
			g.add(text, o.Identity().String())
		}
	}
	return g
}

// gaps are the workloads of which no pod runs for a time.
func (i *Digest) gaps() *gathered {
	g := &gathered{Danger: Danger{Hazard: Restart, Level: Look}, one: "1 workload has no pod for a time", many: "%d workloads have no pod for a time"}
	for _, r := range i.facts.Rollouts {
		if r.Restarts() && r.AllDown != "" {
			g.add(r.Words(), r.Outcome.Identity().String())
		}
	}
	return g
}

func (i *Digest) restarted() *gathered {
	g := &gathered{Danger: Danger{Hazard: Restart, Level: Fine}, one: "1 workload restarts without a gap", many: "%d workloads restart without a gap"}
	for _, r := range i.facts.Rollouts {
		if r.Restarts() && r.AllDown == "" && !r.Blocked() {
			g.add(r.Words(), r.Outcome.Identity().String())
		}
	}
	return g
}

func (i *Digest) notRestored() *gathered {
	g := &gathered{Danger: Danger{Hazard: Rollback, Level: Fine}, one: "rolling back would not restore 1 object", many: "rolling back would not restore %d objects"}
	for _, r := range i.remainders {
		g.add(remainderWords(r, i.opts), r.Outcome.Identity().String())
	}
	return g
}

// Verdict says what stops an apply, or else what a person should look at, and how much
// goes through besides.
func (i *Digest) Verdict() Verdict {
	of := map[Level][]string{}
	named := map[string]bool{}
	for _, d := range i.Dangers() {
		of[d.Level] = append(of[d.Level], d.Text)
		for _, c := range d.Shared {
			for _, object := range c.Objects {
				if d.Level == Stop {
					named[object] = true
				}
			}
		}
	}
	others := 0
	for _, o := range i.facts.Plan.Outcomes {
		if (o.Action == rehearsal.Created || o.Action == rehearsal.Configured && i.opts.Differs(o)) && !o.Stopped && !named[o.Identity().String()] {
			others++
		}
	}
	incomplete := Incomplete(i.facts.Plan.Unknown)
	switch {
	case of[Stop] != nil:
		parts := of[Stop]
		if incomplete != "" {
			parts = append(parts, incomplete)
		}
		text := "Not safe to apply: " + strings.Join(parts, ", ")
		switch {
		case others == 1:
			text += "; 1 other change goes through"
		case others > 1:
			text += fmt.Sprintf("; the other %d changes go through", others)
		}
		return Verdict{Stop, text}
	case incomplete != "":
		return Verdict{Unknown, strings.ToUpper(incomplete[:1]) + incomplete[1:]}
	case of[Look] != nil:
		return Verdict{Look, "Look before you apply: " + strings.Join(of[Look], ", ")}
	case i.changes() == 0:
		return Verdict{None, "No changes"}
	}
	return Verdict{Fine, "No danger found: " + phrase.Count(i.changes(), "change") + strings.Join(append([]string{""}, of[Fine]...), ", ")}
}

// changes counts the objects that change.
func (i *Digest) changes() int {
	return i.counts.Created + i.counts.Renamed + i.counts.Changed + i.counts.Pruned
}

// Line is what is shared on one line: its objects, of many the first, and what is to be
// said of them.
func (s Shared) Line(most int) string {
	names := phrase.Abbreviated(s.Objects, most)
	switch {
	case names == "":
		return s.Text
	case s.Text == "":
		return names
	}
	return names + ": " + s.Text
}
