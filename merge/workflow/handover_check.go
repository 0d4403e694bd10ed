package workflow

import (
	"cmp"
	"fmt"
	"slices"

	"threeway/merge"
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/mask"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

// check returns an error for a field that cannot be handed over, and finds the
// keys of the path's list elements.
func (h *planner) check() error {
	o, id := h.Outcome, h.Outcome.Identity()
	if rehearsal.ServerOwned(h.Path) || identifying(h.Path) && h.Path[0].Field == "metadata" {
		return fmt.Errorf("%s is set by the server or identifies the object, so it cannot be handed over", h.Path)
	}
	if h.Path.Equal(fieldpath.New("metadata", "annotations")) {
		return fmt.Errorf("%s includes the last-applied annotation, which belongs to kubectl; hand over a single annotation: metadata.annotations[example.com/name]", h.Path)
	}
	if o.Live == nil {
		return fmt.Errorf("%s is not in the snapshot, so no other manager owns its fields; export it, or apply it first", id)
	}
	if err := h.checkPath(); err != nil {
		return err
	}
	if err := h.checkMethod(); err != nil {
		return err
	}
	if o.Action == rehearsal.Rejected && !o.Rejection.Has(fault.OtherManager) {
		return h.accepted(o)
	}
	value, live := h.Path.Find(o.Before)
	_, inConfig := h.Path.Find(h.config)
	_, inLast := h.Path.Find(h.last)
	switch {
	case !live && (inConfig || inLast):
		return fmt.Errorf("%s: the live object has no %s that another manager could take over; remove it from the manifest, or apply first", id, h.Path)
	case !live:
		return fmt.Errorf("%s: neither the manifest nor the live object has %s; threeway owners prints the paths of fields", id, h.Path)
	}
	only := tree.Map(put(h.minimal(), o.Before, h.Path, h.keys, value)) // in a Secret values are encoded
	if n, _ := mask.Redacted(only); n > 0 {
		return fmt.Errorf("%s: %s is redacted in the snapshot, so whether it stays is unknown; use an export with the value", id, h.Path)
	}
	return nil
}

// checkPath refuses a path to what does not merge on its own.
func (h *planner) checkPath() error {
	h.keys = make([][]string, len(h.Path))
	t := schema.Lookup(h.Outcome.Kind)
	var f *schema.Field
	custom := t == nil
	for i, s := range h.Path {
		whole := h.Path[:i]
		switch {
		case s.IsIndex:
			return fmt.Errorf("%s: [%d] is a position in a list and may change; select the item by its key, like [name=web], or hand over %s as a whole", h.Path, s.Index, whole)
		case s.Keys != nil:
			if h.opts.ServerSide == nil && (custom || f == nil || !f.Merge) || h.opts.ServerSide != nil && !custom && (f == nil || f.ListType != "map" && f.ListType != "set") {
				return fmt.Errorf("%s: the list %s is applied as a whole, so no part of it can belong to another manager; hand over %s", h.Path, whole, whole)
			}
			for _, k := range s.Keys {
				h.keys[i] = append(h.keys[i], k.Name)
			}
			switch {
			case f == nil:
			case h.opts.ServerSide != nil:
				h.keys[i] = append(h.keys[i], f.ListKeys...)
			case f.MergeKey != "":
				h.keys[i] = append(h.keys[i], f.MergeKey)
			}
			slices.Sort(h.keys[i])
			h.keys[i] = slices.Compact(h.keys[i])
			if t != nil {
				t = t.Elem
			}
			f = nil
		default:
			if i > 0 && slices.Contains(h.keys[i-1], s.Field) {
				return fmt.Errorf("%s: %s is the key of the list item; hand over the whole item, %s", h.Path, s.Field, whole)
			}
			if h.opts.ServerSide != nil && i > 0 && (t != nil && t.MapType == "atomic" || f != nil && f.MapType == "atomic") {
				return fmt.Errorf("%s: server-side, %s is owned as a whole; hand over %s", h.Path, whole, whole)
			}
			t, f = t.Child(s.Field)
		}
	}
	return nil
}

// checkMethod refuses an object that is applied the other way.
func (h *planner) checkMethod() error {
	id := h.Outcome.Identity()
	if h.opts.ServerSide == nil {
		switch {
		case owners.Applies(h.Outcome.Before, rehearsal.DefaultManager):
			return fmt.Errorf("%s is applied server-side, by %s; pass --server-side", id, rehearsal.DefaultManager)
		case h.Outcome.Rejection.With(fault.BadRecord) != nil:
			return fmt.Errorf("%s has a last-applied annotation that is not a JSON object, so every client-side apply is rejected; remove it first: %s", id,
				shell.Line("kubectl annotate", kubectlName(h.Outcome.Manifest), shell.Operand(rehearsal.LastAppliedKey+"-")))
		case h.last == nil:
			return fmt.Errorf("%s has no %s annotation, so a client-side apply clears nothing, and it is enough to remove %s from the manifest; if the export dropped annotations pass --last-applied, if you apply server-side pass --server-side", id, rehearsal.LastAppliedKey, h.Path)
		}
		return nil
	}
	switch manager := h.opts.ServerSide.Manager; {
	case !owners.Recorded(h.Outcome.Before):
		return fmt.Errorf("%s has no managedFields, so the owners of its fields are unknown; export it with: %s", id, manifest.ExportManagers(h.Outcome.Identity()))
	case !owners.Applies(h.Outcome.Before, manager):
		return fmt.Errorf("%s has not been applied server-side by %s; apply it once unchanged (threeway diff --server-side --migrate shows what that does) and export it again, or remove --server-side", id, manager)
	}
	return nil
}

// applier is who applies client-side.
func (h *planner) applier() string { return cmp.Or(h.opts.Manager, owners.ClientSideApply) }

// checkRemoval refuses to take a field out of the config that the config cannot
// do without, or that no other writer could change.
func (h *planner) checkRemoval(without tree.Object) error {
	id := h.Outcome.Identity()
	r := merge.NewRehearsal(h.opts)
	if r.CreateRejection(h.Outcome.Kind, h.config) == nil {
		if no := r.CreateRejection(h.Outcome.Kind, without); no != nil {
			return fmt.Errorf("%s: without %s the manifest cannot create the object: %s; keep the field in the manifest", id, h.Path, firstLine(no.Text().String()))
		}
	}
	if _, _, no := h.write(h.live); no.Has(fault.Immutable) {
		return fmt.Errorf("%s: %s cannot be changed once the object exists, by any manager; keep it in the manifest", id, h.Path)
	}
	return nil
}
