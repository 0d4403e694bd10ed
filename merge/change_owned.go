package merge

import (
	"slices"
	"strings"
)

// kept says of a field that a server-side apply leaves alone who owns it.
func (w *walker) kept(c Change) Change {
	others, own := w.managers.others(c.Path, w.applier)
	switch {
	case len(others) == 0 && len(w.managers.entries) == 0:
		c.Explanation = "not in config; without managedFields nobody is known to own it"
	case len(others) == 0:
		c.Explanation = "not in config, and nobody owns it"
	case own:
		c.Reason, c.Owners, c.Explanation = OwnedBy, others, "gone from config, but "+owning(others)+" it too"
	default:
		c.Reason, c.Owners, c.Explanation = OwnedBy, others, "not in config; "+owning(others)+" it"
	}
	return c
}

// reworded explains a change by a server-side apply, which minds owners and not
// last-applied.
func (w *walker) reworded(c Change, s sides) string {
	others, own := w.managers.others(c.Path, w.applier)
	switch {
	case s.config.ok && len(others) > 0:
		return c.Explanation + ", taken from " + strings.Join(others, ", ")
	case s.config.ok:
		return c.Explanation
	case !s.result.ok && own:
		return "applied before, gone from config"
	case !s.result.ok && slices.Contains(others, applier):
		return "applied client-side before, gone from config"
	case s.result.ok && own:
		return "applied before, gone from config; the server sets its default"
	}
	return c.Explanation
}

func owning(managers []string) string {
	if len(managers) == 1 {
		return managers[0] + " owns"
	}
	return strings.Join(managers, ", ") + " own"
}

// conflicts lists the fields for which a server-side apply is refused.
func (o *Outcome) conflicts() []Change {
	if o.Refusal == nil {
		return nil
	}
	var changes []Change
	for _, conflict := range o.Refusal.Conflicts {
		c := Change{Path: conflict.Path, Reason: Conflict, Owners: []string{conflict.Manager},
			Explanation: "config has another value; --force-conflicts takes it, leaving it out of the config keeps it"}
		c.Old, c.InOld = conflict.Path.Find(o.Before)
		c.New, c.InNew = conflict.Path.Find(o.Config.Tree)
		changes = append(changes, c)
	}
	slices.SortStableFunc(changes, func(a, b Change) int { return strings.Compare(a.Path.String(), b.Path.String()) })
	return joined(changes)
}

// joined merges the owners of changes that are next to each other at one path.
func joined(changes []Change) []Change {
	var out []Change
	for _, c := range changes {
		if last := len(out) - 1; last >= 0 && out[last].Path.Equal(c.Path) {
			out[last].Owners = append(out[last].Owners, c.Owners...)
			continue
		}
		out = append(out, c)
	}
	return out
}
