package merge

import (
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// Drift is a field in which live has moved since the last apply, while the
// config has not.
type Drift struct {
	// Change is what the next apply does: it sets the field back, or it is Kept.
	Change
	// By are those who own the field in the live object, kubectl apply only if
	// nobody else does; none where somebody removed it. Since is the newest of
	// their writes.
	By    []Owner
	Since string
	// Contended says that the next apply is refused because of the field, and
	// sets it back only with --force-conflicts.
	Contended bool
}

// Undone reports whether the next apply sets the field back, if need be by
// force.
func (d Drift) Undone() bool { return d.Reason != Kept && d.Reason != OwnedBy }

// Drift lists by path where live has moved since the last apply, and counts the
// fields of the config that have: those wait to be applied. What the API server
// and its controllers note about an object in its metadata is no drift. known
// is false if nothing says what was last applied; of what was applied
// server-side the owners say it.
func (o *Outcome) Drift() (fields []Drift, pending int, known bool) {
	if o.AppliedServerSide() && o.Action != Rejected {
		fields, pending = o.driftByOwners()
		return fields, pending, true
	}
	if o.Live == nil || o.lastApplied == nil || o.Action == Rejected {
		return nil, 0, false
	}
	for _, c := range o.Changes() {
		d := Drift{Change: c}
		d.By, d.Since = writers(o.Before, c.Path)
		switch {
		case c.Reason == Kept && bookkeeping(c.Path, d.By, HasManagers(o.Before)):
		case c.Reason == Kept, o.unmoved(c):
			fields = append(fields, d)
		case c.Reason != Defaulted && c.Reason != Normalised && c.Reason != Dropped, o.inLast(c.Path):
			pending++
		}
	}
	return fields, pending, true
}

// unmoved reports whether the config says of a changed field what was last
// applied.
func (o *Outcome) unmoved(c Change) bool {
	config, ok := c.Path.Find(o.Config.Tree)
	last, ok2 := c.Path.Find(o.lastApplied)
	return ok && ok2 && config != nil && tree.Equal(config, last)
}

func (o *Outcome) inLast(p fieldpath.Path) bool {
	_, ok := p.Find(o.lastApplied)
	return ok
}

// writers are the owners of a field, kubectl apply only if alone, and their
// newest write. An owner of a list or map as a whole owns what lies in it.
func writers(live tree.Object, path fieldpath.Path) (by []Owner, since string) {
	var own []Owner
	for _, entry := range managersOf(live).entries {
		fields := tree.Map(entry, "fieldsV1")
		if !owns(fields, path) && !ownsAround(fields, path) {
			continue
		}
		w := Owner{
			Manager: tree.String(entry, "manager"), Operation: tree.String(entry, "operation"), Subresource: tree.String(entry, "subresource"),
			APIVersion: tree.String(entry, "apiVersion"), Time: tree.String(entry, "time"),
		}
		if w.Manager == applier {
			own = append(own, w)
		} else {
			by = append(by, w)
		}
	}
	if by == nil {
		by = own
	}
	for _, w := range by {
		since = max(since, w.Time)
	}
	return by, since
}

// ownsAround reports whether a set of fields has one that holds the path and is
// owned as a whole.
func ownsAround(fields tree.Object, path fieldpath.Path) bool {
	for _, step := range path {
		next, ok := fields["f:"+step.Field].(map[string]any)
		if !ok {
			return false
		}
		if fields = next; len(fields) == 0 {
			return true
		}
	}
	return false
}

// bookkeeping reports whether a field that only live has is the server's own:
// nobody wrote it, or its controllers did, into the metadata.
func bookkeeping(p fieldpath.Path, by []Owner, recorded bool) bool {
	if len(by) == 0 {
		return recorded
	}
	for _, w := range by {
		if w.Manager != "kube-controller-manager" && w.Manager != "kube-apiserver" && w.Manager != "kube-scheduler" {
			return false
		}
	}
	return strings.HasPrefix(p.String(), "metadata.")
}
