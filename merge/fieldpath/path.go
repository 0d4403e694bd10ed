// Package fieldpath has paths of fields in an object, as people write them:
// spec.template.spec.containers[name=web].image.
package fieldpath

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Path is the list of steps from an object's root to a value; an empty Path is
// the root. Paths are values: methods that extend a path copy it, so paths
// built from the same parent never share a step.
type Path []Step

// Step is one step of a Path: a field; or, if Keys is set, the list item with
// these keys; or, if IsIndex is set, the list item at Index.
type Step struct {
	Field   string
	Index   int
	IsIndex bool
	Keys    []Key
}

// Key is one field of a list item and the value it must have. If Name is empty,
// the item itself is a scalar with that value.
type Key struct {
	Name  string
	Value any
}

// New returns the path of nested fields.
func New(fields ...string) Path { return Path(nil).Child(fields...) }

// Child returns p followed by the fields.
func (p Path) Child(fields ...string) Path {
	c := make(Path, len(p), len(p)+len(fields))
	copy(c, p)
	for _, f := range fields {
		c = append(c, Step{Field: f})
	}
	return c
}

// Item returns p followed by the list index i, counted from 0.
func (p Path) Item(i int) Path { return p.append(Step{Index: i, IsIndex: true}) }

// Select returns p followed by the list item whose fields have the values:
// [name=web], [port=80,protocol=TCP].
func (p Path) Select(keys ...Key) Path { return p.append(Step{Keys: keys}) }

// Element returns p followed by the item of a set of scalars: [=value].
func (p Path) Element(value any) Path { return p.Select(Key{Value: value}) }

// Join returns p followed by all steps of q.
func (p Path) Join(q Path) Path { return p.append(q...) }

// Tail is the path within the innermost item of a list; an item itself is named whole.
func (p Path) Tail() Path {
	at := len(p)
	for at > 0 && p[at-1].Field != "" {
		at--
	}
	if at == len(p) {
		return p
	}
	return p[at:]
}

func (p Path) append(steps ...Step) Path {
	c := make(Path, len(p)+len(steps))
	copy(c, p)
	copy(c[len(p):], steps)
	return c
}

// Equal reports whether p and q are the same steps.
func (p Path) Equal(q Path) bool { return len(p) == len(q) && p.HasPrefix(q) }

// Overlaps reports whether one of p and q is the other, or above it.
func (p Path) Overlaps(q Path) bool { return p.HasPrefix(q) || q.HasPrefix(p) }

// HasPrefix reports whether p begins with all steps of q.
func (p Path) HasPrefix(q Path) bool {
	if len(q) > len(p) {
		return false
	}
	for i := range q {
		if !p[i].equal(q[i]) {
			return false
		}
	}
	return true
}

func (s Step) equal(t Step) bool {
	if s.Field != t.Field || s.Index != t.Index || s.IsIndex != t.IsIndex || len(s.Keys) != len(t.Keys) {
		return false
	}
	for i, k := range s.Keys {
		if k.Name != t.Keys[i].Name || k.Text() != t.Keys[i].Text() {
			return false
		}
	}
	return true
}

// String returns the path in the form that Parse reads. Names with dots or
// brackets are bracketed, as field.Path prints the keys of maps.
func (p Path) String() string {
	var b strings.Builder
	for i, s := range p {
		if s.IsIndex || s.Keys != nil || needsBrackets(s.Field) {
			b.WriteByte('[')
			b.WriteString(s.inner())
			b.WriteByte(']')
			continue
		}
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(s.Field)
	}
	return b.String()
}

// String returns the step by itself: image, [0], [name=web].
func (s Step) String() string { return Path{s}.String() }

// inner returns the text between the brackets of a step.
func (s Step) inner() string {
	switch {
	case s.IsIndex:
		return strconv.Itoa(s.Index)
	case s.Keys != nil:
		parts := make([]string, len(s.Keys))
		for i, k := range s.Keys {
			parts[i] = k.Name + "=" + quoted(k.Text())
		}
		return strings.Join(parts, ",")
	case strings.ContainsAny(s.Field, `[]="`) || s.Field == "" || acts(s.Field):
		return strconv.Quote(s.Field)
	}
	return s.Field
}

// quoted quotes a value that would otherwise be read as a quoted one, or not be seen.
func quoted(value string) string {
	if strings.HasPrefix(value, `"`) {
		return strconv.Quote(value)
	}
	return Line(value)
}

// Text returns the value as a path prints it.
func (k Key) Text() string {
	switch v := k.Value.(type) {
	case string:
		return v
	case nil:
		return "null"
	case int64:
		return strconv.FormatInt(v, 10)
	}
	return fmt.Sprint(k.Value)
}

func needsBrackets(name string) bool {
	return name == "" || strings.ContainsAny(name, `.[]="`) || acts(name)
}

// Line is a text on one line, in quotes if some of it, other than tabs, would not be seen.
func Line(text string) string {
	if acts(strings.ReplaceAll(text, "\t", "")) {
		return strconv.Quote(text)
	}
	return text
}

// acts reports whether a text has characters that a terminal or a line does not show.
func acts(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
}
