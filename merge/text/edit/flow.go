package edit

import (
	"errors"
	"strings"

	"go.yaml.in/yaml/v3"
)

// changeFlow changes the entries of an object or list in flow style.
func (d *document) changeFlow(n *yaml.Node, t *todo) error {
	if _, err := d.end(n); err != nil {
		return err // a pair in a list may have no brackets
	}
	if err := d.exchange(n, t); err != nil {
		return err
	}
	list := entries(n)
	for _, run := range t.runs(len(list)) {
		start, end, err := d.flowRange(n, list, run)
		if err != nil {
			return err
		}
		if err := d.swap(start, end, "", n); err != nil {
			return err
		}
	}
	for _, ins := range t.inserted {
		if err := d.insertFlow(n, list, ins); err != nil {
			return err
		}
	}
	if len(t.appended) > 0 {
		return d.appendFlow(n, list, t.appended)
	}
	return nil
}

// appendFlow adds items after the last one of a list, each on its own line if
// the last one is.
func (d *document) appendFlow(n *yaml.Node, list []entry, values []any) error {
	last := list[len(list)-1]
	start, err := d.entryStart(n, list, last.index)
	if err != nil {
		return err
	}
	end, err := d.entryEnd(last)
	if err != nil {
		return err
	}
	w, text := d.writer(n), ""
	indent := d.text[d.lineStart(start):start]
	for _, v := range values {
		switch {
		case strings.TrimLeft(indent, " \t") != "":
			text += ", " + w.flow(v)
		case w.json:
			text += ",\n" + indent + encode(v, indent, strings.TrimPrefix(indent, d.margin(n)))
		default:
			text += ",\n" + indent + w.flow(v)
		}
	}
	d.put(end, end, text)
	return nil
}

// flowRange returns the range to remove with entries: it includes the comma
// before them or, for the first entries, everything up to the next one.
func (d *document) flowRange(n *yaml.Node, list []entry, run [2]int) (start, end int, err error) {
	if end, err = d.entryEnd(list[run[1]]); err != nil {
		return 0, 0, err
	}
	switch {
	case run[0] > 0:
		start, err = d.entryEnd(list[run[0]-1])
		return start, end, err
	case run[1]+1 < len(list):
		if start, err = d.entryStart(n, list, 0); err == nil {
			end, err = d.entryStart(n, list, run[1]+1)
		}
		return start, end, err
	}
	if end, err = d.end(n); err != nil {
		return 0, 0, err
	}
	return d.start(n) + 1, end - 1, nil
}

// insertFlow inserts a key after its neighbour, or in front, with the spacing
// of the others.
func (d *document) insertFlow(n *yaml.Node, list []entry, ins insertion) error {
	w := d.writer(n)
	if len(list) == 0 {
		end, err := d.end(n)
		if err != nil {
			return err
		}
		d.put(d.start(n)+1, end-1, w.pair(ins.key, ins.value, ": "))
		return nil
	}
	after := d.neighbour(n, list, ins.key)
	gap, colon, err := d.spacing(n, list, max(after, 0))
	if err != nil {
		return err
	}
	text := w.pair(ins.key, ins.value, colon)
	if strings.Contains(gap, "\n") {
		text = w.spread(ins.key, ins.value, colon, gap[strings.LastIndexByte(gap, '\n')+1:], d.margin(n))
	}
	if after < 0 {
		at := d.start(list[0].key)
		d.put(at, at, text+","+gap)
		return nil
	}
	at, err := d.entryEnd(list[after])
	if err != nil {
		return err
	}
	d.put(at, at, ","+gap+text)
	return nil
}

// margin is the indentation of the line that a node begins on.
func (d *document) margin(n *yaml.Node) string {
	line := d.text[d.lineStart(d.start(n)):]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// spacing returns the text before an entry, and the text between its key and
// value.
func (d *document) spacing(n *yaml.Node, list []entry, i int) (gap, colon string, err error) {
	colon, err = d.colon(list[i])
	if err != nil {
		return "", "", err
	}
	if i == 0 && len(list) > 1 {
		i = 1
	}
	from := d.start(n) + 1
	if i > 0 {
		if from, err = d.entryEnd(list[i-1]); err != nil {
			return "", "", err
		}
	}
	between := strings.TrimLeft(d.text[from:d.start(list[i].key)], " ")
	gap = strings.TrimPrefix(between, ",")
	switch {
	case strings.TrimSpace(gap) != "":
		return "", "", errors.New("a comment stands where the field would be put")
	case i == 0 && !strings.Contains(gap, "\n"):
		gap = strings.TrimPrefix(colon, ":") // {"a":1} is written without blanks
	}
	return gap, colon, nil
}

// colon is the colon after an entry's key with the blanks around it.
func (d *document) colon(e entry) (string, error) {
	if leftOut(e.value) {
		return ": ", nil
	}
	end, err := d.end(e.key)
	if err != nil {
		return "", err
	}
	if colon := d.text[end:d.start(e.value)]; strings.Trim(colon, " ") == ":" {
		return colon, nil
	}
	return ": ", nil
}
