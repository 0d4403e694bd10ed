package show

import (
	"fmt"
	"strings"

	"threeway/merge/impact"
)

// effectWords say what so many findings of an effect do: one, and several.
var effectWords = map[impact.Effect][2]string{
	impact.Opens:       {"opens 1 port to outside the cluster", "opens %d ports to outside the cluster"},
	impact.Serves:      {"serves 1 new route", "serves %d new routes"},
	impact.Widens:      {"1 object gains permissions", "%d objects gain permissions"},
	impact.FallsBack:   {"1 setting falls back to its default", "%d settings fall back to defaults"},
	impact.Clears:      {"1 setting is cleared", "%d settings are cleared"},
	impact.CutsTraffic: {"cuts off traffic to 1 object", "cuts off traffic to %d objects"},
	impact.LosesData:   {"data of 1 object may be lost", "data of %d objects may be lost"},
	impact.Lacks:       {"1 reference to a missing object", "%d references to missing objects"},
	impact.Misses:      {"1 value of the manifests is not stored", "%d values of the manifests are not stored"},
	impact.FailsFirst:  {"1 object needs a second apply", "%d objects need a second apply"},
	impact.Locks:       {"1 live object can no longer be updated", "%d live objects can no longer be updated"},
	impact.Strands:     {"1 workload cannot restart", "%d workloads cannot restart"},
	impact.Blocks:      {"the next apply of 1 object is rejected", "the next apply of %d objects is rejected"},
	impact.Leaves:      {"1 object stays under its old name", "%d objects stay under their old names"},
}

// staleOne and staleMany say that workloads run on with what they have read.
const staleOne, staleMany = "1 workload keeps old configuration until it is restarted", "%d workloads keep old configuration until they are restarted"

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
func (i *Digest) PlanLine() string {
	c := i.counts
	var objects, line planLine
	objects.add(c.Created, "1 created", "%d created")
	objects.add(c.Renamed, "1 renamed ("+i.renamed()+")", "%d renamed ("+i.renamed()+")")
	objects.add(c.Configured, "1 changed", "%d changed")
	objects.add(c.Rejected, "1 rejected", "%d rejected")
	objects.add(c.Stopped, "1 not applied, because the run fails before", "%d not applied, because the run fails before")
	objects.add(c.Pruned, "1 pruned", "%d pruned")
	one, many := "it stays", "they stay"
	if i.leavesRunning() {
		one, many = "it keeps running", "they keep running"
	}
	objects.add(c.Removed, "1 removed from the manifests ("+one+": "+i.left()+" deletes nothing)", "%d removed from the manifests ("+many+": "+i.left()+" deletes nothing)")
	if text := Incomplete(i.facts.Plan.Gaps); text != "" {
		line = append(line, text)
	}
	if removes := dryRun(i.facts.Plan.Outcomes...); removes != "" {
		line = append(line, removes)
	}
	if objects == nil && line == nil {
		objects = planLine{"no changes"}
	}
	if objects != nil {
		line = append(line, strings.Join(objects, ", "))
	}
	line = append(line, i.scaleClauses()...)
	line = append(line, i.restartClauses()...)
	line.add(i.stale(), staleOne, staleMany)
	for _, e := range impact.Effects() {
		line.add(impact.Counted(i.effects[e]), effectWords[e][0], effectWords[e][1])
	}
	line = append(line, i.undoneClauses()...)
	line = append(line, i.consequenceClauses()...)
	line = append(line, i.remainderClauses()...)
	return "Plan: " + strings.Join(line, "; ")
}
