package diff

import (
	"slices"

	"threeway/lint"
	"threeway/merge"
	"threeway/merge/show"
	"threeway/rules"
)

// digestOf is what a plan does to what runs, with the findings of the rules that
// count in the plan line. Settings and suppressions do not matter to it.
func digestOf(plan *merge.Plan, opts merge.Options, shown show.Options) *show.Digest {
	in := lint.Input{Plan: plan, Options: opts, Secrets: shown.Secrets}
	counting := slices.DeleteFunc(rules.All(), func(r *lint.Rule) bool { return r.Effect == "" })
	found := lint.Run(counting, in, lint.Options{NoSuppressions: true})
	return show.NewDigest(found.Impact(), found.Effects, shown)
}
