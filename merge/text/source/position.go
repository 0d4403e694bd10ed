package source

import (
	"strconv"
	"strings"

	"threeway/merge/fieldpath"
)

// Find returns the position of the field at p: the offset of its key, or of a
// list item. If the field does not exist, found is false, and the offset is
// that of its nearest existing parent. The position of a field from a YAML
// alias or merge key is that of its text. Of duplicate keys the last one
// counts. In a YAML document that is too large for the general parser, the
// position is that of the List's item.
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
	// item returns an item of a list.
	item(i int) (S, bool)
	// elements calls f with each item of a list until f returns false.
	elements(f func(S) bool)
	// entries returns the keys and values of an object; nil if they must be
	// searched one by one.
	entries() map[string][2]S
	// identity returns something that is unique for this value in the document.
	identity() any
	// scalar returns the value of a scalar as text.
	scalar() (string, bool)
}

// step takes one step of a path from v. at is the position of the step, next
// the value that it leads to.
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

// selected returns the list item that has all the keys; otherwise the first
// that has some of them and no value for the others, because the server
// defaults keys (a port's protocol).
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

// matching counts the keys that item has; -1 if a key has another value.
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

// keyed returns the value of a key in a list item; for a key without a name,
// the item itself.
func keyed[S source[S]](item S, k fieldpath.Key) (S, bool) {
	if k.Name == "" {
		return item, true
	}
	_, value, ok := item.field(k.Name)
	return value, ok
}

// canonical returns a JSON number as the value in the tree is printed.
func canonical(number string) string {
	if strings.ContainsAny(number, ".eE") {
		if f, err := strconv.ParseFloat(number, 64); err == nil {
			return strconv.FormatFloat(f, 'g', -1, 64)
		}
	}
	return number
}
