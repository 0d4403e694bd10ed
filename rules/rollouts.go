package rules

import (
	"iter"

	"threeway/lint"
	"threeway/merge/impact"
)

// rollouts yields the workloads that are reported on and that the apply changes.
func rollouts(p *lint.Pass) iter.Seq2[*lint.Object, *impact.Rollout] {
	return func(yield func(*lint.Object, *impact.Rollout) bool) {
		for o := range p.Accepted() {
			if r := p.Impact().Rollout(o.Identity()); r != nil && !yield(o, r) {
				return
			}
		}
	}
}
