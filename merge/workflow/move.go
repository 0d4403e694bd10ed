package workflow

import (
	"cmp"
	"slices"

	"threeway/merge"
	"threeway/merge/applier"
	"threeway/merge/explain"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// Move is what the first run of an applier does with objects that others have applied.
type Move struct {
	// To is the applier, From are those that have applied the live objects before.
	To   applier.Claim
	From []applier.Claim
	// Objects are those of the plan, in its order.
	Objects []Moved
	// Left are live objects of the former appliers that are in no manifest, and that the
	// run does not delete.
	Left  []*manifest.Object
	Steps []Step
}

// Moved is one object of a move.
type Moved struct {
	*rehearsal.Outcome
	// Transfers are the fields of former managers that the run takes over, shares or
	// removes.
	Transfers []rehearsal.Contest
	// Left are the fields that only former appliers own and that no manifest sets: no
	// later run removes them.
	Left []owners.Owned
	// Remaining are the labels and annotations of former appliers that stay.
	Remaining []fieldpath.Path
}

// MoveTo says what the plan does to objects of other appliers, and what is to be done
// before and after it. command is what makes the applier run.
func MoveTo(p *merge.Plan, live *manifest.Snapshot, command string) *Move {
	m := &Move{To: p.By.Claim()}
	lists := applier.ReadLists(live)
	for _, o := range p.Outcomes {
		if o.Live != nil {
			m.add(explain.Former(lists.Claims(o.Live), o.Live)...)
		}
	}
	slices.SortFunc(m.From, func(a, b applier.Claim) int {
		return cmp.Or(cmp.Compare(a.Program, b.Program), cmp.Compare(a.By(), b.By()))
	})
	for _, o := range p.Outcomes {
		m.Objects = append(m.Objects, m.moved(o))
	}
	m.leaves(p, live, lists)
	m.Steps = m.steps(live, command)
	return m
}

// add notes former appliers, each once.
func (m *Move) add(claims ...applier.Claim) {
	for _, c := range claims {
		c.Mark, c.Listed = nil, nil
		if !c.Same(m.To) && !slices.ContainsFunc(m.From, c.Same) {
			m.From = append(m.From, c)
		}
	}
}

// moved is what the run does to the owners of an object.
func (m *Move) moved(o *rehearsal.Outcome) Moved {
	moved := Moved{Outcome: o}
	if o.Live == nil || o.Action == rehearsal.Rejected {
		return moved
	}
	manager := o.By.Claim().Manager()
	if m.To.Program == applier.Kubectl {
		manager = cmp.Or(o.Applier, manager)
	}
	moved.Transfers = o.Transfers(manager)
	keepsLast := m.To.Program == applier.Kubectl || m.To.Program == applier.ArgoCD
	for _, c := range m.From {
		for _, p := range c.Program.LeftBy(o.Result) {
			_, set := p.Find(o.Target())
			last := p[len(p)-1].Field == tree.LastApplied
			if !set && !(last && keepsLast) && !slices.ContainsFunc(moved.Remaining, p.Equal) {
				moved.Remaining = append(moved.Remaining, p)
			}
		}
	}
	moved.Left = explain.LeftBehind(o, m.From, manager)
	return moved
}

// controlled reports whether a controller made an object, which may have copied the
// marks of its owner: a ReplicaSet has the annotations of its Deployment.
func controlled(o *manifest.Object) bool {
	return slices.ContainsFunc(tree.List(o.Tree, "metadata", "ownerReferences"), func(ref any) bool { return tree.Bool(ref, "controller") })
}

// leaves finds the live objects of the former appliers that are in no manifest.
func (m *Move) leaves(p *merge.Plan, live *manifest.Snapshot, lists applier.Lists) {
	known := map[manifest.Identity]bool{}
	for _, o := range p.Set {
		known[o.Manifest.ID()] = true
	}
	for _, gone := range p.Prune.Pruned() {
		known[gone.Live.ID()] = true
	}
	for o := range live.Objects() {
		if known[o.ID()] || controlled(o) {
			continue
		}
		if slices.ContainsFunc(lists.Claims(o), func(c applier.Claim) bool { return slices.ContainsFunc(m.From, c.Same) }) {
			m.Left = append(m.Left, o)
		}
	}
}
