package rules

import (
	"fmt"
	"iter"

	"threeway/lint"
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/impact/upgrade"
	"threeway/merge/rehearsal"
)

const skewPage = "https://kubernetes.io/releases/version-skew-policy/"

// upgraded yields the objects that the upgrade makes a difference to.
func upgraded(p *lint.Pass) iter.Seq2[*lint.Object, *upgrade.Difference] {
	type found map[*lint.Object]*upgrade.Difference
	all := lint.SharedByRun(p, func() found {
		list := found{}
		shown := func(o *rehearsal.Outcome) *rehearsal.Outcome {
			if o.HasSecrets(p.Secrets) {
				return o.Masked(p.Secrets)
			}
			return o
		}
		for o := range p.Objects() {
			if d := p.Upgrade.Of(o.Manifest, shown); d != nil {
				list[o] = d
			}
		}
		return list
	})
	return func(yield func(*lint.Object, *upgrade.Difference) bool) {
		for o := range p.Objects() {
			if d := all[o]; d != nil && !yield(o, d) {
				return
			}
		}
	}
}

// kubernetes names a minor.
func kubernetes(minor int) string { return fmt.Sprintf("Kubernetes 1.%d", minor) }

// firstFault is the field and the text of what a rejection is about, and the
// texts of its other faults.
func firstFault(p *lint.Pass, o *lint.Object, d *upgrade.Difference, r *fault.Rejection) (path fieldpath.Path, text string, others []string) {
	say := func(t fault.Text) string {
		if d.To.HasSecrets(p.Secrets) { // a policy that only the other version knows may copy a Secret
			return t.String()
		}
		return o.Say(t)
	}
	for i, f := range r.Faults {
		line := firstLine(say(r.About(f)))
		if i == 0 {
			path, text = f.Path, line
		} else {
			others = append(others, "also: "+line)
		}
	}
	if text == "" {
		text = firstLine(say(r.ServerMessage()))
	}
	return path, text, others
}
