package rules

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/explain"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/impact/setting"
	"threeway/merge/owners"
	"threeway/merge/promise"
	"threeway/merge/rehearsal"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
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

// count is how many settings go the way of the worst.
func (d departure) count() (n int) {
	for _, s := range d.settings {
		if s.falls == d.falls() {
			n++
		}
	}
	return n
}

// departures are the settings that have left an object's manifest, in the order of the
// table of settings, and where they are in the list.
type departures struct {
	list []departure
	// at has the root of each, under its text; settings has what lies at the path of a
	// setting or above it: true at the path itself.
	at       map[string]int
	settings map[string]bool
}

// departuresOf finds the departures of an object. Several rules ask for them.
func departuresOf(p *lint.Pass, o *lint.Object) departures {
	return lint.Shared(o, func() departures { return findDepartures(p, o) })
}

func findDepartures(p *lint.Pass, o *lint.Object) departures {
	all := departures{at: map[string]int{}, settings: map[string]bool{}}
	if o.Action != rehearsal.Configured || o.Before == nil {
		return all
	}
	type keys struct { // of a map in which the same setting is any of them
		setting *setting.Setting
		parent  string
	}
	besides := map[keys]int{}
	for _, s := range setting.Of(o.Kind) {
		for _, found := range s.Pattern.Find(o.Before) {
			lost, ok := lose(o, s, found)
			if !ok || p.Impact().SamePods(o.Outcome, lost.path) {
				continue
			}
			root := narrow(o, firstAbsent(o, o.Manifest.Tree, lost.path), lost.path)
			at, has := all.at[root.String()]
			if other, is := besides[keys{lost.Setting, lost.path[:len(lost.path)-1].String()}]; is && (!has || other < at) {
				at, has = other, true
			}
			if !has {
				at = len(all.list)
				all.list, all.at[root.String()] = append(all.list, departure{root: root}), at
				key := keys{lost.Setting, root[:len(root)-1].String()}
				if _, is := besides[key]; !is {
					besides[key] = at
				}
			}
			all.list[at].settings = append(all.list[at].settings, lost)
			for n := range lost.path {
				all.settings[lost.path[:n+1].String()] = all.settings[lost.path[:n+1].String()] || n == len(lost.path)-1
			}
		}
	}
	for _, d := range all.list {
		slices.SortStableFunc(d.settings, func(a, b lostSetting) int { return cmp.Compare(b.Weight, a.Weight) })
	}
	return all
}

// above reports whether the root of a departure is the path or above it.
func (all departures) above(path fieldpath.Path, is func(departure) bool) bool {
	if len(all.list) == 0 {
		return false
	}
	for n := range path {
		if at, has := all.at[path[:n+1].String()]; has && is(all.list[at]) {
			return true
		}
	}
	return false
}

// narrow follows a path that has left the manifest to the one field that was
// there, as long as there was only one.
func narrow(o *lint.Object, root, path fieldpath.Path) fieldpath.Path {
	for len(root) < len(path) {
		was, ok := o.Find(root, o.LastApplied())
		if fields := tree.Map(was); !ok || len(fields) != 1 || path[len(root)].Keys != nil {
			break
		}
		root = path[: len(root)+1 : len(root)+1]
	}
	return root
}

// lose reports whether a setting, found in the live object, has left the
// manifest and changes by that.
func lose(o *lint.Object, s setting.Placed, found fieldpath.Path) (lostSetting, bool) {
	path := o.Keyed(found, o.Before)
	lost := lostSetting{Setting: s.Setting, path: path}
	lost.from, _ = o.Find(found, o.Before)
	lost.to, lost.falls = o.Find(path, o.Result)
	if !s.Applies(lost.from, lost.to, lost.falls) || dropsToOne(o, path) || filledIn(o, path) || impact.MeansSame(o.Outcome, path) {
		return lost, false
	}
	_, inManifest := o.Find(path, o.Manifest.Tree)
	_, kept := o.Find(s.Pattern.Kept(path), o.Manifest.Tree)
	if inManifest || !kept || !sameItems(o, path) || s.Pattern.Key() && rewritten(o, path[:len(path)-1]) {
		return lost, false
	}
	if s.Replaced(o.Manifest.Tree, o.Result) {
		return lost, false
	}
	return lost, o.ServerSide != nil || leftConfig(o, path) != nil
}

// rewritten reports whether a map has keys in the manifest that the live object
// lacks: then a key has another name and is not just gone.
func rewritten(o *lint.Object, path fieldpath.Path) bool {
	live, _ := o.Find(path, o.Before)
	config, _ := o.Find(path, o.Manifest.Tree)
	for key := range tree.Map(config) {
		if !tree.Has(live, key) {
			return true
		}
	}
	return false
}

// sameItems reports whether the items of lists that a path leads through by
// number are in the manifest what they are in the live object, less some fields.
func sameItems(o *lint.Object, path fieldpath.Path) bool {
	for n, step := range path {
		if !step.IsIndex || n == len(path)-1 {
			continue
		}
		live, _ := o.Find(path[:n], o.Before)
		config, _ := o.Find(path[:n], o.Manifest.Tree)
		last, applied := o.Find(path[:n], o.LastApplied())
		if len(tree.List(live)) != len(tree.List(config)) || applied && len(tree.List(live)) != len(tree.List(last)) {
			return false
		}
		if !promise.Covers(tree.List(live)[step.Index], tree.List(config)[step.Index]) {
			return false
		}
	}
	return true
}

// severity is that of a setting that leaves the manifest.
func severity(w setting.Weight) lint.Severity {
	if w.Grave() {
		return lint.Error
	}
	return lint.Warning
}

// report says what a departure does, with the changes that others made in it since.
func (d departure) report(o *lint.Object, since []explain.Change) lint.Report {
	worst := d.settings[0]
	does := worst.Effect
	if change := d.change(worst); change != "clears it" {
		does = "apply " + change + "; " + does
	}
	r := lint.Report{
		Path: d.root, LivePath: worst.path, Severity: severity(worst.Weight), Count: d.count(),
		Message: fmt.Sprintf("%s is %s the manifest: %s", d.root, d.absent(o), does),
		Fix:     d.keep(o),
	}
	for _, s := range d.settings[1:] {
		if !s.path.Equal(worst.path) { // one of two items alike
			r.Notes = append(r.Notes, fmt.Sprintf("apply %s; %s", d.change(s), s.Effect))
		}
	}
	for _, c := range since {
		who := otherOwners(o, c.Path)
		if who == nil {
			who = []string{"another manager"}
		}
		r.Notes = append(r.Notes, strings.Join(who, ", ")+" has set "+c.Path.String()+" since the last apply")
	}
	if v, ok := d.value(o); ok {
		r.Suggested = []edit.Edit{d.restored(o, v)}
	}
	return r
}

// absent is "removed from", or "not in" where no manifest had it: a server-side apply
// also removes what the server added to an earlier client-side one.
func (d departure) absent(o *lint.Object) string {
	if last := o.LastApplied(); last == nil || o.Has(d.root, last) || slices.ContainsFunc(o.OwnersOf(d.root), owners.Entry.Applies) {
		return "removed from"
	}
	return "not in"
}

// restored is the edit that puts back what has left.
func (d departure) restored(o *lint.Object, v any) edit.Edit {
	n := len(d.root) - 1
	if list, _ := o.Find(d.root[:n], o.Manifest.Tree); d.root[n].Keys == nil {
		return edit.Set(d.root, v)
	} else if len(tree.List(list)) == 0 {
		return edit.Set(d.root[:n], []any{v})
	}
	return edit.Append(d.root[:n], v)
}

// change says what becomes of a setting.
func (d departure) change(s lostSetting) string {
	name := "it"
	switch {
	case !s.path.HasPrefix(d.root):
		name = s.path.String()
	case len(s.path) > len(d.root):
		name = fieldpath.Path(s.path[len(d.root):]).String()
	}
	from, to := lint.Contrast(s.from, s.to)
	switch {
	case s.falls:
		return fmt.Sprintf("resets %s from %s to the default %s", name, from, to)
	case short(s.from):
		return fmt.Sprintf("clears %s (%s)", name, lint.Value(s.from))
	}
	return "clears " + name
}

// keep tells how to keep what is lost, and, of one field that gets another
// value, how to say that it is meant.
func (d departure) keep(o *lint.Object) string {
	v, _ := d.value(o)
	verb := "restore "
	if d.absent(o) == "not in" {
		verb = "add "
	}
	fix := asTyped(d.root, v)
	switch s := d.settings[0]; {
	case fix == "" && verb == "add ":
		return fmt.Sprintf("add %s to the manifest, as the live object has it", d.root)
	case fix == "":
		return fmt.Sprintf("restore %s in the manifest", d.root)
	case s.falls && s.path.Equal(d.root):
		fix += fmt.Sprintf("; if you want the default, write '%s: %s'", flow(d.root[len(d.root)-1].Field), flow(s.to))
	}
	return verb + fix
}

// asTyped is a field with its value as it is typed, and where: 'replicas: 6' under spec; "" if it
// is no field of a map, or the value too long for a sentence.
func asTyped(path fieldpath.Path, v any) string {
	last, parent := path[len(path)-1], path[:len(path)-1].String()
	if last.Keys != nil || last.IsIndex || !short(v) {
		return ""
	}
	text := fmt.Sprintf("'%s: %s'", flow(last.Field), flow(v))
	if parent != "" {
		text += " under " + parent
	}
	return text
}

// short reports whether a value is worth a place in a sentence.
func short(v any) bool { return len(flow(v)) <= 60 }

var plain = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9./-]*$`)

// flow writes a value as YAML on one line.
func flow(v any) string {
	switch v := v.(type) {
	case string:
		if word := strings.ToLower(v); plain.MatchString(v) && !slices.Contains([]string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}, word) {
			return v
		}
	case map[string]any:
		var fields []string
		for _, key := range tree.Keys(v) {
			fields = append(fields, flow(key)+": "+flow(v[key]))
		}
		return "{" + strings.Join(fields, ", ") + "}"
	case []any:
		var items []string
		for _, item := range v {
			items = append(items, flow(item))
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}

// value is what would keep the live object as it is: what was applied last, if
// the live object still has that, else what is live.
func (d departure) value(o *lint.Object) (any, bool) {
	live, ok := o.Find(d.root, o.Before)
	if last, applied := o.Find(d.root, o.LastApplied()); applied && promise.Covers(live, last) {
		return last, true
	}
	return live, ok
}

// reportDepartures reports what falls back to a default, or what is cleared.
func reportDepartures(p *lint.Pass, falls bool) {
	for o := range p.Accepted() {
		gone := departuresOf(p, o).list
		if gone == nil {
			continue
		}
		since := map[string][]explain.Change{} // by the paths of the fields and of all above them
		for _, c := range o.Changes() {
			if _, _, tells := overwrites(p, o, c); tells && leftConfig(o, c.Path) != nil {
				for n := range c.Path {
					since[c.Path[:n+1].String()] = append(since[c.Path[:n+1].String()], c)
				}
			}
		}
		for _, d := range gone {
			if d.falls() == falls && !clearedAlong(o, d, since) {
				p.Report(o, d.report(o, since[d.root.String()]))
			}
		}
	}
}

// outweighs reports whether a departure is worse than that a change made in the cluster is lost with
// it: a setting stops to protect, or the live object still has what was applied.
func (d departure) outweighs(o *lint.Object) bool {
	worst := d.settings[0]
	last, applied := o.Find(worst.path, o.LastApplied())
	return worst.Weight.Grave() || applied && promise.Covers(worst.from, last)
}

// clearedAlong reports whether reverts-live-change says it: it knows who has set
// the field since.
func clearedAlong(o *lint.Object, d departure, since map[string][]explain.Change) bool {
	if d.outweighs(o) || o.ServerSide != nil {
		return false
	}
	for n := range d.root {
		if slices.ContainsFunc(since[d.root[:n+1].String()], func(c explain.Change) bool { return n+1 == len(d.root) || len(c.Path) == n+1 }) {
			return true
		}
	}
	return false
}

// departsIn reports whether a setting at or below a path has left the manifest.
func departsIn(p *lint.Pass, o *lint.Object, path fieldpath.Path) bool {
	all := departuresOf(p, o)
	_, is := all.settings[path.String()]
	return is
}

// outweighed reports whether a change is told as a departure that is worse.
func outweighed(p *lint.Pass, o *lint.Object, path fieldpath.Path) bool {
	return departuresOf(p, o).above(path, func(d departure) bool { return d.outweighs(o) })
}

// departed reports whether a change of a field is told as the departure of a
// setting from the manifest.
func departed(p *lint.Pass, o *lint.Object, path fieldpath.Path) bool {
	all := departuresOf(p, o)
	return all.settings[path.String()] || all.above(path, func(departure) bool { return true })
}
