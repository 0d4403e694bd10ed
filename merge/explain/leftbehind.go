package explain

import (
	"slices"

	"threeway/merge/applier"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// Former are the claims of those that have applied a live object: kubectl too, which has no
// mark but last-applied, and that only if no other program applies the object.
func Former(claims []applier.Claim, live *manifest.Object) []applier.Claim {
	kubectl := applier.Claim{Program: applier.Kubectl}
	byKubectl := slices.ContainsFunc(owners.Read(live.Tree), func(e owners.Entry) bool {
		return e.Subresource == "" && kubectl.WritesAs(e.Manager) && (e.Applies() || e.Manager == owners.ClientSideApply)
	})
	if byKubectl || len(claims) == 0 && len(applier.Kubectl.LeftBy(live.Tree)) > 0 {
		return append(slices.Clone(claims), kubectl)
	}
	return claims
}

// LeftBehind are the fields of an outcome that managers of former appliers own, and not
// the one that applies now, and that the manifest does not set: no later apply removes
// them. Labels and annotations of the appliers themselves are left out, as are the values
// that the server gives every such object.
func LeftBehind(o *rehearsal.Outcome, from []applier.Claim, manager string) []owners.Owned {
	var left []owners.Owned
	for _, e := range owners.Read(o.Stored()) {
		if e.Manager != manager && e.Subresource == "" && slices.ContainsFunc(from, func(c applier.Claim) bool { return c.WritesAs(e.Manager) }) {
			left = append(left, e.Owned()...)
		}
	}
	left = owners.ByPath(left)
	for _, c := range from {
		marks := c.Program.LeftBy(o.Result)
		left = slices.DeleteFunc(left, func(f owners.Owned) bool { return slices.ContainsFunc(marks, f.Path.Equal) })
	}
	return slices.DeleteFunc(left, func(f owners.Owned) bool { return !staysUnset(o, f.Path) })
}

// staysUnset reports whether an object keeps a field that the manifest does not set, and
// that is not what the server gives every such object.
func staysUnset(o *rehearsal.Outcome, p fieldpath.Path) bool {
	is, there := o.Find(p, o.Result)
	_, set := o.Find(p, o.Target())
	if !there || set || p[len(p)-1].Field == tree.LastApplied {
		return false
	}
	usual, isUsual := p.Find(o.Fresh())
	return !isUsual || !tree.Equal(is, usual)
}
