package show

import (
	"fmt"
	"slices"
	"strings"

	"threeway/merge/gap"
	"threeway/merge/impact"
	"threeway/merge/impact/setting"
)

// effectWords say what so many findings of an effect do: one, and several.
var effectWords = map[impact.Effect][2]string{
	impact.Opens:       {"opens 1 port to outside the cluster", "opens %d ports to outside the cluster"},
	impact.Serves:      {"exposes 1 new route", "exposes %d new routes"},
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
const staleOne, staleMany = "1 workload keeps running with the old configuration", "%d workloads keep running with the old configuration"

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
// (14 pods). What does not happen is left out, and what is unknown: Unknown says it.
func (i *Digest) PlanLine() string {
	if i.facts.Plan.Refused != nil {
		return "Plan: kubectl refuses to run, so nothing changes"
	}
	c := i.counts
	var objects, line planLine
	objects.add(c.Created, "1 created", "%d created")
	objects.add(c.Renamed, "1 renamed", "%d renamed")
	objects.add(c.Configured, "1 changed", "%d changed")
	objects.add(c.Rejected, "1 rejected", "%d rejected")
	objects.add(c.Stopped, "1 never reached: the run stops at the first failure", "%d never reached: the run stops at the first failure")
	objects.add(c.Pruned, "1 pruned", "%d pruned")
	objects.add(c.Removed, "1 orphaned ("+i.left()+" does not delete it)", "%d orphaned ("+i.left()+" does not delete them)")
	removes := dryRun(i.facts.Plan.Outcomes...)
	if removes != "" {
		line = append(line, removes)
	}
	switch {
	case objects != nil || line != nil:
	case slices.ContainsFunc(i.facts.Plan.Gaps, gap.Gap.Hides):
		objects = planLine{"unknown"}
	default:
		objects = planLine{"no changes"}
	}
	if objects != nil {
		line = append(line, strings.Join(objects, ", "))
	}
	line = append(line, i.scaleClauses()...)
	line = append(line, i.restartClauses()...)
	line.add(i.stale(), staleOne, staleMany)
	line = append(line, i.undoneClauses()...)
	if removes == "" && i.harmless > 0 && i.harmless == i.counts.Configured {
		line = append(line, "changes nothing that runs")
	}
	line = append(line, i.remainderClauses()...)
	return "Plan: " + strings.Join(line, "; ")
}

// touchWords say of the classes what so many objects change.
var touchWords = map[setting.Class][2]string{
	setting.Traffic:    {"1 object changes how traffic is routed", "%d objects change how traffic is routed"},
	setting.Access:     {"1 object changes permissions, credentials or admission", "%d objects change permissions, credentials or admission"},
	setting.Isolation:  {"1 object changes how pods are isolated", "%d objects change how pods are isolated"},
	setting.Scale:      {"1 object changes how many pods run", "%d objects change how many pods run"},
	setting.Schedule:   {"1 object changes when Jobs run", "%d objects change when Jobs run"},
	setting.Placement:  {"1 object changes where pods run", "%d objects change where pods run"},
	setting.Protection: {"1 object changes availability settings or limits", "%d objects change availability settings or limits"},
	setting.Storage:    {"1 object changes storage", "%d objects change storage"},
	setting.Data:       {"1 object changes data that programs read", "%d objects change data that programs read"},
	setting.Controller: {"a controller acts on 1 object", "controllers act on %d objects"},
}
