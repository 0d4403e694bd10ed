package schema

import (
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// table is the part of the archive that has been read so far. When the lock is
// released, each type in it is complete, with all types it refers to.
type table struct {
	mu     sync.Mutex
	loaded map[string]bool   // entries
	source map[string]string // lines by full type name
	types  map[string]*Type  // by full name; basic types by their word
}

var tables = sync.OnceValue(newTable)

func newTable() *table {
	return &table{loaded: map[string]bool{}, source: map[string]string{}, types: map[string]*Type{}}
}

// named returns the type with the full name, or nil.
func (t *table) named(name string) *Type {
	pkg, _, ok := strings.Cut(name, ".")
	if !ok {
		return nil
	}
	if typ, ok := t.types[name]; ok {
		return typ
	}
	t.load(entryOf(pkg))
	source, ok := t.source[name]
	if !ok {
		return nil
	}
	typ := &Type{Name: name, Go: name[strings.LastIndexByte(name, '/')+1:]}
	t.types[name] = typ
	head, rest, _ := strings.Cut(source, "\n")
	head, underlying, ok := strings.Cut(head, " ")
	if strings.HasSuffix(head, "!") {
		typ.MapType = "atomic"
	}
	if ok {
		like, _ := t.parse(pkg, underlying)
		typ.Form, typ.Elem, typ.ElemPointer, typ.Fields = like.Form, like.Elem, like.ElemPointer, like.Fields
		typ.index()
		return typ
	}
	typ.Fields = make([]Field, 0, strings.Count(rest, "\n"))
	for line := range strings.Lines(rest) {
		typ.Fields = append(typ.Fields, t.field(pkg, line[1:len(line)-1]))
	}
	typ.index()
	return typ
}

// field parses the line of a field.
func (t *table) field(pkg, line string) Field {
	var f Field
	line, f.Default, _ = strings.Cut(line, " =")
	name, line, _ := strings.Cut(line, " ")
	typ, flags, _ := strings.Cut(line, " ")
	var tagged bool
	if f.Go, f.Name, tagged = strings.Cut(name, "="); !tagged {
		f.Name = f.Go
		if !strings.HasPrefix(pkg, "internal/") {
			f.Name = jsonName(f.Go)
		}
	}
	f.Type, f.Pointer = t.parse(pkg, typ)
	for flag := range strings.FieldsSeq(flags) {
		if embedded, ok := strings.CutPrefix(flag, "e"); ok {
			typ, _ := t.parse(pkg, embedded)
			f.Embedded = typ.Go
			continue
		}
		f.set(flag[0], flag[1:])
	}
	return f
}

// set sets a flag; archive.go lists the flags.
func (f *Field) set(flag byte, value string) {
	switch flag {
	case 'o':
		f.OmitEmpty = true
	case 'z':
		f.OmitZero = true
	case 'q':
		f.required.is = true
		since, until, _ := strings.Cut(value, "-")
		f.required.Since, _ = strconv.Atoi(since)
		f.required.Until, _ = strconv.Atoi(until)
	case 'm':
		f.Merge, f.MergeKey = true, value
	case 'k':
		f.RetainKeys = true
	case 'r':
		f.Replace = true
	case 'a':
		f.ListType = "atomic"
	case 's':
		f.ListType = "set"
	case 'l':
		f.ListType, f.ListKeys = "map", strings.Split(value, ",")
	case '!':
		f.MapType = "atomic"
	case '>':
		f.Since, _ = strconv.Atoi(value)
	case '~':
		f.Gated = true
		f.On, _ = strconv.Atoi(value)
	case '<':
		f.Until, _ = strconv.Atoi(value)
	}
}

// parse returns the type for text in a package, and whether it is a pointer.
func (t *table) parse(pkg, text string) (typ *Type, pointer bool) {
	if rest, ok := strings.CutPrefix(text, "*"); ok {
		typ, _ = t.parse(pkg, rest)
		return typ, true
	}
	form, prefix := List, "[]"
	rest, ok := strings.CutPrefix(text, prefix)
	if !ok {
		var key string
		if key, rest, ok = strings.Cut(text, "]"); ok {
			k, _ := t.parse(pkg, strings.TrimPrefix(key, "map["))
			form, prefix = Map, "map["+k.Go+"]"
		}
	}
	if ok {
		typ = &Type{Form: form}
		typ.Elem, typ.ElemPointer = t.parse(pkg, rest)
		if typ.ElemPointer {
			prefix += "*"
		}
		typ.Go = prefix + typ.Elem.Go
		return typ, false
	}
	switch {
	case strings.Contains(text, "."):
		return t.named(text), false
	case text[0] >= 'A' && text[0] <= 'Z':
		return t.named(pkg + "." + text), false
	}
	return t.basic(text), false
}

// forms has the words of the tables that are no integer.
var forms = map[string]Form{
	"string": String, "bool": Bool, "float64": Float, "float32": Float, "bytes": Bytes, "quantity": Quantity, "intorstring": IntOrString,
	"time": Time, "microtime": MicroTime, "duration": Duration, "any": Any,
	"schemaorbool": SchemaOrBool, "schemaorarray": SchemaOrArray, "schemaorstrings": SchemaOrStrings,
}

// basic returns the type of a lower-case word: Go's basic types, and the types
// that encode themselves, which lines such as "Time time" name.
func (t *table) basic(word string) *Type {
	if typ, ok := t.types[word]; ok {
		return typ
	}
	typ := &Type{Go: word}
	t.types[word] = typ
	form, ok := forms[word]
	if !ok {
		form = Int
	}
	typ.Form = form
	switch form {
	case Bytes:
		typ.Go = "[]uint8"
	case SchemaOrBool, SchemaOrArray, SchemaOrStrings:
		typ.Elem = t.named("apiextensions/v1.JSONSchemaProps")
	}
	return typ
}

// jsonName returns the usual JSON name of a Go field: with the first word in
// lower case, which may be an initialism, as in DNSPolicy.
func jsonName(name string) string {
	for i, c := range name {
		if !unicode.IsUpper(c) {
			if i > 1 {
				i--
			}
			return strings.ToLower(name[:i]) + name[i:]
		}
	}
	return strings.ToLower(name)
}
