package show

import (
	"slices"
	"strings"

	"threeway/merge/explain"
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/impact/setting"
	"threeway/merge/rehearsal"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

// Line is one thing that the apply of an object does to what runs.
type Line struct {
	// Text is a clause: replaces 2 pods, 1 at a time.
	Text string
	// Names are the other objects that it concerns, each with how; nil: the text names them.
	Names []string
	// Paths are the fields of the object that do it; nil: it does not come of single fields.
	Paths []fieldpath.Path
}

// String is the line where its fields are not beside it.
func (l Line) String() string {
	switch {
	case l.Names != nil:
		return l.Text + ": " + phrase.Abbreviated(l.Names, 5)
	case l.Paths != nil:
		var paths []string
		for _, p := range l.Paths {
			paths = append(paths, p.String())
		}
		return l.Text + " (" + phrase.Abbreviated(paths, 3) + ")"
	}
	return l.Text
}

// Row is a field that changes, with what that does.
type Row struct {
	Beside
	// Does are the texts of the lines about the field.
	Does []string
}

// String is the row on one line: image: shop/web:1.4.0 → 1.5.0.
func (r Row) String() string {
	if _, now := r.tags(); now != "" {
		r.New = now
	}
	return r.said()
}

// Alike is the row as other objects share it: of an image whose repository stays, the tags alone.
func (r Row) Alike() string {
	if was, now := r.tags(); was != "" && now != "" {
		r.Old, r.New = was, now
	}
	return r.said()
}

// Tells reports whether the row is of an image or has a consequence: what a reader looks for.
func (r Row) Tells() bool { return r.Field == "image" || r.Does != nil }

func (r Row) said() string {
	text := r.words()
	if r.Does != nil {
		text += ": " + strings.Join(r.Does, "; ")
	}
	return text
}

// tags are those of an image whose repository stays, or its digests; "" for none, and for other
// fields.
func (r Row) tags() (was, now string) {
	repository := setting.Repository(r.New)
	if r.Field != "image" || setting.Repository(r.Old) != repository {
		return "", ""
	}
	return strings.TrimLeft(r.Old[len(repository):], ":@"), strings.TrimLeft(r.New[len(repository):], ":@")
}

// ofOneContainer reports whether all changes in containers are in the same one.
func ofOneContainer(changes []explain.Change) bool {
	containers := map[string]bool{}
	for _, c := range changes {
		if at := containerOf(c.Path); at > 0 {
			containers[c.Path[:at].String()] = true
		}
	}
	return len(containers) <= 1
}

// containerOf is how many steps of a path lead to a container, 0 if it is in none.
func containerOf(path fieldpath.Path) int {
	for i := range len(path) - 1 {
		switch path[i].Field {
		case "containers", "initContainers", "ephemeralContainers":
			return i + 2
		}
	}
	return 0
}

// label is a field as it is named below its object: from the innermost list on, from the outermost
// if that has no keys, and without the container if the others do not change.
func label(path fieldpath.Path, alone bool) string {
	at := len(path)
	for at > 0 && path[at-1].Field != "" {
		at--
	}
	if at == 0 || alone && at == containerOf(path) && at < len(path) {
		return path[at:].String()
	}
	for at > 0 && path[at-1].Field == "" {
		at--
	}
	if path[at].IsIndex { // which tells nothing without the lists around it
		for outer := range at {
			if path[outer].Field == "" {
				at = outer
				break
			}
		}
	}
	return path[max(at-1, 0):].String()
}

// Told is what a report says besides of each object: the fields that its findings are about, and
// what a plan does that is dangerous. The zero value is nothing.
type Told struct {
	// fields are those of which a finding says what their change does, and found those of all.
	fields, found map[string]*fieldpath.Set
	texts         map[[2]string]bool
	// says are the messages of the findings about each object.
	says map[string][]string
}

// Add adds what findings are about. A whole spec is about nothing in particular.
func (t *Told) Add(list ...impact.Affected) {
	if t.fields == nil {
		t.fields, t.found, t.says = map[string]*fieldpath.Set{}, map[string]*fieldpath.Set{}, map[string][]string{}
	}
	for _, a := range list {
		if len(a.Path) == 0 || len(a.Path) == 1 && a.Path[0].Field == "spec" {
			continue
		}
		addField(t.found, a)
		t.says[a.Object] = append(t.says[a.Object], a.Says)
		if a.Does {
			addField(t.fields, a)
		}
	}
}

func addField(to map[string]*fieldpath.Set, a impact.Affected) {
	f := to[a.Object]
	if f == nil {
		f = &fieldpath.Set{}
		to[a.Object] = f
	}
	paths := append([]fieldpath.Path{a.Path}, a.Also...)
	if a.Path[0].Field == "stringData" { // which the server stores in data
		paths = append(paths, fieldpath.New("data").Join(a.Path[1:]))
	}
	for _, path := range paths {
		f.Add(path, fieldpath.Path.String)
		f.Add(path, loose)
	}
}

// Say adds a text about objects.
func (t *Told) Say(text string, objects []string) {
	if t.texts == nil {
		t.texts = map[[2]string]bool{}
	}
	for _, object := range objects {
		t.texts[[2]string{object, text}] = true
	}
}

// Covers reports whether findings say what the change of all of some fields of an object does; of
// none it is false.
func (t Told) Covers(object string, paths []fieldpath.Path) bool {
	return covers(t.fields[object], paths)
}

// Says reports whether a finding at one of some fields of an object says a clause, which is then
// said of all of them.
func (t Told) Says(object, clause string, paths []fieldpath.Path) bool {
	return slices.ContainsFunc(t.says[object], func(s string) bool { return strings.HasSuffix(s, "; "+clause) }) &&
		slices.ContainsFunc(paths, func(p fieldpath.Path) bool { return covers(t.found[object], []fieldpath.Path{p}) })
}

func covers(found *fieldpath.Set, paths []fieldpath.Path) bool {
	return found != nil && len(paths) > 0 && !slices.ContainsFunc(paths, func(p fieldpath.Path) bool { return !overlaps(found, p) })
}

// overlaps reports whether a path is one of some, above or below one. An item of a list may be named by
// its key in one and by its index in the other.
func overlaps(found *fieldpath.Set, p fieldpath.Path) bool {
	return found.Overlaps(p, fieldpath.Path.String) || found.Overlaps(p, otherwise)
}

// loose is a path with each item of a list as what names it, its key or its index, and otherwise
// with the other of both.
func loose(p fieldpath.Path) string     { return spelled(p, "key", "index") }
func otherwise(p fieldpath.Path) string { return spelled(p, "index", "key") }

func spelled(p fieldpath.Path, key, index string) string {
	var b strings.Builder
	for _, step := range p {
		switch {
		case step.IsIndex:
			b.WriteString("/" + index)
		case step.Keys != nil:
			b.WriteString("/" + key)
		default:
			b.WriteString("." + step.Field)
		}
	}
	return b.String()
}

// Has reports whether a line about an object is told: by its fields or by its text, alone or at the end
// of a message.
func (t Told) Has(object string, l Line) bool {
	return t.Covers(object, l.Paths) || t.texts[[2]string{object, l.Text}] ||
		slices.ContainsFunc(t.says[object], func(s string) bool { return strings.HasSuffix(s, ": "+l.Text) || strings.HasSuffix(s, "; "+l.Text) })
}

// Rows are the fields of an object, by its name, that an apply changes, each with those of some
// lines that are about it, and the lines that are about none.
func (i *Digest) Rows(object string, lines []Line) (rows []Row, rest []Line) {
	changes := i.changesOf(object)
	if changes == nil {
		return nil, lines
	}
	rows = rowsOf(changes.list)
	for _, l := range lines {
		if found, _ := changes.find(l.Paths); len(found) > 0 && l.Names == nil {
			rows[found[0]].Does = append(rows[found[0]].Does, l.Text)
		} else {
			rest = append(rest, l)
		}
	}
	return joined(rows), rest
}

// joined makes one of the rows with the same values before and after, as where several fields name an object.
func joined(rows []Row) (list []Row) {
	at := map[string]int{}
	for _, r := range rows {
		key := strings.Join(append([]string{r.Old, r.New}, r.Does...), "\x00")
		if n, known := at[key]; known && r.Old != "" && r.New != "" {
			list[n].Field += ", " + r.Field
			continue
		}
		at[key], list = len(list), append(list, r)
	}
	return list
}

// rowsOf are the rows of changes, in their order.
func rowsOf(changes []explain.Change) []Row {
	rows := make([]Row, len(changes))
	alone := ofOneContainer(changes)
	for i, c := range changes {
		rows[i].Beside = besideOf(c, c.Path)
		rows[i].Field = label(c.Path, alone)
	}
	return rows
}

// asked says which fields the manifest of a rejected object changes of what was applied last, but
// for those that the rejection is about; "" if there are none, or nothing was applied.
func (i *Digest) asked(o *rehearsal.Outcome) string {
	if o.Live == nil || o.Rejection == nil {
		return ""
	}
	rows := i.since(o, o.Live.Tree, func(c explain.Change) bool {
		return slices.ContainsFunc(o.Faults(), func(f fault.Fault) bool { return about(f, c) })
	})
	if rows == nil {
		return ""
	}
	return "not applied because of it: " + phrase.Abbreviated(rows, mostBeside)
}

// since are the fields that a manifest changes of what was applied last to a live object, without some;
// none if nothing was.
func (i *Digest) since(o *rehearsal.Outcome, live tree.Object, without func(explain.Change) bool) (rows []string) {
	last, _, err := rehearsal.ReadLastApplied(live)
	if err == nil && last == nil && !tree.Has(live, "metadata", "uid") { // a manifest of the base
		last = rehearsal.Plain(live, i.facts.Plan.Minor)
	}
	if last == nil {
		return nil
	}
	as := &rehearsal.Outcome{Kind: o.Kind, Manifest: o.Manifest, By: o.By, Action: rehearsal.Configured}
	as.Before, as.Result = last, rehearsal.Plain(o.Manifest.Tree, i.facts.Plan.Minor)
	changes := slices.DeleteFunc(inLists(i.Changes(as)), without)
	for _, row := range joined(rowsOf(changes)) {
		rows = append(rows, row.String())
	}
	return rows
}

// about reports whether a fault is in a field that changes, or in one beside a field that is gone,
// which it may be meant for.
func about(f fault.Fault, c explain.Change) bool {
	return len(f.Path) > 0 && (c.Path.Overlaps(f.Path) || !c.InNew && len(c.Path) == len(f.Path) && c.Path[:len(c.Path)-1].Equal(f.Path[:len(f.Path)-1]))
}

// besideOf is a change at a field that it is about: its own, or one in what comes or goes as a
// whole.
func besideOf(c explain.Change, path fieldpath.Path) Beside {
	b := Beside{Field: path.Tail().String()}
	old, inOld := path[len(c.Path):].Find(c.Old)
	now, inNew := path[len(c.Path):].Find(c.New)
	switch inOld, inNew = inOld && c.InOld, inNew && c.InNew; {
	case inOld && inNew:
		b.Old, b.New = apart(true, old, true, now)
	case inOld:
		b.Old = shown(old)
	case inNew && c.Reason == explain.Defaulted && rehearsal.Chosen(path.Tail().String()) && path.Tail().String() != "clusterIPs": // which follow from clusterIP
		b.New = "(the server chooses)"
	case inNew:
		b.New = shown(now)
	}
	return b
}
