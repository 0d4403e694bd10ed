package promise

import (
	"fmt"
	"iter"
	"slices"

	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// places are where the items of a list are, by what they have: an item of another list is
// looked for only among those that have its keys, or the rarest of its values.
type places struct {
	list []any
	keys []string // nil if the list does not merge
	elem *schema.Type
	used []bool
	rows map[string]*row // nil if the list is short
	all  row
}

// row are places, ascending. Those before from are used.
type row struct {
	at   []int
	from int
}

// short are the places of a list that is walked as a whole for each item.
var short = []int{0, 1, 2, 3, 4, 5, 6, 7}

func placesOf(list []any, keys []string, elem *schema.Type) *places {
	p := &places{list: list, keys: keys, elem: elem, used: make([]bool, len(list))}
	if len(list) <= len(short) {
		p.all.at = short[:len(list)]
		return p
	}
	p.rows = map[string]*row{}
	for i, item := range list {
		p.all.at = append(p.all.at, i)
		if m, keyed := p.keyed(item); keyed {
			p.put(p.id(m), i)
			continue
		}
		leaves("", item, true, func(leaf string) { p.put(leaf, i) })
	}
	return p
}

func (p *places) put(name string, i int) {
	r := p.rows[name]
	if r == nil {
		r = &row{}
		p.rows[name] = r
	}
	r.at = append(r.at, i)
}

// keyed reports whether an item is told apart by keys.
func (p *places) keyed(item any) (m tree.Object, is bool) {
	m, is = item.(tree.Object)
	return m, is && p.keys != nil
}

// id are the keys of an item; "" if it lacks one, which may be any.
func (p *places) id(m tree.Object) string {
	id := "\x00"
	for _, key := range p.keys {
		v := keyOf(m, key, p.elem)
		if v == nil {
			return ""
		}
		id += fmt.Sprintf("%T %q ", v, fmt.Sprint(v))
	}
	return id
}

// step selects an item by its keys, or by its place i if it has none.
func (p *places) step(m tree.Object, i int) (step fieldpath.Step) {
	for _, key := range p.keys {
		if v := keyOf(m, key, p.elem); v != nil {
			step.Keys = append(step.Keys, fieldpath.Key{Name: key, Value: v})
		}
	}
	if step.Keys == nil {
		step.Index, step.IsIndex = i, true
	}
	return step
}

// alike yields the places of the items with the keys of one.
func (p *places) alike(m tree.Object) iter.Seq[int] {
	near := p.all.at
	if p.rows != nil {
		if id := p.id(m); id != "" {
			near = p.at(id)
			if lacking := p.at(""); lacking != nil {
				near = slices.Concat(lacking, near)
				slices.Sort(near)
			}
		}
	}
	return func(yield func(int) bool) {
		for _, i := range near {
			if sameKeys(p.list[i], m, p.keys, p.elem) && !yield(i) {
				return
			}
		}
	}
}

// first is the first item with the keys of one.
func (p *places) first(m tree.Object) (item any, is bool) {
	for i := range p.alike(m) {
		return p.list[i], true
	}
	return nil, false
}

func (p *places) at(name string) []int {
	if r := p.rows[name]; r != nil {
		return r.at
	}
	return nil
}

// count is how many items have the keys of one, all of them: one that lacks a key is alone.
func (p *places) count(m tree.Object) (n int) {
	id := p.id(m)
	switch {
	case id == "":
		return 1
	case p.rows != nil:
		return len(p.at(id))
	}
	for i := range p.alike(m) {
		if p.id(tree.Map(p.list[i])) == id {
			n++
		}
	}
	return n
}

// rarest are the places of those that have the rarest value of an item.
func (p *places) rarest(item any) *row {
	best := &p.all
	if p.rows != nil {
		leaves("", item, false, func(leaf string) {
			switch r := p.rows[leaf]; {
			case r == nil:
				best = &row{}
			case len(r.at) < len(best.at):
				best = r
			}
		})
	}
	return best
}

// take is the place of the item that is the one of the manifest at place i of n, or -1. It
// is used from then on.
func (p *places) take(v sides, i, n int) int {
	j := p.match(v, i, n)
	if j >= 0 {
		p.used[j] = true
	}
	return j
}

func (p *places) match(v sides, i, n int) int {
	has := func(j int) bool { return Covers(p.list[j], v.said) || Covers(p.list[j], v.typed) }
	if m, keyed := p.keyed(v.said); keyed {
		best, again := -1, -1
		for j := range p.alike(m) {
			switch {
			case p.used[j] && Covers(p.list[j], v.said):
				again = j // two equal items may become one
			case p.used[j]:
			case has(j):
				return j
			case best < 0:
				best = j
			}
		}
		return max(best, again)
	}
	rows := []*row{p.rarest(v.said)}
	if _, known := v.typed.(absent); !known {
		rows = append(rows, p.rarest(v.typed))
	}
	first := len(p.list)
	for _, r := range rows {
		for r.from < len(r.at) && p.used[r.at[r.from]] {
			r.from++
		}
		for _, j := range r.at[r.from:] {
			if j >= first {
				break
			}
			if !p.used[j] && has(j) {
				first = j
			}
		}
	}
	if first < len(p.list) {
		return first
	}
	for _, j := range slices.Backward(rows[0].at) {
		if p.used[j] && Covers(p.list[j], v.said) {
			return j // as above
		}
	}
	if p.keys == nil && len(p.list) == n && !p.used[i] {
		return i
	}
	return -1
}

// leaves calls found with the values in a value, and where they are there: without zeros, those
// that covers asks for.
func leaves(at string, v any, zeros bool, found func(string)) {
	switch v := v.(type) {
	case tree.Object:
		for key, x := range v {
			if x != nil && (zeros || !zero(x)) {
				leaves(at+"."+key, x, zeros, found)
			}
		}
	case []any:
		for i, x := range v {
			leaves(fmt.Sprint(at, "[", i, "]"), x, zeros, found)
		}
	default:
		found(fmt.Sprintf("%s %T %v", at, v, v))
	}
}
