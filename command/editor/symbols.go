package editor

import (
	"cmp"
	"slices"
	"strconv"

	"threeway/merge/fieldpath"
)

// documentSymbol is an object of the document, or a field below one.
type documentSymbol struct {
	Name      shown            `json:"name"`
	Detail    shown            `json:"detail,omitempty"`
	Kind      int              `json:"kind"`
	Range     span             `json:"range"`
	Selection span             `json:"selectionRange"`
	Children  []documentSymbol `json:"children,omitempty"`
}

// The kinds of symbols.
const (
	symbolClass  = 5
	symbolField  = 8
	symbolObject = 19
)

// symbols are the objects of the document with their fields. Beside a server for YAML
// there are none, since that one has the same.
func (v *view) symbols(atPosition) ([]documentSymbol, error) {
	list := []documentSymbol{}
	if v.settings.BesideYAML {
		return list, nil
	}
	for _, o := range v.objects() {
		whole, ok := v.extent(&o)
		if !ok {
			continue
		}
		s := documentSymbol{Name: shown(o.Kind.Kind + "/" + o.Manifest.Name), Detail: shown(o.Manifest.Namespace), Kind: symbolClass, Range: whole, Selection: span{whole.Start, whole.Start}}
		if at, ok := v.place(&o, fieldpath.New("metadata", "name")); ok {
			s.Selection = span{at, v.lineEnd(at.Line)}
		}
		fields, _ := v.fields(&o)
		slices.SortStableFunc(fields, func(a, b field) int { return a.compare(b.position) })
		s.Children = v.below(fields, 0, whole.End)
		list = append(list, s)
	}
	return list, nil
}

// extent are the lines of an object.
func (v *view) extent(o *object) (all span, ok bool) {
	first, ok := v.line(o.first)
	if !ok {
		return all, false
	}
	last, ok := v.line(o.last)
	return span{position{Line: first}, v.lineEnd(last)}, ok
}

// symbolName is the key of a field, or what tells an item of a list from the others. An
// editor wants one that is not empty.
func symbolName(step fieldpath.Step) shown {
	name := step.Field
	switch {
	case step.IsIndex:
		name = strconv.Itoa(step.Index)
	case len(step.Keys) > 0:
		name = step.Keys[0].Text()
	}
	return shown(cmp.Or(name, `""`))
}

func (v *view) lineEnd(line int) position {
	text := v.row(line)
	return position{line, units(text, len(text))}
}

// below makes symbols of the first fields of a list, in the order of the text, that are
// as deep as its first one, and of what is in them.
func (v *view) below(fields []field, depth int, end position) (list []documentSymbol) {
	for len(fields) > 0 && len(fields[0].Path) > depth {
		f := fields[0]
		n := 1
		for n < len(fields) && fields[n].Path.HasPrefix(f.Path) {
			n++
		}
		until := end
		if n < len(fields) && len(fields[n].Path) > depth && fields[n].Line > f.Line {
			until = v.lineEnd(fields[n].Line - 1)
		} else if n < len(fields) && fields[n].Line == f.Line {
			until = fields[n].position
		}
		s := documentSymbol{Name: symbolName(f.Path[len(f.Path)-1]), Kind: symbolField, Range: span{f.position, until}, Selection: span{f.position, f.position}}
		if n > 1 {
			s.Kind = symbolObject
		}
		s.Children = v.below(fields[1:n], len(f.Path), until)
		list = append(list, s)
		fields = fields[n:]
	}
	return list
}
