package validation

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

type check = func(d *declaration, s *schema.Step, at spot) field.ErrorList

// checks are those of apimachinery pkg/api/validate that look at one value.
var checks = map[string]check{
	"OptionalValue": isRequired, "OptionalPointer": isRequired, "OptionalSlice": isRequired, "OptionalMap": isRequired,
	"RequiredValue": isRequired, "RequiredPointer": isRequired, "RequiredSlice": isRequired, "RequiredMap": isRequired,
	"ForbiddenValue": isForbidden, "ForbiddenPointer": isForbidden, "ForbiddenSlice": isForbidden, "ForbiddenMap": isForbidden,
	"Immutable": func(d *declaration, _ *schema.Step, at spot) field.ErrorList {
		return failing(d.update, fixed(field.Invalid(at.path, nil, isImmutable)))
	},
	"Minimum": func(_ *declaration, s *schema.Step, at spot) field.ErrorList {
		n, ok := at.value.(int64)
		return failing(ok && n < s.Number, field.Invalid(at.path, n, content.MinError(s.Number)))
	},
	"Maximum": func(_ *declaration, s *schema.Step, at spot) field.ErrorList {
		n, ok := at.value.(int64)
		return failing(ok && n > s.Number, field.Invalid(at.path, n, content.MaxError(s.Number)))
	},
	"MaxItems": func(_ *declaration, s *schema.Step, at spot) field.ErrorList {
		n := len(tree.List(at.value))
		return failing(n > int(s.Number), field.TooMany(at.path, n, int(s.Number)))
	},
	"MaxLength": func(_ *declaration, s *schema.Step, at spot) field.ErrorList {
		text, _ := at.value.(string)
		return failing(len([]rune(text)) > int(s.Number), field.TooLongCharacters(at.path, text, int(s.Number)))
	},
	"MaxBytes": func(_ *declaration, s *schema.Step, at spot) field.ErrorList {
		text, _ := at.value.(string)
		return failing(len(text) > int(s.Number), field.TooLong(at.path, at.shown(), int(s.Number)))
	},
	"Enum": func(_ *declaration, s *schema.Step, at spot) field.ErrorList {
		text, ok := at.value.(string)
		return failing(ok && !slices.Contains(s.Names, text), field.NotSupported(at.path, named(text), slices.Sorted(slices.Values(s.Names))))
	},
	"Monotonic": func(d *declaration, _ *schema.Step, at spot) field.ErrorList {
		n, ok := at.value.(int64)
		old, was := at.old.(int64)
		return failing(d.update && ok && was && n < old, field.Invalid(at.path, n, fmt.Sprintf("may not be decreased from %v", old)))
	},
	"MaxProperties": func(_ *declaration, s *schema.Step, at spot) field.ErrorList {
		n := len(tree.Map(at.value))
		return failing(n > int(s.Number), field.TooMany(at.path, n, int(s.Number)))
	},
	"MinimumQuantity": func(_ *declaration, s *schema.Step, at spot) field.ErrorList {
		q, least := quantity(at.value), quantity(s.Names[0])
		return failing(q.Cmp(least) < 0, field.Invalid(at.path, q.String(), "must be greater than or equal to "+least.String()))
	},
	"UpdatePointer": updated, "UpdateValueByCompare": updated, "UpdateValue": updated,
	"ShortName": texts(content.IsDNS1123Label),
	"LongName":  texts(content.IsDNS1123Subdomain),
	//lint:ignore SA1019 The server checks device names so, deprecated or not.
	"LongNameCaseless":           texts(content.IsDNS1123SubdomainCaseless),
	"LabelKey":                   texts(content.IsLabelKey),
	"LabelValue":                 texts(content.IsLabelValue),
	"PrefixedLabelKey":           texts(isPrefixedLabelKey),
	"PathSegmentName":            texts(content.IsPathSegmentName),
	"UUID":                       texts(isUUID),
	"ResourcePoolName":           name(poolName),
	"ExtendedResourceName":       name(func(s string, p *field.Path) field.ErrorList { return invalidEach(p, s, isExtendedName(s)) }),
	"ResourceFullyQualifiedName": name(qualifiedDeviceName),
	"Union": func(d *declaration, s *schema.Step, at spot) field.ErrorList {
		return d.union(s, at, "must specify exactly one of: %s", "must specify one of: %s")
	},
	"ZeroOrOneOfUnion": func(d *declaration, s *schema.Step, at spot) field.ErrorList {
		return d.union(s, at, "must specify at most one of: %s", "")
	},
	"DiscriminatedUnion": discriminatedUnion,
	"DependentRequired":  dependent,
	"DependentForbidden": dependent,
	"ValSliceUnique": func(_ *declaration, s *schema.Step, at spot) (errs field.ErrorList) {
		items := tree.List(at.value)
		first := firstOf(s, at.typ.Elem, items)
		for i, item := range items {
			if was := first(item); was >= 0 && was < i {
				at := spot{value: item, typ: at.typ.Elem, path: at.path.Index(i)}
				errs = append(errs, field.Duplicate(at.path, at.shown()))
			}
		}
		return errs
	},
}

func failing(does bool, e *field.Error) field.ErrorList {
	if !does {
		return nil
	}
	return field.ErrorList{e}
}

func (at spot) empty(check string) bool {
	if strings.HasSuffix(check, "Pointer") {
		return at.value == nil
	}
	return tree.Empty(at.value)
}

func isRequired(_ *declaration, s *schema.Step, at spot) field.ErrorList {
	return failing(at.empty(s.Check), field.Required(at.path, ""))
}

func isForbidden(_ *declaration, s *schema.Step, at spot) field.ErrorList {
	return failing(!at.empty(s.Check), field.Forbidden(at.path, ""))
}

func updated(d *declaration, s *schema.Step, at spot) (errs field.ErrorList) {
	byValue := s.Check != "UpdatePointer"
	if !d.update || byValue && !at.known {
		return nil
	}
	is, was := at.value != nil, at.known && at.old != nil
	if byValue {
		is, was = !tree.Empty(at.value), !tree.Empty(at.old)
	}
	for _, rule := range s.Names {
		switch {
		case rule == "NoSet" && !was && is:
			errs = append(errs, field.Invalid(at.path, nil, "field cannot be set once created"))
		case rule == "NoUnset" && was && !is:
			errs = append(errs, field.Invalid(at.path, nil, isCleared))
		case rule == "NoModify" && was && is:
			errs = append(errs, fixed(field.Invalid(at.path, nil, "field cannot be modified once set")))
		}
	}
	return errs
}

func texts(messages func(string) []string) check {
	return func(_ *declaration, _ *schema.Step, at spot) (errs field.ErrorList) {
		text, ok := at.value.(string)
		if !ok {
			return nil
		}
		for _, message := range messages(text) {
			errs = append(errs, field.Invalid(at.path, at.shown(), message))
		}
		return errs
	}
}

func name(errors func(string, *field.Path) field.ErrorList) check {
	return func(_ *declaration, _ *schema.Step, at spot) field.ErrorList {
		if text, ok := at.value.(string); ok {
			return errors(text, at.path)
		}
		return nil
	}
}

// union is unionValidate: several of the members, or none where one must be.
func (d *declaration) union(s *schema.Step, at spot, several, none string) field.ErrorList {
	var set, all []string
	changed := false
	for i, name := range s.Fields {
		all = append(all, "`"+s.Names[i]+"`")
		inner, f := at.goField(name)
		if isSet(inner, f) {
			set = append(set, s.Names[i])
		}
		before := inner
		before.value = inner.old
		changed = changed || isSet(inner, f) != isSet(before, f)
	}
	switch {
	case d.update && at.known && !changed:
	case len(set) > 1:
		return field.ErrorList{field.Invalid(at.path, "{"+strings.Join(set, ", ")+"}", fmt.Sprintf(several, strings.Join(all, ", ")))}
	case len(set) == 0 && none != "":
		return field.ErrorList{field.Invalid(at.path, "", fmt.Sprintf(none, strings.Join(all, ", ")))}
	}
	return nil
}

// discriminatedUnion: a member is set exactly if the discriminator names it.
func discriminatedUnion(d *declaration, s *schema.Step, at spot) (errs field.ErrorList) {
	by, _ := at.goField(s.Fields[0])
	changed := by.value != by.old
	for i, name := range s.Fields[1:] {
		member, value := s.Names[1+2*i], s.Names[2+2*i]
		inner, f := at.goField(name)
		before := inner
		before.value = inner.old
		is, named := isSet(inner, f), by.value == value
		changed = changed || is != isSet(before, f)
		switch {
		case is && !named:
			errs = append(errs, field.Invalid(at.path.Child(member), "", fmt.Sprintf("may only be specified when `%s` is %q", s.Names[0], value)))
		case !is && named:
			errs = append(errs, field.Invalid(at.path.Child(member), "", fmt.Sprintf("must be specified when `%s` is %q", s.Names[0], value)))
		}
	}
	if d.update && at.known && !changed {
		return nil
	}
	return errs
}

func dependent(d *declaration, s *schema.Step, at spot) field.ErrorList {
	trigger, f := at.goField(s.Fields[0])
	other, g := at.goField(s.Fields[1])
	was := func(x spot, f *schema.Field) bool { x.value = x.old; return isSet(x, f) }
	if d.update && at.known && isSet(trigger, f) == was(trigger, f) && isSet(other, g) == was(other, g) || !isSet(trigger, f) {
		return nil
	}
	if s.Check == "DependentForbidden" {
		return failing(isSet(other, g), field.Forbidden(at.path.Child(s.Names[1]), "may not be set when "+s.Names[0]+" is set"))
	}
	return failing(!isSet(other, g), field.Required(at.path.Child(s.Names[1]), "must be set when "+s.Names[0]+" is set"))
}

// sameItem reports whether two items of a list are the same one, as a whole or by their keys.
func sameItem(s *schema.Step, t *schema.Type, a, b any) bool {
	if s.Whole {
		return Equal(a, b, t, false)
	}
	for _, key := range s.Fields {
		x, f := spot{value: a, old: b, known: true, typ: t}.goField(key)
		if f == nil || !Equal(x.value, x.old, x.typ, false) {
			return false
		}
	}
	return true
}

// shortList is up to how many items a list is looked through.
const shortList = 8

// firstOf finds the index of the first item of a list that is the same one as another,
// -1 if there is none.
func firstOf(s *schema.Step, t *schema.Type, list []any) func(item any) int {
	if !s.Whole && len(s.Fields) == 0 {
		return func(any) int { return -1 }
	}
	among := func(item any, places []int) int {
		for _, i := range places {
			if sameItem(s, t, list[i], item) {
				return i
			}
		}
		return -1
	}
	if len(list) <= shortList {
		all := make([]int, len(list))
		for i := range all {
			all[i] = i
		}
		return func(item any) int { return among(item, all) }
	}
	text := func(item any) string {
		if s.Whole {
			return string(appendAlike(nil, item, t))
		}
		var key []byte
		for _, name := range s.Fields {
			if x, f := (spot{value: item, known: true, typ: t}).goField(name); f != nil {
				key = appendAlike(key, x.value, x.typ)
			}
		}
		return string(key)
	}
	alike := map[string][]int{}
	for i, item := range list {
		key := text(item)
		alike[key] = append(alike[key], i)
	}
	return func(item any) int { return among(item, alike[text(item)]) }
}

// inside are the checks that look at what is in a value.
var inside map[string]func(d *declaration, s *schema.Step, at spot, stage string, quiet bool) bool

func init() {
	inside = map[string]func(d *declaration, s *schema.Step, at spot, stage string, quiet bool) bool{
		"EachValSliceVal": eachItem, "EachMapVal": eachEntry, "EachMapKey": eachKey, "Subfield": subfield, "Discriminated": discriminated,
	}
}

func eachItem(d *declaration, s *schema.Step, at spot, stage string, quiet bool) (failed bool) {
	before := tree.List(at.old)
	first := firstOf(s, at.typ.Elem, before)
	for i, item := range tree.List(at.value) {
		inner := spot{value: orZero(item, at.typ.Elem), typ: at.typ.Elem, path: at.path.Index(i)}
		if was := first(item); was >= 0 {
			inner.old, inner.known = before[was], true
		}
		if d.update && inner.known && (!s.Equal || Equal(inner.value, inner.old, inner.typ, false)) {
			continue
		}
		failed = d.all(s.Steps, inner, stage, quiet) || failed
	}
	return failed
}

func eachEntry(d *declaration, s *schema.Step, at spot, stage string, quiet bool) (failed bool) {
	entries, before := tree.Map(at.value), tree.Map(at.old)
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		inner := spot{value: orZero(entries[key], at.typ.Elem), typ: at.typ.Elem, path: at.path.Key(key)}
		inner.old, inner.known = before[key]
		if d.update && inner.known && s.Equal && Equal(inner.value, inner.old, inner.typ, false) {
			continue
		}
		failed = d.all(s.Steps, inner, stage, quiet) || failed
	}
	return failed
}

func eachKey(d *declaration, s *schema.Step, at spot, stage string, quiet bool) (failed bool) {
	before := tree.Map(at.old)
	for _, key := range tree.Keys(tree.Map(at.value)) {
		if _, known := before[key]; d.update && known {
			continue
		}
		failed = d.all(s.Steps, spot{value: key, typ: &schema.Type{Form: schema.String, Go: "string"}, path: at.path}, stage, quiet) || failed
	}
	return failed
}

func subfield(d *declaration, s *schema.Step, at spot, stage string, quiet bool) bool {
	inner, f := at.goField(s.Fields[0])
	if f == nil || d.unchanged(inner, at.known) {
		return false
	}
	return d.all(s.Steps, inner, stage, quiet)
}

func discriminated(d *declaration, s *schema.Step, at spot, stage string, quiet bool) bool {
	inner, f := at.goField(s.Fields[0])
	by, g := at.goField(s.Fields[1])
	if f == nil || g == nil || d.unchanged(inner, at.known) && by.value == by.old {
		return false
	}
	for _, rule := range s.Rules {
		if rule.Value == by.value {
			return d.all(rule.Steps, inner, stage, quiet)
		}
	}
	return d.all(s.Steps, inner, stage, quiet)
}
