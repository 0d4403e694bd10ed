package fieldpath

import (
	"strconv"
	"sync"
)

// Finder finds values as Path.Find does, and remembers where the items of long lists
// are, so that each of n paths does not look through n items. The trees must not change
// while it is in use. A nil Finder remembers nothing.
type Finder struct {
	mu    sync.Mutex
	lists map[listKeys]places
}

// listKeys is a list, by its first item and length, and the names of the keys of a step.
type listKeys struct {
	first  *any
	length int
	names  string
}

// places are the first item with each combination of values, by which of the keys the
// items have.
type places map[uint64]map[string]int

// longList is from how many items on a list is worth an index.
const longList = 32

// Find returns the value at the path in a tree, and whether it is there.
func (f *Finder) Find(p Path, v any) (any, bool) {
	if f == nil {
		return p.Find(v)
	}
	for i, s := range p {
		list, _ := v.([]any)
		if s.Keys == nil {
			next, ok := p[i : i+1].Find(v)
			if !ok {
				return nil, false
			}
			v = next
			continue
		}
		at := f.Match(s, list)
		if at < 0 {
			return nil, false
		}
		v = list[at]
	}
	return v, true
}

// Match returns what s.Match(list) does.
func (f *Finder) Match(s Step, list []any) int {
	if f == nil || len(list) < longList {
		return s.Match(list)
	}
	names := ""
	for _, k := range s.Keys {
		if names += strconv.Quote(k.Name); k.Value == nil {
			return s.Match(list) // a missing key counts as null
		}
	}
	key := listKeys{&list[0], len(list), names}
	f.mu.Lock()
	index, ok := f.lists[key]
	if !ok {
		index = s.index(list)
		if f.lists == nil {
			f.lists = map[listKeys]places{}
		}
		f.lists[key] = index
	}
	f.mu.Unlock()
	best, all := -1, uint64(1)<<len(s.Keys)-1
	for has, first := range index {
		at, ok := first[s.values(has)]
		switch {
		case !ok || has == 0:
		case has == all:
			return at
		case best < 0 || at < best:
			best = at
		}
	}
	return best
}

// index finds where the items of a list are.
func (s Step) index(list []any) places {
	index := places{}
	for i, item := range list {
		m, isMap := item.(map[string]any)
		of, has := Step{Keys: make([]Key, len(s.Keys))}, uint64(0)
		for n, k := range s.Keys {
			switch v, ok := m[k.Name]; {
			case k.Name == "":
				of.Keys[n].Value, has = item, has|1<<n
			case ok:
				of.Keys[n].Value, has = v, has|1<<n
			case !isMap:
				has = 0
			}
		}
		if index[has] == nil {
			index[has] = map[string]int{}
		}
		if text := of.values(has); has != 0 {
			if _, ok := index[has][text]; !ok {
				index[has][text] = i
			}
		}
	}
	return index
}

// values are those of the keys whose bits are set.
func (s Step) values(has uint64) (text string) {
	for n, k := range s.Keys {
		if has&(1<<n) != 0 {
			text += strconv.Quote(k.Text())
		}
	}
	return text
}
