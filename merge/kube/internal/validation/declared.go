package validation

import (
	"regexp"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// spot is a value with the old one in its place, and their type. A field that is no
// pointer has its zero value where none is set.
type spot struct {
	value, old any
	known      bool // there is an old value
	typ        *schema.Type
	path       *field.Path
}

// declaration runs what the tags of a type declare
// (zz_generated.validations.go in pkg/apis/*/v* of Kubernetes).
type declaration struct {
	update bool
	minor  int
	shown  field.ErrorList
	origin map[*field.Error]string // the check of an error that replaces handwritten ones
}

// declared adds what the tags of a kind declare to the errors of handwritten checks,
// in place of those that it covers.
//
// Source: ValidateDeclarativelyWithMigrationChecks of
// k8s.io/apiserver/pkg/registry/rest/validate.go.
func declared(r *Request, errs field.ErrorList) field.ErrorList {
	t := schema.Lookup(r.Kind)
	if t == nil {
		return errs
	}
	steps := schema.Declared(t.Name, r.Minor)
	if len(steps) == 0 {
		return errs
	}
	d := &declaration{update: r.Old != nil, minor: r.Minor, origin: map[*field.Error]string{}}
	d.all(steps, spot{r.Object, r.Old, r.Old != nil, t, nil}, "", false)
	errs = slices.DeleteFunc(errs, func(e *field.Error) bool {
		return slices.ContainsFunc(d.shown, func(by *field.Error) bool {
			covers := d.covers(by, e)
			if covers && by.Origin == "" {
				by.Origin = e.Origin // the code of the fault
			}
			return covers
		})
	})
	return append(errs, d.shown...)
}

// isBound is of a detail that the checks Minimum and Maximum have.
var isBound = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^must be (greater|less) than or equal to -?\d+$`)
})

// covers reports whether a declared error takes the place of a handwritten one: of the
// same field and type and, if the value is invalid, for the same reason.
func (d *declaration) covers(by, e *field.Error) bool {
	check, replaces := d.origin[by]
	if !replaces || by.Type != e.Type || by.Field != e.Field {
		return false
	}
	immutable := e.Detail == isImmutable
	bound := isBound().MatchString(e.Detail)
	return by.Type != field.ErrorTypeInvalid || immutable == (check == "Immutable") && bound == (check == "Minimum" || check == "Maximum")
}

// all takes the steps, and reports whether one has failed.
func (d *declaration) all(steps []schema.Step, at spot, stage string, quiet bool) (failed bool) {
	ended := false
	for i := range steps {
		s := &steps[i]
		if s.Stop {
			if ended {
				break
			}
			continue
		}
		if d.step(s, at, stage, quiet) {
			failed, ended = true, ended || s.First
		}
	}
	return failed
}

func (d *declaration) step(s *schema.Step, at spot, stage string, quiet bool) bool {
	if stage == "" {
		stage = s.Stage
	}
	quiet = quiet || s.Quiet
	switch {
	case s.Field != "":
		if f := at.typ.Field(s.Field); f != nil && f.In(d.minor) {
			inner := at.field(f)
			return !d.unchanged(inner, at.known) && d.all(s.Steps, inner, stage, quiet)
		}
	case s.Type != "":
		return at.value != nil && d.all(schema.Declared(s.Type, d.minor), at, stage, quiet)
	case s.Check == "":
		return d.all(s.Steps, at, stage, quiet)
	default:
		if check, ok := inside[s.Check]; ok {
			return check(d, s, at, stage, quiet)
		}
		errs := checks[s.Check](d, s, at)
		if !quiet && stage != schema.Alpha {
			d.shown = append(d.shown, errs...)
			for _, e := range errs {
				if stage == schema.Beta || minors.DeclaredAlone.In(d.minor) {
					d.origin[e] = s.Check
				}
			}
		}
		return len(errs) > 0
	}
	return false
}

// unchanged values are not looked at.
func (d *declaration) unchanged(at spot, correlated bool) bool {
	return correlated && d.update && Equal(at.value, at.old, at.typ, false)
}

// field is the value of a field.
func (at spot) field(f *schema.Field) spot {
	inner := spot{tree.Map(at.value)[f.Name], tree.Map(at.old)[f.Name], at.known, f.Type, at.path.Child(f.Name)}
	if f.Pointer {
		inner.known = at.known && inner.old != nil
		return inner
	}
	inner.value = orZero(inner.value, f.Type)
	if at.known {
		inner.old = orZero(inner.old, f.Type)
	}
	return inner
}

// goField is the value of a field by its Go name.
func (at spot) goField(name string) (inner spot, f *schema.Field) {
	for i := range at.typ.Fields {
		if f := &at.typ.Fields[i]; f.Go == name {
			return at.field(f), f
		}
	}
	return spot{}, nil
}

// orZero is a value, or what a field that is no pointer has without one.
func orZero(v any, t *schema.Type) any {
	if v != nil {
		return v
	}
	switch t.Form {
	case schema.String:
		return ""
	case schema.Int:
		return int64(0)
	case schema.Bool:
		return false
	case schema.Struct:
		return tree.Object{}
	}
	return nil
}

// isSet is what members of a union are asked: a pointer that is there, a list or text
// that is not empty.
func isSet(at spot, f *schema.Field) bool {
	return f != nil && (f.Pointer && at.value != nil || !f.Pointer && !tree.Empty(at.value))
}

// shown is the value as errors show it: a text with a Go type of its own as JSON.
func (at spot) shown() any {
	switch v := at.value.(type) {
	case string:
		if at.typ.Name != "" {
			return named(v)
		}
	case map[string]any:
		return schema.Versioned(at.typ, v)
	}
	return at.value
}
