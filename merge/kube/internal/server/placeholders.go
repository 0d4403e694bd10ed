package server

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/kube/internal/validation"
	"threeway/merge/kube/schema"
	"threeway/merge/placeholder"
	"threeway/merge/tree"
)

// opaque reports whether a text is kept where a value of another type belongs: something fills
// it in before the server reads it.
func (d *decoding) opaque(text string, t *schema.Type) bool {
	if t.Form == schema.Any || d.literal || d.all != nil || t.Form == schema.String && t.Go == "string" || !placeholder.In(text) {
		return false
	}
	if d.filled != nil {
		*d.filled = append(*d.filled, d.here())
	}
	return t.Form != schema.String && t.Form != schema.IntOrString
}

// beside validates an object, and returns the errors that are about no placeholder. It adds to
// the result the placeholders that the others are about, and those in place of other types.
func (s *Server) beside(res *Result, r *validation.Request, rules validation.Rules) field.ErrorList {
	errs := validation.Validate(r, rules)
	b, ok := lookup(r.Kind)
	if !ok || s.Literal || placeholder.Names(r.Object) == nil {
		return errs
	}
	var filled []fieldpath.Path
	d := decoding{minor: s.Minor, create: true, tracks: true, inOrder: true, filled: &filled}
	d.object(r.Object, b.typ)
	for _, at := range filled {
		value, _ := at.Find(r.Object)
		res.Placeholders = append(res.Placeholders, placeholder.Names(value)...)
	}
	return s.besideFilled(res, errs, r.Object, r.Old, filled)
}

// open reports whether a text has a placeholder, whose value is not known.
func (s *Server) open(text string) bool { return !s.Literal && placeholder.In(text) }

// besideFilled returns the errors that are about no placeholder, and adds the placeholders that the
// others are about. What is filled in later, at filled, may decide over a field beside it, as a
// limit over its request; the server then names it. old is nil in a create.
func (s *Server) besideFilled(res *Result, errs field.ErrorList, obj, old tree.Object, filled []fieldpath.Path) field.ErrorList {
	if s.Literal {
		return errs
	}
	return slices.DeleteFunc(errs, func(e *field.Error) bool {
		at := fieldpath.ParseIn(e.Field, obj)
		values := []any{e.BadValue}
		if value, _ := at.Find(obj); !tree.Compound(value) {
			values = append(values, value)
		}
		found := placeholder.Names(values)
		if before, _ := at.Find(old); fault.Code(e.Origin) == fault.Immutable && slices.Equal(placeholder.Names(before), found) {
			return false
		}
		compared := slices.ContainsFunc(filled, func(leaf fieldpath.Path) bool {
			up := at[:max(0, len(at)-1)]
			name := leaf[len(leaf)-1].Field
			named := name != "" && (strings.Contains(e.Detail, name) || strings.HasSuffix(e.Field, "["+name+"]"))
			return len(up) > 0 && (leaf.HasPrefix(at) || named && len(leaf)-len(up) <= 2 && leaf.HasPrefix(up))
		})
		if e.Type == field.ErrorTypeForbidden && old == nil && !compared {
			return false // whatever the value
		}
		res.Placeholders = append(res.Placeholders, found...)
		return len(found) > 0 || compared || e.Type == field.ErrorTypeNotFound && namedLater(obj)
	})
}

// namedLater reports whether anything in a value has a placeholder for its name, so that another
// name may be found.
func namedLater(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			if text, ok := value.(string); ok && key == "name" && placeholder.In(text) || namedLater(value) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, namedLater)
	}
	return false
}
