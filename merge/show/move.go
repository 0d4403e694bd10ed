package show

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"threeway/merge"
	"threeway/merge/applier"
	"threeway/merge/explain"
	"threeway/merge/fieldpath"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
	"threeway/merge/text/phrase"
	"threeway/merge/text/visible"
	"threeway/merge/tree"
	"threeway/merge/workflow"
)

// movedField is what the first run does to a field, as it may be shown.
type movedField struct {
	What       string `json:"what"` // changes, removes or leaves
	Path       string `json:"path"`
	Managers   string `json:"managers,omitempty"`
	Old        any    `json:"old,omitempty"`
	New        any    `json:"new,omitempty"`
	hasO, hasN bool
}

// managed is how many fields of a manager the first run takes over or shares.
type managed struct {
	Manager string `json:"manager"`
	Fields  int    `json:"fields"`
}

// Move writes the steps of a move from one applier to another, with what the first run of
// the new one does to each object.
func Move(w io.Writer, plan *merge.Plan, m *workflow.Move, opts Options) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s\n", opts.paint(Strong, moveTitle(m)))
	for i, s := range m.Steps {
		writeStep(out, i, s, opts)
		if s.Applies {
			writeMoved(out, plan, m, opts)
		}
	}
	if len(m.Left) > 0 {
		fmt.Fprintf(out, "\nIn no manifest, and no longer of any applier:\n\n")
		for _, o := range m.Left {
			fmt.Fprintf(out, "%s\n", o.ID())
		}
	}
	return out.Flush()
}

func moveTitle(m *workflow.Move) string {
	var from []string
	for _, c := range m.From {
		from = append(from, workflow.Named(c))
	}
	if from == nil {
		from = []string{"no applier"}
	}
	return fmt.Sprintf("%s: from %s to %s", phrase.Count(len(m.Objects), "object"), strings.Join(from, " and "), workflow.Named(m.To))
}

// writeMoved writes what the run does to each object.
func writeMoved(out *bufio.Writer, plan *merge.Plan, m *workflow.Move, opts Options) {
	t := table{head: []string{"RUN", "MANAGER", "FIELD: VALUE"}}
	for _, o := range m.Objects {
		b := block{title: opts.paint(Strong, o.Identity().String()) + " " + string(o.Action)}
		for _, f := range movedFields(o, opts) {
			value := either(f.hasO, f.Old)
			if f.What != "leaves" {
				value += " → " + either(f.hasN, f.New)
			}
			b.rows = append(b.rows, tableRow{[]string{f.What, f.Managers}, f.Path, value})
		}
		takes, shares := transfers(o)
		for _, t := range takes {
			b.lines = append(b.lines, fmt.Sprintf("takes over %s of %s", phrase.Count(t.Fields, "field"), visible.Line(t.Manager)))
		}
		for _, t := range shares {
			b.lines = append(b.lines, fmt.Sprintf("shares %s with %s", phrase.Count(t.Fields, "field"), visible.Line(t.Manager)))
		}
		t.blocks = append(t.blocks, b)
	}
	if len(t.blocks) > 0 {
		out.WriteByte('\n')
	}
	t.write(out, opts)
	for _, gone := range plan.Prune.Pruned() {
		fmt.Fprintf(out, "\n%s deleted: %s\n", opts.paint(Removal, gone.Live.ID().String()), gone.Why)
	}
}

// movedFields are the fields that the run changes or removes, and those that former
// managers keep.
func movedFields(o workflow.Moved, opts Options) (fields []movedField) {
	if o.Live == nil || o.Action == rehearsal.Rejected {
		return nil
	}
	v := opts.view(o.Outcome)
	entries := owners.Read(o.Before)
	for _, c := range v.Changes() {
		if c.Reason == explain.Kept || c.Reason == explain.OwnedBy || c.Reason == explain.Dropped || c.Bookkeeping || o.Outcome.Marks(c.Path) || isLastApplied(c) {
			continue
		}
		f := movedField{What: "changes", Path: c.Path.String(), Managers: ownersText(entries, c.Path), Old: c.Old, New: c.New, hasO: c.InOld, hasN: c.InNew}
		if !c.InNew {
			f.What = "removes"
		}
		fields = append(fields, f)
	}
	for _, left := range o.Left {
		path := left.Path
		if !opts.ShowSecrets {
			path = opts.Secrets.Path(o.Manifest.Tree, path)
		}
		f := movedField{What: "leaves", Path: path.String(), Managers: writersText(left.Owners)}
		f.Old, f.hasO = path.Find(v.Result)
		fields = append(fields, f)
	}
	return fields
}

// isLastApplied reports whether a change is of last-applied alone.
func isLastApplied(c explain.Change) bool {
	if len(c.Path) == 2 && c.Path[1].Field == "annotations" {
		all, _ := c.Old.(tree.Object)
		return len(all) == 1 && tree.Has(all, rehearsal.LastAppliedKey)
	}
	return len(c.Path) == 3 && c.Path[2].Field == rehearsal.LastAppliedKey
}

// ownersText are the managers of a field or of what is below it, "" if it has none.
func ownersText(entries []owners.Entry, p fieldpath.Path) string {
	var by []owners.Owner
	for _, e := range entries {
		if e.Owns(p) {
			by = append(by, e.Owner)
		}
	}
	if by == nil {
		return ""
	}
	return writersText(by)
}

// transfers counts, by manager, the fields that the run takes over and those that it
// shares.
func transfers(o workflow.Moved) (takes, shares []managed) {
	add := func(list []managed, name string) []managed {
		for i := range list {
			if list[i].Manager == name {
				list[i].Fields++
				return list
			}
		}
		return append(list, managed{name, 1})
	}
	for _, c := range o.Transfers {
		for _, w := range c.Owners {
			switch {
			case c.Taken:
				takes = add(takes, w.String())
			case !c.Removed:
				shares = add(shares, w.String())
			}
		}
	}
	return takes, shares
}

// MoveSummary is the line at the end, after what is worth knowing.
func MoveSummary(plan *merge.Plan, m *workflow.Move, opts Options) (lines []string) {
	left, changed, removed := 0, 0, 0
	for _, o := range m.Objects {
		for _, f := range movedFields(o, opts) {
			switch f.What {
			case "leaves":
				left++
			case "removes":
				removed++
			default:
				changed++
			}
		}
	}
	if left > 0 {
		lines = append(lines, fmt.Sprintf("note: fields of former managers that stay, and that no later run removes: %d; add them to the manifests, or remove them by hand%s", left, overriding(m)))
	}
	if !slices.ContainsFunc(plan.Outcomes, func(o *rehearsal.Outcome) bool { return o.Action != rehearsal.Rejected }) {
		return append(lines, phrase.Count(len(m.Steps), "step")+"; the first run is rejected; "+Rehearsed(plan))
	}
	return append(lines, fmt.Sprintf("%s; the first run changes %s, removes %d, leaves %d behind, and deletes %s; %s",
		phrase.Count(len(m.Steps), "step"), phrase.Count(changed, "field"), removed, left, phrase.Count(len(plan.Prune.Pruned()), "object"), Rehearsed(plan)))
}

// overriding is what else Flux can do about fields of other managers.
func overriding(m *workflow.Move) string {
	if m.To.Kind != applier.Kustomization {
		return ""
	}
	for _, o := range m.Objects {
		for _, f := range o.Left {
			return "; with --override-manager " + f.Owners[0].Manager + ", which is a flag of kustomize-controller too, Flux removes them"
		}
	}
	return ""
}
