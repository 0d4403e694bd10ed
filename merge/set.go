package merge

import (
	"slices"
	"sync"

	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
)

// objects rehearses the apply of the objects that are asked for, side by side,
// and leaves the others for later. What comes after a namespace or a class
// depends on it: it and what comes before it go first.
func (r *run) objects(list []*manifest.Object, before *earlier) []rehearsal.Planned {
	set := make([]rehearsal.Planned, len(list))
	r.Expect(list)
	last := -1 // of those that others depend on
	for i, o := range list {
		if set[i].Manifest = o; r.Shapes(o) {
			last = i
		}
	}
	before.outcomes(r, set)
	for done := 0; done < len(list); {
		next := set[done:]
		if i := slices.IndexFunc(next, func(o rehearsal.Planned) bool { return r.Shapes(o.Manifest) }); i >= 0 {
			next = next[:i+1]
		}
		var now []int
		for i := range next {
			o := next[i].Manifest
			if next[i].Outcome != nil {
				continue
			}
			if r.asked(o) || last >= done+i {
				now = append(now, i)
			} else {
				next[i].Outcome = sync.OnceValue(func() *rehearsal.Outcome { return r.Object(o) })
			}
		}
		r.Cores.Do(len(now), func(i int) {
			o := &next[now[i]]
			outcome := r.Object(o.Manifest)
			o.Outcome = func() *rehearsal.Outcome { return outcome }
		})
		done += len(next)
		if o := set[done-1]; r.Shapes(o.Manifest) && o.Outcome().Action != rehearsal.Rejected {
			r.Make(o.Outcome())
		}
	}
	r.KeepQuotas(set)
	return set
}

// ListsRejections reports whether kubectl refuses several objects, and then
// lists them at the end of an apply; a diff ends at the first.
func (p *Plan) ListsRejections() bool {
	rejected := 0
	for _, o := range p.Outcomes {
		if o.Action == rehearsal.Rejected {
			rejected++
		}
	}
	return rejected > 1 && !p.Diff
}

// Mode is how the plan applies: client-side or server-side.
func (p *Plan) Mode() string {
	if p.ServerSide {
		return "server-side"
	}
	return "client-side"
}
