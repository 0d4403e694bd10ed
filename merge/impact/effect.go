package impact

import "threeway/merge/fieldpath"

// Effect is what a finding of a rule counts as in the plan line. A rule of lint
// names the one of all its findings (lint.Rule.Effect), a report that of one
// (lint.Report.Effect).
type Effect string

// The effects. What a finding counts, one unless its report says more, is in the
// comment.
const (
	// Opens: ports that can be reached from outside the cluster and could not
	// before (a Service becomes a LoadBalancer or a NodePort, or loses its source
	// ranges; hostNetwork, hostPort).
	Opens Effect = "opens"
	// Serves: hosts and paths that an Ingress serves and did not before.
	Serves Effect = "serves"
	// Widens: objects that may do more than before (RBAC, privileged containers,
	// capabilities, host paths, a lowered Pod Security level, a NetworkPolicy that
	// lets more through).
	Widens Effect = "widens"
	// FallsBack: settings that are reset to the server's default.
	FallsBack Effect = "fallsBack"
	// Clears: settings that are removed and have no default.
	Clears Effect = "clears"
	// CutsTraffic: objects that traffic no longer reaches (a Service without pods
	// or with a port that no container has, an Ingress whose Service goes).
	CutsTraffic Effect = "cutsTraffic"
	// LosesData: objects whose data is deleted, or may be.
	LosesData Effect = "losesData"
	// Lacks: references to what is neither in the manifests nor in the cluster.
	Lacks Effect = "lacks"
	// Misses: values and items of the manifests that the objects do not have after the apply.
	Misses Effect = "misses"
	// FailsFirst: objects that the first apply rejects, or that do not work after
	// it, and that a second apply puts right.
	FailsFirst Effect = "failsFirst"
	// Locks: live objects that can no longer be updated.
	Locks Effect = "locks"
	// Strands: workloads whose next Pod the server rejects.
	Strands Effect = "strands"
	// Blocks: objects of the manifests that the next apply does not get through.
	Blocks Effect = "blocks"
	// Leaves: live objects that stay under another name beside new ones that do the same.
	Leaves Effect = "leaves"
	// None: the finding does not count, though others of its rule do.
	None Effect = "none"
	// Told: the plan counts it by itself.
	Told Effect = "told"
	// Says: the plan counts the finding as one of lint, and says no more of its field, since the
	// finding says what the change does.
	Says Effect = "says"
)

// Effects are all effects, in the order of the plan line.
func Effects() []Effect {
	return []Effect{Opens, Serves, Widens, FallsBack, Clears, CutsTraffic, LosesData, Lacks, Misses, FailsFirst, Locks, Strands, Blocks, Leaves}
}

// Affected is what a finding with an effect says of an object, and how often it counts.
type Affected struct {
	// Object is ns/Kind.group/name, "" if the finding is about none.
	Object, Says string
	// Path is the field that it is about, and Also are further ones.
	Path  fieldpath.Path
	Also  []fieldpath.Path
	Count int
	// Does is set if it is said what the change of the field does, Stops if the finding is an
	// error, and Accepted if a person has suppressed it.
	Does, Stops, Accepted bool
}

// Counted is how often the findings of an effect count.
func Counted(list []Affected) (n int) {
	for _, a := range list {
		n += a.Count
	}
	return n
}
