package rules

import (
	"fmt"
	"strings"

	"threeway/lint"
	"threeway/merge"
	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

var revertsLiveChange = &lint.Rule{
	ID:    "reverts-live-change",
	Title: "the apply undoes a change made outside of it",
	Text:  "The config has what was applied before, but the live field has another value: somebody or something changed it since.",
	Why:   "The config wins, in silence. If the change was a fix in an emergency, or another controller's work, it is gone after the apply.",
	Fix:   "Take the live value over into the config, or agree with who changed it; if a controller owns the field, remove it from the config.",
	Bad: lint.Example{
		Applied: deployment("\n  replicas: 2"),
		Live:    appliedAs(2, "replicas: 6"),
		Config:  deployment("\n  replicas: 2"),
	},
	Good:     lint.Example{Live: appliedAs(2, "replicas: 6"), Config: deployment("\n  replicas: 6")},
	NearMiss: lint.Example{Applied: deployment("\n  replicas: 2"), Config: deployment("\n  replicas: 3")},
	Links:    []string{declarative + "#how-to-update-objects", issue + "40626", issue + "78607"},
	Severity: lint.Warning,
	Needs:    lint.Live | lint.LastApplied,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			for _, c := range o.Changes() {
				if reverts(o, c) {
					reportRevert(p, o, c)
				}
			}
		}
	},
}

// reverts reports whether config and last-applied agree on the field of a
// change, so that it was live that moved.
func reverts(o *lint.Object, c merge.Change) bool {
	switch c.Reason {
	case merge.Set, merge.Added, merge.ReplacedList:
	default:
		return false
	}
	if filledIn(o, c.Path) {
		return false
	}
	config, ok := c.Path.Find(o.Config.Tree)
	last, ok2 := c.Path.Find(o.LastApplied())
	return ok && ok2 && tree.Equal(config, last)
}

func reportRevert(p *lint.Pass, o *lint.Object, c merge.Change) {
	r := lint.Report{
		Path: c.Path, LivePath: c.Path,
		Message: fmt.Sprintf("the apply sets %s back to %s; since the last apply%s changed it", c.Path, lint.Value(c.New), by(o, c.Path)),
		Fix:     "take the live value over into the config, or remove the field from it if another writer owns it",
	}
	if !c.InOld {
		r.LivePath, r.Live = c.Path[:len(c.Path)-1], "not there any more"
	}
	p.Report(o, r)
}

// by names who owns a field besides kubectl apply.
func by(o *lint.Object, path fieldpath.Path) string {
	var names []string
	for _, w := range o.OwnersOf(path) {
		if w.Manager != "kubectl-client-side-apply" && w.Subresource != "status" {
			names = append(names, w.Manager)
		}
	}
	if names == nil {
		return " somebody"
	}
	return " " + strings.Join(names, ", ")
}

// appliedAs is the Deployment of the examples with the replicas that were
// applied and a line that is live.
func appliedAs(replicas int, line string) string {
	s := strings.Replace(liveWithProbe, `"spec":{"selector"`, fmt.Sprintf(`"spec":{"replicas":%d,"selector"`, replicas), 1)
	s = strings.Replace(s, "replicas: 1", line, 1)
	from, to := strings.Index(s, "        readinessProbe:"), strings.Index(s, "        resources:")
	return s[:from] + s[to:]
}
