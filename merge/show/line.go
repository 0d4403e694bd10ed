package show

import (
	"slices"
	"strings"

	"threeway/merge/explain"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/text/phrase"
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

// about reports whether the line is about a field, what is below it, or what it is a part of.
func (l Line) about(path fieldpath.Path) bool {
	return l.Names == nil && slices.ContainsFunc(l.Paths, path.Overlaps)
}

// Row is a field that changes, with what that does.
type Row struct {
	Beside
	// Does are the texts of the lines about the field.
	Does []string
}

// String is the row on one line: image: shop/web:1.4.0 → 1.5.0.
func (r Row) String() string {
	was, _, _ := cutImage(r.Old)
	now, tag, tagged := cutImage(r.New)
	if r.Field == "image" && tagged && was == now {
		r.New = tag[1:]
	}
	text := r.words()
	if r.Does != nil {
		text += ": " + strings.Join(r.Does, "; ")
	}
	return text
}

// Alike is the row as other objects share it: of an image whose repository stays, the tags alone.
func (r Row) Alike() string {
	was, before, tagged := cutImage(r.Old)
	now, after, tags := cutImage(r.New)
	if r.Field == "image" && tagged && tags && was == now {
		r.Old, r.New = before[1:], after[1:]
	}
	return r.String()
}

// cutImage cuts an image before its tag or digest.
func cutImage(image string) (repository, tag string, ok bool) {
	at := strings.LastIndexAny(image, ":@")
	if at < 0 || strings.Contains(image[at:], "/") {
		return image, "", false
	}
	return image[:at], image[at:], true
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

// label is a field as it is named below its object: from the innermost list on, and without the
// container if the others do not change.
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
	return path[max(at-1, 0):].String()
}

// Told is what a report says besides of each object: the fields that its findings are about, and
// what a plan does that is dangerous. The zero value is nothing.
type Told struct {
	// fields are those of which a finding says what their change does, and found those of all.
	fields, found map[string][]fieldpath.Path
	texts         map[[2]string]bool
}

// Add adds what findings are about. A whole spec is about nothing in particular.
func (t *Told) Add(list ...impact.Affected) {
	if t.fields == nil {
		t.fields, t.found = map[string][]fieldpath.Path{}, map[string][]fieldpath.Path{}
	}
	for _, a := range list {
		if len(a.Path) == 0 || len(a.Path) == 1 && a.Path[0].Field == "spec" {
			continue
		}
		t.found[a.Object] = append(t.found[a.Object], a.Path)
		if a.Does {
			t.fields[a.Object] = append(t.fields[a.Object], a.Path)
		}
	}
}

// Say adds the causes of dangers.
func (t *Told) Say(dangers []Danger) {
	if t.texts == nil {
		t.texts = map[[2]string]bool{}
	}
	for _, d := range dangers {
		if d.Level == Fine { // which reports do not list
			continue
		}
		for _, s := range d.Shared {
			for _, object := range s.Objects {
				t.texts[[2]string{object, s.Text}] = true
			}
		}
	}
}

// Covers reports whether findings say what the change of all of some fields of an object does; of
// none it is false.
func (t Told) Covers(object string, paths []fieldpath.Path) bool {
	return covers(t.fields[object], paths)
}

func covers(found, paths []fieldpath.Path) bool {
	return len(paths) > 0 && !slices.ContainsFunc(paths, func(p fieldpath.Path) bool {
		return !slices.ContainsFunc(found, func(q fieldpath.Path) bool { return overlap(p, q) })
	})
}

// Has reports whether a line about an object is told.
func (t Told) Has(object string, l Line) bool {
	return t.Covers(object, l.Paths) || t.texts[[2]string{object, l.Text}]
}

// overlap is Overlaps where an item of a list may be named by its key in one path and by its
// index in the other.
func overlap(p, q fieldpath.Path) bool {
	for n := range min(len(p), len(q)) {
		if item := func(s fieldpath.Step) bool { return s.IsIndex || s.Keys != nil }; item(p[n]) && item(q[n]) && p[n].IsIndex != q[n].IsIndex {
			continue
		}
		if !p[n : n+1].Equal(q[n : n+1]) {
			return false
		}
	}
	return true
}

// Rows are the fields of an object, by its name, that an apply changes, each with those of some
// lines that are about it, and the lines that are about none.
func (i *Digest) Rows(object string, lines []Line) (rows []Row, rest []Line) {
	said := make([]bool, len(lines))
	if changes := i.changesOf(object); changes != nil {
		alone := ofOneContainer(changes.list)
		for _, c := range changes.list {
			row := Row{Beside: besideOf(c, c.Path)}
			row.Field = label(c.Path, alone)
			for n, l := range lines {
				if l.about(c.Path) {
					if !said[n] {
						row.Does = append(row.Does, l.Text)
					}
					said[n] = true
				}
			}
			rows = append(rows, row)
		}
	}
	for n, l := range lines {
		if !said[n] {
			rest = append(rest, l)
		}
	}
	return rows, rest
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
	case inNew:
		b.New = shown(now)
	}
	return b
}
