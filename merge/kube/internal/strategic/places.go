package strategic

import "threeway/merge/tree"

// places finds the items of a list. For a short list it looks at each item; for
// a long one it uses a map, so that the time to merge lists grows linearly.
type places struct {
	list []any
	key  string
	// at has the first index of each key. If it is nil, look at each item.
	at map[any]int
	// lacking is the first index of an item without the key; -1 if all have it.
	lacking int
}

// placesOf indexes a list by merge key, or, without one, by the items
// themselves.
func placesOf(list []any, mergeKey string) places {
	p := places{list: list, key: mergeKey, lacking: -1}
	if len(list) <= smallSize {
		return p
	}
	p.at = make(map[any]int, len(list))
	for i, v := range list {
		p.note(i, v)
	}
	return p
}

// note adds the item at index i. If the key of an item is not a scalar, the map
// is dropped; looking at each item then finds the error.
func (p *places) note(i int, v any) {
	if p.at == nil {
		return
	}
	if p.key != "" {
		m, ok := v.(map[string]any)
		if !ok {
			p.at = nil
			return
		}
		if v, ok = m[p.key]; !ok {
			if p.lacking < 0 {
				p.lacking = i
			}
			return
		}
	}
	if tree.Compound(v) {
		p.at = nil
		return
	}
	if _, ok := p.at[v]; !ok {
		p.at[v] = i
	}
}

// add appends an item to the list.
func (p *places) add(v any) {
	p.list = append(p.list, v)
	if len(p.list) == smallSize+1 {
		*p = placesOf(p.list, p.key)
		return
	}
	p.note(len(p.list)-1, v)
}

// with is find, using the index.
func (p *places) with(key any) (int, error) {
	if p.at == nil || tree.Compound(key) {
		return find(p.list, p.key, key)
	}
	if i, ok := p.at[key]; ok {
		return i, nil
	}
	return -1, nil
}

// of is indexOf, using the index.
func (p *places) of(v any) int {
	if p.at == nil {
		return indexOf(p.list, v, p.key)
	}
	if p.key != "" {
		m, _ := v.(map[string]any)
		v = m[p.key]
	}
	if tree.Compound(v) {
		return -1
	}
	i, ok := p.at[v]
	if v == nil && p.lacking >= 0 && (!ok || p.lacking < i) {
		return p.lacking
	}
	if !ok {
		return -1
	}
	return i
}
