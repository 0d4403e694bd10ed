package show

import (
	"slices"
	"strings"

	"threeway/merge/fieldpath"
)

// mostBeside is how many fields stand beside what is said of objects.
const mostBeside = 3

// Beside is a field with the values that an apply takes and gives, as text; empty is none.
type Beside struct {
	Field string `json:"field"`
	Old   string `json:"old,omitempty"`
	New   string `json:"new,omitempty"`
}

// words are the change as text.
func (b Beside) words() string {
	switch {
	case b.Old == "":
		return b.Field + ": + " + b.New
	case b.New == "":
		return b.Field + ": − " + b.Old
	}
	return b.Field + ": " + b.Old + " → " + b.New
}

// beside is what changes of an object at and below some of its fields, the first of it.
func (i *Digest) beside(object string, paths ...fieldpath.Path) (list []Beside) {
	o := i.byObject[object]
	if o == nil {
		return nil
	}
	for _, c := range i.Changes(o) {
		path := c.Path
		if !slices.ContainsFunc(paths, func(p fieldpath.Path) bool {
			if len(p) > len(path) && p.HasPrefix(path) && !(c.InOld && c.InNew) {
				path = p // of what comes or goes as a whole, the part
			}
			return len(p) > 0 && path.HasPrefix(p)
		}) {
			continue
		}
		if len(list) == mostBeside {
			break
		}
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
		default:
			continue
		}
		list = append(list, b)
	}
	return list
}

// Said is what is to be said of the objects, with the fields that it is about.
func (s Shared) Said() string {
	var changes []string
	for _, b := range s.Changes {
		changes = append(changes, b.words())
	}
	switch {
	case changes == nil:
		return s.Text
	case s.Text == "":
		return strings.Join(changes, ", ")
	}
	return s.Text + " (" + strings.Join(changes, ", ") + ")"
}

// Place is where the manifest of an object that changes or is rejected stands; "" of others.
func (i *Digest) Place(object string) (file string, line int) {
	if o := i.byObject[object]; o != nil {
		return o.Manifest.Origin.File, o.Manifest.Origin.Line
	}
	return "", 0
}
