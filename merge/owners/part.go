package owners

import (
	"slices"
	"strconv"

	smd "sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"threeway/merge/fieldpath"
)

// Part is what an entry owns of one field: the field itself, fields below it,
// both, or nothing (the zero value). A walk through an object uses Parts to
// walk through an entry at the same time.
type Part struct {
	itself bool
	below  *smd.Set
}

// All returns what the entry owns of the object.
func (e Entry) All() Part {
	if e.set == nil {
		return Part{}
	}
	return Part{below: e.set()}
}

// Itself reports whether the field itself is owned.
func (p Part) Itself() bool { return p.itself }

// Whole reports whether the field is owned as a whole: the entry lists nothing
// below it.
func (p Part) Whole() bool { return p.itself && p.below == nil }

// any reports whether anything of the field is owned.
func (p Part) any() bool { return p.itself || p.below != nil && !p.below.Empty() }

// Step returns what is owned one step below. An item of a list may be named by
// some of its keys: then it is the first item that has them.
func (p Part) Step(s fieldpath.Step) Part {
	if p.Whole() {
		return p
	}
	for next := range p.matching(&s) {
		return next
	}
	return Part{}
}

func (p Part) owns(path fieldpath.Path) bool {
	if len(path) == 0 || p.Whole() {
		return p.any()
	}
	for next := range p.matching(&path[0]) {
		if next.owns(path[1:]) {
			return true
		}
	}
	return false
}

// matching yields the parts that a step can mean.
func (p Part) matching(s *fieldpath.Step) func(yield func(Part) bool) {
	return func(yield func(Part) bool) {
		if p.below == nil {
			return
		}
		if s.Keys == nil && !s.IsIndex {
			if next := p.at(smd.PathElement{FieldName: &s.Field}); next.any() {
				yield(next)
			}
			return
		}
		for _, element := range elements(*s) {
			if next := p.at(element); next.any() {
				yield(next)
				return
			}
		}
		if s.Keys == nil || s.Keys[0].Name == "" || !p.byOtherKeys(len(s.Keys)) {
			return
		}
		for element := range p.items() {
			if step, ok := stepOf(element); ok && step.Means(*s) && !yield(p.at(element)) {
				return
			}
		}
	}
}

// at returns what is owned at an element of a path.
func (p Part) at(element smd.PathElement) Part {
	next := Part{itself: p.below.Members.Has(element)}
	if below, ok := p.below.Children.Get(element); ok {
		next.below = below
	}
	return next
}

// items yields the elements that are items of a list of objects, in order.
func (p Part) items() func(yield func(smd.PathElement) bool) {
	return func(yield func(smd.PathElement) bool) {
		for element := range p.below.Members.All() {
			if element.Key != nil && !yield(element) {
				return
			}
		}
		for _, element := range children(p.below) {
			if element.Key != nil && !p.below.Members.Has(element) && !yield(element) {
				return
			}
		}
	}
}

// byOtherKeys reports whether the items of the list have more keys than the
// step names. If not, the step can be looked up directly.
func (p Part) byOtherKeys(n int) bool {
	for element := range p.items() {
		return len(*element.Key) != n
	}
	return false
}

// elements returns the forms of a step to an item in managedFields, if it names all keys
// of an item. In a path that a user typed, a number may be text.
func elements(s fieldpath.Step) []smd.PathElement {
	switch {
	case s.IsIndex:
		return []smd.PathElement{{Index: &s.Index}}
	case len(s.Keys) == 1 && s.Keys[0].Name == "":
		var list []smd.PathElement
		for _, v := range values(s.Keys[0].Value) {
			v := value.NewValueInterface(v)
			list = append(list, smd.PathElement{Value: &v})
		}
		return list
	}
	list := []value.FieldList{nil}
	for _, key := range s.Keys {
		var longer []value.FieldList
		for _, v := range values(key.Value) {
			for _, fields := range list {
				longer = append(longer, append(slices.Clip(fields), value.Field{Name: key.Name, Value: value.NewValueInterface(v)}))
			}
		}
		list = longer
	}
	var elements []smd.PathElement
	for _, fields := range list {
		fields.Sort()
		elements = append(elements, smd.PathElement{Key: &fields})
	}
	return elements
}

// values returns a value and, if its text is a number, that number.
func values(v any) []any {
	if text, ok := v.(string); ok {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return []any{v, n}
		}
	}
	return []any{v}
}
