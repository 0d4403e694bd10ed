package explain

import (
	"threeway/merge/fieldpath"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// byPolicies gives the changes that a mutating admission policy makes its name: of
// several the last one's. What a policy leaves as it finds it has another reason.
func byPolicies(changes []Change, o *rehearsal.Outcome) {
	for i := range changes {
		c := &changes[i]
		if c.InOld == c.InNew && tree.Equal(c.Old, c.New) {
			continue
		}
		name := ""
		for _, m := range o.Mutations {
			if differs(c.Path, m.Before, m.After) {
				name = m.Policy
			}
		}
		switch {
		case name == "":
		case !c.InNew:
			c.Reason, c.Explanation = Mutated, mutatedRemoved+name
		case c.At != nil:
			c.Reason, c.Explanation = Mutated, mutatedReplaced+name
		default:
			c.Reason, c.Explanation = Mutated, mutatedSet+name
		}
	}
}

// differs reports whether two objects have different values at a path, or only one
// has one.
func differs(p fieldpath.Path, a, b tree.Object) bool {
	x, inA := p.Find(a)
	y, inB := p.Find(b)
	return inA != inB || !tree.Equal(x, y)
}
