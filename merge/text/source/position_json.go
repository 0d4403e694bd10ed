package source

import (
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/memo"
)

func (d *Document) findJSON(p fieldpath.Path) (offset int, found bool) {
	value := jsonSource{d.Text, 0}
	if items, n := d.itemOffset(p); n > 0 {
		value.offset, p = items, p[n:]
	}
	take := step[jsonSource]
	if d.searches.Add(1) > MaxSearches {
		take = memo.Of(&d.lookups, newLookups[jsonSource]).step
	}
	at := value
	for _, s := range p {
		key, next, ok := take(value, s)
		if !ok {
			return at.offset, false
		}
		at, value = key, next
	}
	return at.offset, true
}

// itemOffset returns the offset of the List item that contains p, and how many
// steps of p lead to it. The offsets of all items are found once, so the last
// of a thousand items is as fast as the first.
func (d *Document) itemOffset(p fieldpath.Path) (offset, steps int) {
	if len(p) < 2 || p[0].Field != "items" || !p[1].IsIndex {
		return 0, 0
	}
	d.itemOnce.Do(func() {
		if !d.IsJSON {
			d.items = d.blockItems()
		} else if _, list, ok := (jsonSource{d.Text, 0}).field("items"); ok {
			list.each(func(item jsonSource) bool {
				d.items = append(d.items, item.offset)
				return true
			})
		}
	})
	if i := p[1].Index; i < len(d.items) {
		return d.items[i], 2
	}
	return 0, 0
}

// jsonSource is a value in well-formed JSON: the one that begins at the offset.
type jsonSource struct {
	text   string
	offset int
}

// each calls f with each item of a list, or each key of an object, until f
// returns false.
func (s jsonSource) each(f func(jsonSource) bool) {
	c := jsonCursor{s.text, s.offset}
	open := c.next()
	if open != '[' && open != '{' {
		return
	}
	c.pos++
	for c.next() != ']' && c.next() != '}' {
		at := jsonSource{s.text, c.pos}
		c.skip()
		if open == '{' {
			c.colon()
			c.skip()
		}
		if !f(at) {
			return
		}
		if c.next() == ',' {
			c.pos++
		}
	}
}

// field returns the last key with the name, which is the one that counts.
func (s jsonSource) field(name string) (key, value jsonSource, ok bool) {
	if s.offset >= len(s.text) || s.text[s.offset] != '{' {
		return key, value, false
	}
	s.each(func(at jsonSource) bool {
		c := jsonCursor{s.text, at.offset}
		c.skip()
		if sameString(s.text[at.offset:c.pos], name) {
			c.colon()
			key, value, ok = at, jsonSource{s.text, c.pos}, true
		}
		return true
	})
	return key, value, ok
}

// sameString reports whether the JSON string has the value.
func sameString(quoted, value string) bool {
	inner := quoted[1 : len(quoted)-1]
	if inner == value {
		return !strings.Contains(inner, `\`)
	}
	if !strings.Contains(inner, `\`) && len(inner) == len(value) {
		return false
	}
	decoded, ok := unescape(inner)
	return ok && decoded == value
}

func (s jsonSource) item(i int) (found jsonSource, ok bool) {
	if s.offset >= len(s.text) || s.text[s.offset] != '[' || i < 0 {
		return found, false
	}
	s.each(func(at jsonSource) bool {
		if i == 0 {
			found, ok = at, true
		}
		i--
		return !ok
	})
	return found, ok
}

func (s jsonSource) elements(f func(jsonSource) bool) {
	if s.offset < len(s.text) && s.text[s.offset] == '[' {
		s.each(f)
	}
}

func (s jsonSource) entries() map[string][2]jsonSource {
	fields := map[string][2]jsonSource{}
	if s.offset >= len(s.text) || s.text[s.offset] != '{' {
		return fields
	}
	s.each(func(key jsonSource) bool {
		c := jsonCursor{s.text, key.offset}
		c.skip()
		if name, ok := unescape(s.text[key.offset+1 : c.pos-1]); ok {
			c.colon()
			fields[name] = [2]jsonSource{key, {s.text, c.pos}} // the last duplicate counts
		}
		return true
	})
	return fields
}

func (s jsonSource) identity() any { return s.offset }

func (s jsonSource) scalar() (string, bool) {
	c := jsonCursor{s.text, s.offset}
	switch c.next() {
	case '{', '[', 0:
		return "", false
	case '"':
		c.skip()
		return unescape(s.text[s.offset+1 : c.pos-1])
	}
	c.skip()
	return canonical(s.text[s.offset:c.pos]), true
}

// jsonCursor moves over well-formed JSON without decoding it.
type jsonCursor struct {
	text string
	pos  int
}

// next moves past white space and returns the character after it, or 0.
func (c *jsonCursor) next() byte {
	p := jsonParser{text: c.text, pos: c.pos}
	b := p.skipSpace()
	c.pos = p.pos
	return b
}

// colon moves past the colon after a key, to the value.
func (c *jsonCursor) colon() {
	c.next()
	c.pos++
	c.next()
}

// skip moves past the value at pos.
func (c *jsonCursor) skip() {
	depth := 0
	for c.pos < len(c.text) {
		switch b := c.text[c.pos]; b {
		case '"':
			c.skipString()
			if depth == 0 {
				return
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				c.pos++
				return
			}
			if depth < 0 {
				return
			}
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return
			}
		}
		c.pos++
	}
}

func (c *jsonCursor) skipString() {
	for c.pos++; c.pos < len(c.text); c.pos++ {
		switch c.text[c.pos] {
		case '\\':
			c.pos++
		case '"':
			c.pos++
			return
		}
	}
}
