package show

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"threeway/merge/explain"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/manifest"
	"threeway/merge/text/phrase"
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

// Titles are the objects of a list, each once, and of many the first: Deployment shop/web, Service
// shop/web and 3 others.
func Titles(objects []string, most int) string {
	var titles []string
	for _, object := range objects {
		titles = append(titles, manifest.Title(object))
	}
	return phrase.Abbreviated(phrase.Distinct(titles), most)
}

// toldBy reports whether a sentence has both values.
func (b Beside) toldBy(text string) bool { return has(text, b.Old) && has(text, b.New) }

// has reports whether a text has a value that is no part of a longer one, but for a unit behind it.
func has(text, value string) bool {
	part := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	for rest := text; ; {
		before, after, found := strings.Cut(rest, value)
		last, _ := utf8.DecodeLastRuneInString(before)
		next, _ := utf8.DecodeRuneInString(after)
		if found && !part(last) && (!part(next) || next == 's') {
			return true
		} else if !found || value == "" {
			return found
		}
		rest = after
	}
}

// changed are the changes of an object, by the paths of the first at and below each path, and
// by their own.
type changed struct {
	list  []explain.Change
	below map[string][]int
	at    map[string]int
}

func newChanged(list []explain.Change) *changed {
	c := &changed{list, map[string][]int{}, map[string]int{}}
	for n, change := range list {
		for depth := 1; depth <= len(change.Path); depth++ {
			if at := change.Path[:depth].String(); len(c.below[at]) < mostBeside {
				c.below[at] = append(c.below[at], n)
			}
		}
		c.at[change.Path.String()] = n
	}
	return c
}

// mostWithin is how many steps a part is named by within its list.
const mostWithin = 8

// inLists are changes, each of a list that is replaced as a whole as those of its parts, unless
// they are many or deep, only the order changes, or both lists fit on a line.
func inLists(list []explain.Change) (parts []explain.Change) {
	for _, c := range list {
		var within []explain.Change
		if _, is := c.New.([]any); is && c.InOld && c.InNew && !short(c) {
			impact.Differences(c.Path, c.Old, c.New, true, true, func(path fieldpath.Path, old, now any, inOld, inNew bool) {
				part := c
				part.Path, part.Old, part.New, part.InOld, part.InNew = slices.Clone(path), old, now, inOld, inNew
				within = append(within, part)
			})
		}
		deep := func(part explain.Change) bool { return len(part.Path) > len(c.Path)+mostWithin }
		if len(within) == 0 || len(within) > mostBeside || slices.ContainsFunc(within, deep) {
			within = []explain.Change{c}
		}
		parts = append(parts, within...)
	}
	return parts
}

// short reports whether a change of a list of scalars is read at a glance.
func short(c explain.Change) bool {
	length := 0
	for _, list := range []any{c.Old, c.New} {
		items, _ := list.([]any)
		for _, item := range items {
			text, is := item.(string)
			if length += len(text); !is || length > longestValue {
				return false
			}
		}
	}
	return true
}

// find are the first changes at and below paths, with the path of each. Of what comes or goes as
// a whole it is the path of the part.
func (c *changed) find(paths []fieldpath.Path) (found []int, at map[int]fieldpath.Path) {
	at = map[int]fieldpath.Path{}
	add := func(n int, path fieldpath.Path) {
		if at[n] == nil {
			at[n], found = path, append(found, n)
		}
	}
	for _, p := range paths {
		for _, n := range c.below[p.String()] {
			add(n, c.list[n].Path)
		}
		for depth := len(p) - 1; depth > 0; depth-- {
			if n, is := c.at[p[:depth].String()]; is && !(c.list[n].InOld && c.list[n].InNew) {
				add(n, p)
			}
		}
	}
	slices.Sort(found)
	return found, at
}

// beside is what changes of an object at and below some of its fields, the first of it.
func (i *Digest) beside(object string, paths ...fieldpath.Path) (list []Beside) {
	changes := i.changesOf(object)
	if changes == nil {
		return nil
	}
	found, at := changes.find(paths)
	for _, n := range found {
		if len(list) == mostBeside {
			break
		}
		b := besideOf(changes.list[n], at[n])
		if b.Old == "" && b.New == "" {
			continue
		}
		list = append(list, b)
	}
	return list
}

// changesOf are the changes of an object, by its name, found once; nil if it is not among those
// that change.
func (i *Digest) changesOf(object string) *changed {
	if i == nil {
		return nil
	}
	o := i.byObject[object]
	if o == nil {
		return nil
	}
	i.mu.Lock()
	changes := i.changed[object]
	i.mu.Unlock()
	if changes == nil {
		changes = newChanged(inLists(i.Changes(o)))
		i.mu.Lock()
		i.changed[object] = changes
		i.mu.Unlock()
	}
	return changes
}

// Said is what is to be said of the objects, with the fields that it is about.
func (s Shared) Said() string {
	var changes []string
	text := s.Text
	if s.On != "" {
		text = strings.TrimSuffix(s.On+": "+text, ": ")
	}
	for _, b := range s.Changes {
		changes = append(changes, b.words())
	}
	switch {
	case changes == nil:
		return text
	case text == "":
		return strings.Join(changes, ", ")
	}
	return text + " (" + strings.Join(changes, ", ") + ")"
}

// Place is where the manifest of an object that changes or is rejected stands; "" of others.
func (i *Digest) Place(object string) (file string, line int) {
	if i == nil {
		return "", 0
	}
	if o := i.byObject[object]; o != nil {
		return o.Manifest.Origin.File, o.Manifest.Origin.Line
	}
	return "", 0
}
