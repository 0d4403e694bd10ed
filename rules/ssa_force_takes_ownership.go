package rules

import (
	"fmt"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

var ssaForceTakesOwnership = &lint.Rule{
	ID:    "ssa-force-takes-ownership",
	Title: "--force-conflicts takes fields from another manager",
	Text:  "The config sets a field to another value than its present manager did, and --force-conflicts takes it over.",
	Why: "A controller such as an autoscaler or a certificate injector does not notice: it writes its value again, the next apply " +
		"takes it back, and so on.",
	Fix:      "Leave the field to its manager by removing it from the config.",
	Bad:      lint.Example{Args: "--server-side --force-conflicts", Live: scaledByHand, Config: deployment("\n  replicas: 2")},
	Good:     lint.Example{Args: "--server-side --force-conflicts", Live: scaledByHand, Config: deployment("")},
	NearMiss: lint.Example{Args: "--server-side --force-conflicts", Live: scaledByHand, Config: deployment("\n  replicas: 5")},
	Links:    []string{applyPage + "#conflicts"},
	Severity: lint.Warning,
	Needs:    lint.Live | lint.ManagedFields | lint.ServerSide,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		if !p.Options.ServerSide.Force {
			return
		}
		for o := range p.Accepted() {
			for _, w := range o.Owners() {
				// kubectl's own earlier applies are no other party.
				if w.Manager == p.Options.ServerSide.Manager || w.Manager == "kubectl-client-side-apply" || w.Subresource == "status" {
					continue
				}
				reportTaken(p, o, w)
			}
		}
	},
}

func reportTaken(p *lint.Pass, o *lint.Object, w lint.Owner) {
	var taken []fieldpath.Path
	for _, f := range w.Fields() {
		config, ok := f.Find(o.Config.Tree)
		live, ok2 := f.Find(o.Before)
		after, ok3 := f.Find(o.Result)
		if ok && ok2 && ok3 && scalar(config) && !tree.Equal(live, after) {
			taken = append(taken, f)
		}
	}
	for _, f := range taken {
		config, _ := f.Find(o.Config.Tree)
		p.Report(o, lint.Report{
			Path: f, LivePath: f,
			Message: fmt.Sprintf("--force-conflicts takes %s from %s and sets it to %s", f, w.Manager, lint.Value(config)),
			Fix:     "remove it from the config if " + w.Manager + " is to decide",
		})
	}
}
