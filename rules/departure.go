package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge"
	"threeway/merge/edit"
	"threeway/merge/fieldpath"
	"threeway/merge/tree"
	"threeway/rules/setting"
)

// departure is a field, or all of a map or list item, that has left the
// manifest, with the settings in it that the apply changes.
type departure struct {
	root     fieldpath.Path
	settings []lostSetting // the worst first
}

// lostSetting is a setting that has left the manifest and what becomes of it.
type lostSetting struct {
	*setting.Setting
	path     fieldpath.Path
	from, to any
	falls    bool // the server gives it another value: to
}

// falls reports whether the worst that happens is that a setting gets another
// value, not that it has none.
func (d departure) falls() bool { return d.settings[0].falls }

// departures finds the settings that have left an object's manifest, in the
// order of the table of settings.
func departures(p *lint.Pass, o *lint.Object) []departure {
	if o.Action != merge.Configured || o.Before == nil {
		return nil
	}
	var list []departure
	for _, s := range setting.Of(o.Kind) {
		for _, found := range s.Pattern.Find(o.Before) {
			lost, ok := lose(p, o, s, found)
			if !ok {
				continue
			}
			root := firstAbsent(o.Config.Tree, lost.path)
			at := slices.IndexFunc(list, func(d departure) bool { return d.root.Equal(root) })
			if at < 0 {
				at = len(list)
				list = append(list, departure{root: root})
			}
			list[at].settings = append(list[at].settings, lost)
		}
	}
	for _, d := range list {
		slices.SortStableFunc(d.settings, func(a, b lostSetting) int { return cmp.Compare(b.Severity, a.Severity) })
	}
	return list
}

// lose reports whether a setting, found in the live object, has left the
// manifest and changes by that.
func lose(p *lint.Pass, o *lint.Object, s setting.Placed, found fieldpath.Path) (lostSetting, bool) {
	path := o.Keyed(found, o.Before)
	lost := lostSetting{Setting: s.Setting, path: path}
	lost.from, _ = found.Find(o.Before)
	lost.to, lost.falls = path.Find(o.Result)
	if !s.Applies(lost.from, lost.to, lost.falls) || dropsToOne(o, path) || filledIn(o, path) {
		return lost, false
	}
	_, inManifest := path.Find(o.Config.Tree)
	_, kept := s.Pattern.Kept(path).Find(o.Config.Tree)
	if inManifest || !kept || !sameItems(o, path) {
		return lost, false
	}
	return lost, p.Options.ServerSide != nil || leftConfig(o, path)
}

// sameItems reports whether the items of lists that a path leads through by
// number are in the manifest what they are in the live object, less some fields.
func sameItems(o *lint.Object, path fieldpath.Path) bool {
	for n, step := range path {
		if !step.IsIndex || n == len(path)-1 {
			continue
		}
		live, _ := path[:n].Find(o.Before)
		config, _ := path[:n].Find(o.Config.Tree)
		last, applied := path[:n].Find(o.LastApplied())
		if len(tree.List(live)) != len(tree.List(config)) || applied && len(tree.List(live)) != len(tree.List(last)) {
			return false
		}
		if !covers(tree.List(live)[step.Index], tree.List(config)[step.Index]) {
			return false
		}
	}
	return true
}

// report says what a departure does.
func (d departure) report(o *lint.Object) lint.Report {
	worst := d.settings[0]
	r := lint.Report{
		Path: d.root, LivePath: worst.path, Severity: worst.Severity,
		Message: fmt.Sprintf("%s is removed from the manifest: apply %s; %s", d.root, d.change(worst), worst.Effect),
		Fix:     d.keep(o),
	}
	for _, s := range d.settings[1:] {
		r.Notes = append(r.Notes, fmt.Sprintf("apply %s; %s", d.change(s), s.Effect))
	}
	if v, ok := d.value(o); ok {
		r.Suggested = []edit.Edit{edit.Set(d.root, v)}
	}
	return r
}

// change says what becomes of a setting.
func (d departure) change(s lostSetting) string {
	name := "it"
	if rest := s.path[len(d.root):]; len(rest) > 0 {
		name = fieldpath.Path(rest).String()
	}
	if !s.falls {
		return fmt.Sprintf("clears %s (%s)", name, lint.Value(s.from))
	}
	from, to := lint.Contrast(s.from, s.to)
	return fmt.Sprintf("resets %s from %s to the default %s", name, from, to)
}

// keep tells how to keep what is lost, and, of one field that gets another
// value, how to say that it is meant.
func (d departure) keep(o *lint.Object) string {
	parent := d.root[:len(d.root)-1].String()
	if parent == "" {
		parent = "the root"
	}
	v, _ := d.value(o)
	if last := d.root[len(d.root)-1]; last.Keys == nil && !compound(v) {
		fix := fmt.Sprintf("keep '%s: %s' under %s", fieldName(last), lint.Value(v), parent)
		if s := d.settings[0]; s.falls && s.path.Equal(d.root) {
			fix += fmt.Sprintf("; or write '%s: %s' there if the change is meant", fieldName(last), lint.Value(s.to))
		}
		return fix
	}
	return fmt.Sprintf("keep %s in the manifest, as the last apply had it", d.root)
}

// fieldName is the key of a field as a manifest has it.
func fieldName(s fieldpath.Step) string {
	if strings.ContainsAny(s.Field, ": #") {
		return fmt.Sprintf("%q", s.Field)
	}
	return s.Field
}

func compound(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}

// value is what would keep the live object as it is: what was applied last, if
// the live object still has that, else what is live.
func (d departure) value(o *lint.Object) (any, bool) {
	live, ok := d.root.Find(o.Before)
	if last, applied := d.root.Find(o.LastApplied()); applied && covers(live, last) {
		return last, true
	}
	return live, ok
}

// reportDepartures reports what falls back to a default, or what is cleared.
func reportDepartures(p *lint.Pass, falls bool) {
	for o := range p.Accepted() {
		for _, d := range departures(p, o) {
			if d.falls() == falls && !clearedAlong(p, o, d) {
				p.Report(o, d.report(o))
			}
		}
	}
}

// clearedAlong reports whether clears-live-change says it: it knows who has set
// the field since. A setting that stops to protect is worse than that.
func clearedAlong(p *lint.Pass, o *lint.Object, d departure) bool {
	return d.settings[0].Severity < lint.Error && p.Options.ServerSide == nil &&
		slices.ContainsFunc(o.Changes(), func(c merge.Change) bool {
			return (c.Path.HasPrefix(d.root) || d.root.HasPrefix(c.Path)) && takenAlong(o, c) != nil
		})
}

// stopsProtecting reports whether a change is told as a departure that is an
// error.
func stopsProtecting(p *lint.Pass, o *lint.Object, path fieldpath.Path) bool {
	return slices.ContainsFunc(departures(p, o), func(d departure) bool {
		return d.settings[0].Severity == lint.Error && path.HasPrefix(d.root)
	})
}
