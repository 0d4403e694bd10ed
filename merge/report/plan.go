package report

import (
	"fmt"
	"strings"

	"threeway/merge"
	"threeway/merge/impact"
)

// Impact is what an apply does to what runs, as reports say it.
type Impact struct {
	facts   *impact.Impact
	effects map[impact.Effect]int
	counts  planCounts
}

// planCounts are the numbers of objects by what happens to them. Changed ones
// differ as they are shown: by more than what every apply writes.
type planCounts struct {
	Created  int `json:"created"`
	Changed  int `json:"changed"`
	Rejected int `json:"rejected"`
	Pruned   int `json:"pruned"`
}

// NewImpact is what a plan does to what runs, for reports with these options. The
// effects are how many findings of lint count as what.
func NewImpact(facts *impact.Impact, effects map[impact.Effect]int, opts Options) *Impact {
	all := Count(facts.Plan)
	i := &Impact{facts, effects, planCounts{all.Created, 0, all.Rejected, all.Pruned}}
	for _, o := range facts.Plan.Outcomes {
		if o.Action == merge.Configured && opts.Differs(o) {
			i.counts.Changed++
		}
	}
	return i
}

// PlanSchemaVersion is that of the plan in JSON reports; see docs/plan.schema.json.
const PlanSchemaVersion = 1

// effectWords say what so many findings of an effect do: one, and several.
var effectWords = map[impact.Effect][2]string{
	impact.Opens:       {"opens 1 port to outside the cluster", "opens %d ports to outside the cluster"},
	impact.Widens:      {"1 object may do more than before", "%d objects may do more than before"},
	impact.FallsBack:   {"1 setting falls back to its default", "%d settings fall back to defaults"},
	impact.Clears:      {"1 setting is cleared", "%d settings are cleared"},
	impact.CutsTraffic: {"cuts off traffic to 1 object", "cuts off traffic to %d objects"},
	impact.LosesData:   {"data of 1 object may be lost", "data of %d objects may be lost"},
	impact.Lacks:       {"1 reference to what does not exist", "%d references to what does not exist"},
	impact.FailsFirst:  {"1 object needs a second apply", "%d objects need a second apply"},
}

// planLine collects the clauses of the plan line.
type planLine []string

// add adds a clause about a number of something, unless that is 0.
func (l *planLine) add(n int, one, many string) {
	switch {
	case n == 1:
		*l = append(*l, one)
	case n > 1:
		*l = append(*l, fmt.Sprintf(many, n))
	}
}

// PlanLine sums the plan up: Plan: 2 created, 5 changed; restarts 3 workloads
// (14 pods). What does not happen is left out.
func (i *Impact) PlanLine() string {
	c := i.counts
	var objects, line planLine
	objects.add(c.Created, "1 created", "%d created")
	objects.add(c.Changed, "1 changed", "%d changed")
	objects.add(c.Rejected, "1 rejected", "%d rejected")
	objects.add(c.Pruned, "1 pruned", "%d pruned")
	if objects == nil {
		objects = planLine{"no changes"}
	}
	line = append(line, strings.Join(objects, ", "))
	for _, e := range impact.Effects() {
		line.add(i.effects[e], effectWords[e][0], effectWords[e][1])
	}
	return "Plan: " + strings.Join(line, "; ")
}

// jsonPlan is the plan in a JSON report.
type jsonPlan struct {
	SchemaVersion int                   `json:"schemaVersion"`
	Line          string                `json:"line"`
	Counts        planCounts            `json:"counts"`
	Effects       map[impact.Effect]int `json:"effects"`
}

// ToJSON is the plan in a JSON report; nil if it is not known.
func (i *Impact) ToJSON() any {
	if i == nil {
		return nil
	}
	effects := map[impact.Effect]int{}
	for _, e := range impact.Effects() {
		if n := i.effects[e]; n > 0 {
			effects[e] = n
		}
	}
	return jsonPlan{PlanSchemaVersion, i.PlanLine(), i.counts, effects}
}
