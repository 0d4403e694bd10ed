package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// typ is a named type. A struct has fields, any other type an underlying one.
type typ struct {
	name         string // "core/v1.PodSpec"
	underlying   string // "" of structs; a type in full names, or one of the forms
	atomic       bool
	fields       []*field
	since, until int
}

// field is a field of a struct, as encoding/json sees it.
type field struct {
	name, json, typ     string
	omitEmpty, omitZero bool
	required            span     // by the swagger documents
	patch               []string // merge, retainKeys, replace
	mergeKey            string
	listType            string
	listKeys            []string
	atomic              bool
	def                 string   // JSON text
	gates               []string // feature gates that it needs, in some release
	gated, never        bool     // a server drops it before minor on, or always
	on                  int
	embedded            string // the struct that the field is in, in an internal type that embeds it
	since, until        int
}

// forms are the types with an encoding of their own, and the words that the
// tables have for them.
var forms = map[string]string{
	"resource.Quantity":                             "quantity",
	"intstr.IntOrString":                            "intorstring",
	"meta/v1.Time":                                  "time",
	"meta/v1.MicroTime":                             "microtime",
	"meta/v1.Duration":                              "duration",
	"meta/v1.FieldsV1":                              "any",
	"runtime.RawExtension":                          "any",
	"runtime.Object":                                "any",
	"apiextensions/v1.JSON":                         "any",
	"internal/apiextensions.JSON":                   "any",
	"apiextensions/v1.JSONSchemaPropsOrBool":        "schemaorbool",
	"apiextensions/v1.JSONSchemaPropsOrArray":       "schemaorarray",
	"apiextensions/v1.JSONSchemaPropsOrStringArray": "schemaorstrings",
}

// read returns the named type as this release has it, nil if it has not.
func (r *release) read(name string) (*typ, error) {
	if form, ok := forms[name]; ok {
		return &typ{name: name, underlying: form}, nil
	}
	d, err := r.lookup(name)
	if d == nil || err != nil {
		return nil, err
	}
	t := &typ{name: name, atomic: isAtomic(d.markers)}
	if st, ok := d.spec.Type.(*ast.StructType); ok {
		t.fields, err = r.fields(d, st)
	} else {
		t.underlying, err = r.typeName(d, d.spec.Type)
	}
	if err != nil {
		return nil, fmt.Errorf("type %s: %w", name, err)
	}
	return t, nil
}

func isAtomic(markers []string) bool {
	return slices.Contains(markers, "structType=atomic") || slices.Contains(markers, "mapType=atomic")
}

// fields flattens a struct's fields.
func (r *release) fields(d *decl, st *ast.StructType) ([]*field, error) {
	var all []*field
	for _, f := range st.Fields.List {
		tag := tagOf(f)
		name, options, _ := strings.Cut(tag.Get("json"), ",")
		typ, err := r.typeName(d, f.Type)
		if err != nil {
			return nil, err
		}
		switch {
		case name == "-":
		case typ == "meta/v1.TypeMeta" && strings.HasPrefix(d.pkg.short, "internal/"):
			// Decoding leaves it empty, so that it is never printed.
		case len(f.Names) == 0 && name == "":
			embedded, err := r.read(strings.TrimPrefix(typ, "*"))
			if err != nil || embedded == nil {
				return nil, fmt.Errorf("embedded %s: not found: %w", typ, err)
			}
			for _, f := range embedded.fields {
				if f.embedded != "" {
					return nil, fmt.Errorf("embedded %s: it embeds %s itself", typ, f.embedded)
				}
				if strings.HasPrefix(d.pkg.short, "internal/") {
					f.embedded = typ
				}
			}
			all = append(all, embedded.fields...)
		default:
			one := &field{name: typ[strings.LastIndexByte(typ, '.')+1:], json: name, typ: typ}
			if len(f.Names) > 0 {
				one.name = f.Names[0].Name
			}
			if !ast.IsExported(one.name) {
				continue
			}
			if name == "" {
				one.json = one.name
			}
			one.omitEmpty = slices.Contains(strings.Split(options, ","), "omitempty")
			one.omitZero = slices.Contains(strings.Split(options, ","), "omitzero")
			if err := one.mark(d, tag, markersOf(f.Doc)); err != nil {
				return nil, err
			}
			all = append(all, one)
		}
	}
	return all, nil
}

func tagOf(f *ast.Field) reflect.StructTag {
	if f.Tag == nil {
		return ""
	}
	return reflect.StructTag(strings.Trim(f.Tag.Value, "`"))
}

// mark takes the patch tags and the markers of a field.
func (f *field) mark(d *decl, tag reflect.StructTag, markers []string) error {
	f.mergeKey = tag.Get("patchMergeKey")
	if patch := tag.Get("patchStrategy"); patch != "" {
		f.patch = strings.Split(patch, ",")
	}
	f.atomic = isAtomic(markers)
	f.listKeys = marker(markers, "listMapKey")
	if listType := marker(markers, "listType"); len(listType) > 0 {
		f.listType = listType[0]
	}
	f.gates = strings.FieldsFunc(strings.Join(marker(markers, "featureGate"), ","), func(c rune) bool { return c == ',' })
	def := marker(markers, "default")
	if len(def) == 0 {
		return nil
	}
	f.def = def[0]
	if ref, ok := strings.CutPrefix(f.def, "ref("); ok {
		value, ok := d.pkg.consts[strings.TrimSuffix(ref, ")")]
		if !ok {
			return fmt.Errorf("field %s: default %s: no such constant", f.name, f.def)
		}
		f.def = strconv.Quote(value)
	}
	if !json.Valid([]byte(f.def)) {
		return fmt.Errorf("field %s: default %s: not JSON", f.name, f.def)
	}
	return nil
}

// typeName spells a type expression in full names.
func (r *release) typeName(d *decl, e ast.Expr) (string, error) {
	switch e := e.(type) {
	case *ast.StarExpr:
		return r.compose("*", d, e.X)
	case *ast.ArrayType:
		if id, ok := e.Elt.(*ast.Ident); ok && (id.Name == "byte" || id.Name == "uint8") {
			return "bytes", nil
		}
		return r.compose("[]", d, e.Elt)
	case *ast.MapType:
		key, err := r.typeName(d, e.Key)
		if err != nil {
			return "", err
		}
		return r.compose("map["+key+"]", d, e.Value)
	case *ast.InterfaceType:
		return "any", nil
	case *ast.Ident:
		if !e.IsExported() {
			return e.Name, nil
		}
		return r.resolve(d.pkg.short + "." + e.Name)
	case *ast.SelectorExpr:
		from := e.X.(*ast.Ident).Name
		target, ok := d.imports[from]
		if !ok {
			return "", fmt.Errorf("package %s: not imported", from)
		}
		return r.resolve(short(target) + "." + e.Sel.Name)
	}
	return "", fmt.Errorf("type expression %T: unknown", e)
}

func (r *release) compose(prefix string, d *decl, e ast.Expr) (string, error) {
	name, err := r.typeName(d, e)
	return prefix + name, err
}

// resolve follows type aliases.
func (r *release) resolve(name string) (string, error) {
	d, err := r.lookup(name)
	if err != nil || d == nil || !d.spec.Assign.IsValid() {
		return name, err
	}
	return r.typeName(d, d.spec.Type)
}

// named returns the full names in a type.
func named(typ string) []string {
	var names []string
	for _, word := range strings.FieldsFunc(typ, func(c rune) bool { return strings.ContainsRune("*[]", c) }) {
		if strings.Contains(word, ".") {
			names = append(names, word)
		}
	}
	return names
}
