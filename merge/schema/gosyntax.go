package schema

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"threeway/merge/tree"
)

// GoSyntax is a value in the syntax of Go, as %#v of package fmt prints it:
// field.Invalid printed that until 1.33. What [Internal] wraps is printed as the
// internal type, other lists and maps as those of strings. Behind a pointer
// there is an address, which is another one in each message.
func GoSyntax(v any) string {
	var b goPrinter
	switch v := v.(type) {
	case internalValue:
		if versioned, internal := twins(v.typ); versioned != nil {
			b.value(internal, versioned, v.tree)
			return b.String()
		}
		return GoSyntax(v.tree)
	case []any:
		b.value(&Type{Form: List, Go: "[]string", Elem: &Type{Form: String}}, &Type{Form: List, Elem: &Type{Form: String}}, v)
	case tree.Object:
		b.value(&Type{Form: Map, Go: "map[string]string", Elem: &Type{Form: String}}, &Type{Form: Map, Elem: &Type{Form: String}}, v)
	default:
		return fmt.Sprintf("%#v", v)
	}
	return b.String()
}

// goPrinter writes trees of versioned types as Go values of internal ones.
type goPrinter struct{ strings.Builder }

const address = "0xc000000000"

func (b *goPrinter) value(internal, versioned *Type, v any) {
	switch internal.Form {
	case Struct:
		v, versioned = unite(versioned, v)
		b.object(internal, versioned, lift(versioned, tree.Map(v)))
	case Map:
		b.entries(internal, versioned, tree.Map(v), v == nil)
	case List:
		b.list(internal, versioned, tree.List(v), v == nil)
	case String:
		b.WriteString(strconv.Quote(tree.String(v)))
	case Bool, Int, Float:
		if v == nil {
			v = map[Form]string{Bool: "false", Int: "0", Float: "0"}[internal.Form]
		}
		fmt.Fprint(b, v)
	default:
		fmt.Fprintf(b, "%s{…}", internal.Go)
	}
}

func (b *goPrinter) object(internal, versioned *Type, m tree.Object) {
	b.WriteString(internal.Go + "{")
	for i := range internal.Fields {
		f := &internal.Fields[i]
		if i > 0 {
			b.WriteString(", ")
		}
		typ, v := counterpart(f, versioned, m)
		b.WriteString(f.Go + ":")
		switch {
		case f.Pointer && v == nil:
			fmt.Fprintf(b, "(*%s)(nil)", f.Type.Go)
		case f.Pointer:
			fmt.Fprintf(b, "(*%s)(%s)", f.Type.Go, address)
		default:
			b.value(f.Type, typ, v)
		}
	}
	b.WriteString("}")
}

func (b *goPrinter) list(internal, versioned *Type, items []any, null bool) {
	if null {
		b.WriteString(internal.Go + "(nil)")
		return
	}
	b.WriteString(internal.Go + "{")
	for i, item := range hoist(versioned.Elem, items) {
		if i > 0 {
			b.WriteString(", ")
		}
		b.value(internal.Elem, versioned.Elem, item)
	}
	b.WriteString("}")
}

func (b *goPrinter) entries(internal, versioned *Type, m tree.Object, null bool) {
	if null {
		b.WriteString(internal.Go + "(nil)")
		return
	}
	b.WriteString(internal.Go + "{")
	for i, key := range slices.Sorted(maps.Keys(m)) {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Quote(key) + ":")
		b.value(internal.Elem, versioned.Elem, m[key])
	}
	b.WriteString("}")
}
