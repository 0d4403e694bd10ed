package source

// flowItems is a List in flow style, such as KYAML.
type flowItems struct{ opening string }

// flowHead returns the offset of the first item.
func flowHead(text string) (first int, ok bool) {
	p := newFlowParser("", 0)
	for end := 0; end < len(text); { // up to the line that it begins on
		n := 0
		for end+n < len(text) && text[end+n] != '\n' {
			n++
		}
		if line := text[end : end+n]; line != "" && line[0] != '#' && line != "---" {
			break
		}
		end += n + 1
		p.pos = end
	}
	p.text = text
	if p.pos >= len(text) {
		return 0, false
	}
	if p.space() == '[' {
		p.pos++
		begins := p.space() == '{'
		return p.pos, begins
	}
	if p.space() != '{' {
		return 0, false
	}
	for ok, more := p.open('}'); ok && more; ok, more = p.next('}') {
		key, isKey := p.key()
		if !isKey {
			return 0, false
		}
		if key == "items" {
			if p.space() != '[' {
				return 0, false
			}
			p.pos++
			begins := p.space() == '{'
			return p.pos, begins
		}
		if _, ok := p.value(nil); !ok {
			return 0, false
		}
	}
	return 0, false
}

func (flowItems) Form() Form { return FormFlow }

func (f flowItems) Guess(text string) int { return guess(text, f.opening) }

func (flowItems) Item(text string, last bool, k *Keep, scratch *Scratch) (e Element, ok bool) {
	p := flowParser{text: text, keys: scratch.start(), scratch: scratch}
	if e.Value, ok = p.value(k); !ok || p.twice {
		return e, false
	}
	e.Length = p.pos
	c := p.space()
	if c == ',' {
		p.pos++
		c = p.space()
		e.More = c == '{'
	}
	if p.pos == len(text) {
		e.Short = true
		return e, true
	}
	e.Gap = p.pos - e.Length
	return e, (e.More || c == ']') && plainText(text[:e.Length+e.Gap])
}

// Tail ends with the object that contains the list, and the rest of its line.
func (flowItems) Tail(text string, last bool) (length int, ok bool) {
	p := newFlowParser(text, 0)
	p.depth = 1
	if p.space() != ']' {
		return 0, false
	}
	p.pos++
	for {
		ok, more := p.next('}')
		if !ok {
			return cut(last)
		}
		if !more {
			break
		}
		if _, ok = p.key(); ok {
			_, ok = p.value(nil)
		}
		if !ok {
			return cut(last)
		}
	}
	return blockItems{}.Tail(text, last)
}
