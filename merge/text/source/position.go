package source

import (
	"strconv"
	"strings"

	"threeway/merge/fieldpath"
)

// Find returns where the field at p is: the offset of its key, or of an element
// in a list. If the field is not there found is false, and the offset is that of
// the deepest parent that is. A field that comes from a YAML alias or merge key
// is where its text is. Of a key set twice it is the last one, which counts. In
// a YAML document that is too large for a parser of all YAML it is that of the
// List's item.
func (d *Document) Find(p fieldpath.Path) (offset int, found bool) {
	if len(p) == 0 {
		return d.start(), true
	}
	if d.IsJSON {
		return d.findJSON(p)
	}
	if d.Limit.tooGeneral(len(d.Text)) != nil { // for the parser with positions
		offset, steps := d.itemOffset(p)
		return max(offset, d.start()), steps == len(p)
	}
	if d.searches.Add(1) <= MaxSearches {
		if offset, found, ok := d.findBlock(p); ok {
			return offset, found
		}
	}
	return d.findYAML(p)
}

// source is a value in the text of a document, JSON or YAML.
type source[S any] interface {
	// field returns the field's key and value.
	field(name string) (key, value S, ok bool)
	// item returns an element of a list.
	item(i int) (S, bool)
	// elements calls f with each element of a list until it returns false.
	elements(f func(S) bool)
	// entries are the keys and values of an object, nil if they have to be looked
	// for one by one.
	entries() map[string][2]S
	// identity is something that only this value of the document has.
	identity() any
	// scalar returns the value of a scalar as text.
	scalar() (string, bool)
}

// step takes one step of a path from v. At is where the step's position is,
// next the value it leads to.
func step[S source[S]](v S, s fieldpath.Step) (at, next S, ok bool) {
	switch {
	case s.Keys != nil:
		next, ok = selected(v, s.Keys)
		return next, next, ok
	case s.IsIndex:
		if next, ok = v.item(s.Index); ok {
			return next, next, true
		}
		// The key of a map may be a number.
		return v.field(strconv.Itoa(s.Index))
	}
	return v.field(s.Field)
}

// selected returns the list element that has the keys; if none has all of
// them the first that has some and no other value for the rest, since the
// server defaults keys (a port's protocol).
func selected[S source[S]](list S, keys []fieldpath.Key) (best S, ok bool) {
	list.elements(func(item S) bool {
		has := matching(item, keys)
		if has == len(keys) || has > 0 && !ok {
			best, ok = item, true
		}
		return has < len(keys)
	})
	return best, ok
}

// matching counts the keys that item has, -1 if one has another value.
func matching[S source[S]](item S, keys []fieldpath.Key) (n int) {
	for _, k := range keys {
		value, ok := keyed(item, k)
		if !ok {
			continue
		}
		if text, ok := value.scalar(); !ok || text != k.Text() {
			return -1
		}
		n++
	}
	return n
}

// keyed is the value that a list element has of a key: of one without a name, it
// is the element itself.
func keyed[S source[S]](item S, k fieldpath.Key) (S, bool) {
	if k.Name == "" {
		return item, true
	}
	_, value, ok := item.field(k.Name)
	return value, ok
}

// canonical writes a JSON number as the tree's value prints.
func canonical(number string) string {
	if strings.ContainsAny(number, ".eE") {
		if f, err := strconv.ParseFloat(number, 64); err == nil {
			return strconv.FormatFloat(f, 'g', -1, 64)
		}
	}
	return number
}
