package schema

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

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
		b.minor = v.minor
		if versioned, internal := twins(v.typ); versioned != nil {
			b.value(internal, versioned, v.tree)
			return b.String()
		}
		return GoSyntax(v.tree)
	case []any:
		if v == nil {
			return "[]string(nil)"
		}
		b.value(&Type{Form: List, Go: "[]string", Elem: &Type{Form: String}}, &Type{Form: List, Elem: &Type{Form: String}}, v)
	case tree.Object:
		if v == nil {
			return "map[string]string(nil)"
		}
		b.value(&Type{Form: Map, Go: "map[string]string", Elem: &Type{Form: String}}, &Type{Form: Map, Elem: &Type{Form: String}}, v)
	default:
		return fmt.Sprintf("%#v", v)
	}
	return b.String()
}

// goPrinter writes trees of versioned types as Go values of internal ones.
type goPrinter struct {
	strings.Builder
	minor int
}

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
	case Time, MicroTime:
		at, err := time.Parse(time.RFC3339, tree.String(v))
		text := at.GoString() // a missing one is the zero time
		if err == nil {
			text = strings.Replace(text, "time.UTC", "time.Local", 1) // the zone of the server, which is UTC
		}
		b.WriteString(text)
	case IntOrString:
		b.intOrString(v)
	case Quantity:
		b.quantity(tree.String(v))
	default:
		fmt.Fprintf(b, "%s{…}", internal.Go)
	}
}

func (b *goPrinter) object(internal, versioned *Type, m tree.Object) {
	b.WriteString(internal.Go + "{")
	within, separator := "", ""
	for i := range internal.Fields {
		f := &internal.Fields[i]
		if !f.In(b.minor) {
			continue
		}
		if f.Embedded != within {
			if within != "" {
				b.WriteString("}")
			}
			if f.Embedded != "" {
				b.WriteString(separator + f.Embedded[strings.IndexByte(f.Embedded, '.')+1:] + ":" + f.Embedded + "{")
				separator = ""
			}
			within = f.Embedded
		}
		b.WriteString(separator + f.Go + ":")
		typ, v := counterpart(f, versioned, m)
		b.field(f, typ, v)
		separator = ", "
	}
	if within != "" {
		b.WriteString("}")
	}
	b.WriteString("}")
}

func (b *goPrinter) field(f *Field, versioned *Type, v any) {
	switch {
	case f.Pointer && v == nil && f.Type.Form == Time: // it has a GoString
		b.WriteString("<nil>")
	case f.Pointer && v == nil:
		fmt.Fprintf(b, "(*%s)(nil)", f.Type.Go)
	case f.Pointer && f.Type.Form != Time:
		fmt.Fprintf(b, "(*%s)(%s)", f.Type.Go, address)
	default:
		b.value(f.Type, versioned, v)
	}
}

// quantity writes what the server has parsed: its text too, if that is the canonical one.
func (b *goPrinter) quantity(text string) {
	q, _ := resource.ParseQuantity(text) // zero if there is none
	fmt.Fprintf(b, "%#v", q)
}

func (b *goPrinter) intOrString(v any) {
	if text, ok := v.(string); ok {
		fmt.Fprintf(b, "intstr.IntOrString{Type:1, IntVal:0, StrVal:%q}", text)
		return
	}
	number, _ := tree.Int(v)
	fmt.Fprintf(b, "intstr.IntOrString{Type:0, IntVal:%d, StrVal:\"\"}", number)
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
