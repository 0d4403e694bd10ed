package source

import (
	"strconv"
	"strings"
	"sync"

	"threeway/merge/fieldpath"
)

// lookups indexes the lists and objects of a document that was searched more
// than MaxSearches times. So the cost of many findings in one list grows with
// the list, not with its square.
type lookups[S source[S]] struct {
	mu    sync.Mutex
	known map[any]*lookup[S] // by identity
}

func newLookups[S source[S]]() *lookups[S] { return &lookups[S]{known: map[any]*lookup[S]{}} }

// lookup is the index of a list or an object.
type lookup[S source[S]] struct {
	items  []S
	fields map[string][2]S // keys and values
	// picks are the first items with given values of given keys: by the names
	// of the keys, and by the text that pick makes of the values.
	picks map[string]map[string]int
}

// step is the function step, using the index.
func (w *lookups[S]) step(v S, s fieldpath.Step) (at, next S, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	known := w.known[v.identity()]
	if known == nil {
		known = &lookup[S]{fields: v.entries()}
		v.elements(func(item S) bool {
			known.items = append(known.items, item)
			return true
		})
		w.known[v.identity()] = known
	}
	switch {
	case s.Keys != nil:
		next, ok = known.selected(s.Keys)
		return next, next, ok
	case s.IsIndex && 0 <= s.Index && s.Index < len(known.items):
		return known.items[s.Index], known.items[s.Index], true
	}
	name := s.Field
	if s.IsIndex {
		name = strconv.Itoa(s.Index)
	}
	if known.fields == nil {
		return v.field(name)
	}
	field, ok := known.fields[name]
	return field[0], field[1], ok
}

// selected is the function selected, using the index.
func (n *lookup[S]) selected(keys []fieldpath.Key) (best S, ok bool) {
	var names strings.Builder
	texts := make([]string, len(keys))
	for i, k := range keys {
		names.WriteString(strconv.Quote(k.Name))
		texts[i] = k.Text()
	}
	all := uint(1)<<len(keys) - 1
	first, have := n.picks[names.String()]
	if !have {
		first = map[string]int{}
		for i, item := range n.items {
			found, has := scalars(item, keys)
			if _, earlier := first[pick(found, has)]; has != 0 && !earlier {
				first[pick(found, has)] = i
			}
		}
		if n.picks == nil {
			n.picks = map[string]map[string]int{}
		}
		n.picks[names.String()] = first
	}
	if i, ok := first[pick(texts, all)]; ok {
		return n.items[i], true
	}
	least := len(n.items)
	for has := uint(1); has < all; has++ {
		if i, ok := first[pick(texts, has)]; ok {
			least = min(least, i)
		}
	}
	if least == len(n.items) {
		return best, false
	}
	return n.items[least], true
}

// scalars returns the values of an item for keys, and, as bits, which of the
// keys it has; nothing if one of the values is not a scalar.
func scalars[S source[S]](item S, keys []fieldpath.Key) (texts []string, has uint) {
	texts = make([]string, len(keys))
	for i, k := range keys {
		value, ok := keyed(item, k)
		if !ok {
			continue
		}
		if texts[i], ok = value.scalar(); !ok {
			return nil, 0
		}
		has |= 1 << i
	}
	return texts, has
}

// pick returns a text that is unique for the values and their keys.
func pick(texts []string, has uint) string {
	var b strings.Builder
	for i, text := range texts {
		if has&(1<<i) != 0 {
			b.WriteString(strconv.Itoa(i) + ":" + strconv.Itoa(len(text)) + ":" + text)
		}
	}
	return b.String()
}
