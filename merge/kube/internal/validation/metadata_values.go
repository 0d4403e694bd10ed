package validation

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/fault"
	"threeway/merge/format"
	"threeway/merge/tree"
)

const (
	lower  = "abcdefghijklmnopqrstuvwxyz"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits = "0123456789"

	isNegative    = "must be greater than or equal to 0"
	isNotPositive = "must be greater than zero"
	isNotInteger  = "must be an integer"
)

// invalidEach makes one "Invalid value" error of every message.
func invalidEach(p *field.Path, value any, msgs []string) field.ErrorList {
	var errs field.ErrorList
	for _, m := range msgs {
		errs = append(errs, field.Invalid(p, value, m))
	}
	return errs
}

// coded says what kind of fault an error is, for those who act on it: they must
// not go by its words.
func coded(code fault.Code, err *field.Error) *field.Error { return err.WithOrigin(string(code)) }

// notAllowed is the error of a field without which the object would be valid.
func notAllowed(p *field.Path, detail string) *field.Error {
	return coded(fault.NotAllowed, field.Forbidden(p, detail))
}

// fixed is coded for a field that cannot be changed.
func fixed(err *field.Error) *field.Error { return coded(fault.Immutable, err) }

// immutable checks that a field has kept its value. Lists and objects without
// elements are the same as none. Use schema.Internal on value when it is a
// struct of an internal type; see immutableAs.
func immutable(value, old any, p *field.Path) field.ErrorList {
	return immutableAs(value, old, value, p)
}

// immutableAt is immutable for a field that is a pointer or has a named type: errors show
// its texts as JSON.
func immutableAt(o, old tree.Object, key string, p *field.Path) field.ErrorList {
	bad := o[key]
	if text, ok := bad.(string); ok {
		bad = named(text)
	}
	return immutableAs(o[key], old[key], bad, p.Child(key))
}

// immutableAs is immutable where the error shows bad instead of value.
func immutableAs(value, old, bad any, p *field.Path) field.ErrorList {
	if same(value, old) {
		return nil
	}
	return field.ErrorList{fixed(field.Invalid(p, bad, isImmutable))}
}

// same compares two values as the server does: an absent key, null and an
// empty list are the same.
func same(a, b any) bool {
	switch x := a.(type) {
	case nil:
		l, isList := b.([]any)
		return b == nil || isList && len(l) == 0
	case []any:
		y, isList := b.([]any)
		if b != nil && !isList || len(x) != len(y) {
			return false
		}
		return slices.EqualFunc(x, y, same)
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || y == nil {
			return false
		}
		for k := range x {
			if !same(x[k], y[k]) {
				return false
			}
		}
		for k := range y {
			if _, ok := x[k]; !ok && !same(nil, y[k]) {
				return false
			}
		}
		return true
	}
	return tree.Equal(a, b)
}

// nonNegative checks that an integer is zero or more.
func nonNegative(n int64, p *field.Path) field.ErrorList {
	if n < 0 {
		return field.ErrorList{field.Invalid(p, n, isNegative)}
	}
	return nil
}

// nonNegativeAt is nonNegative for the integer at key, if it is there.
func nonNegativeAt(o any, key string, p *field.Path) field.ErrorList {
	n, _ := tree.Int(o, key)
	return nonNegative(n, p.Child(key))
}

// positive checks that an integer is one or more.
func positive(n int64, p *field.Path) field.ErrorList {
	if n <= 0 {
		return field.ErrorList{field.Invalid(p, n, isNotPositive)}
	}
	return nil
}

// isInRange tells whether lo ≤ n ≤ hi fails.
func isInRange(n, lo, hi int64) []string {
	if lo <= n && n <= hi {
		return nil
	}
	return []string{fmt.Sprintf("must be between %d and %d, inclusive", lo, hi)}
}

// isPortNumber returns why n is not a port number.
func isPortNumber(n int64) []string { return isInRange(n, 1, 65535) }

// isPortName returns why s is not an IANA service name.
func isPortName(s string) []string {
	var msgs []string
	if len(s) > 15 {
		msgs = append(msgs, maxCharacters(15))
	}
	if !consistsOf(s, lower+digits+"-") {
		msgs = append(msgs, "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)")
	}
	if !strings.ContainsAny(s, lower) {
		msgs = append(msgs, "must contain at least one letter (a-z)")
	}
	if strings.Contains(s, "--") {
		msgs = append(msgs, "must not contain consecutive hyphens")
	}
	if strings.HasPrefix(s, "-") || strings.HasSuffix(s, "-") {
		msgs = append(msgs, "must not begin or end with a hyphen")
	}
	return msgs
}

// portNumOrName checks an IntOrString (int64 or string) that names a port; an
// absent one counts as 0.
func portNumOrName(v any, p *field.Path) field.ErrorList {
	if s, ok := v.(string); ok {
		return invalidEach(p, s, isPortName(s))
	}
	n, _ := v.(int64)
	return invalidEach(p, n, isPortNumber(n))
}

// intOrPercent checks an IntOrString that is a count or a percentage, both
// without sign. Source: ValidatePositiveIntOrPercent of pkg/apis/apps/validation.
func intOrPercent(v any, p *field.Path) field.ErrorList {
	if s, ok := v.(string); ok {
		return invalidEach(p, s, isPercent(s))
	}
	n, _ := v.(int64)
	return nonNegative(n, p)
}

// isPercent returns why s is not digits and a percent sign.
func isPercent(s string) []string {
	if number, ok := strings.CutSuffix(s, "%"); ok && consistsOf(number, digits) {
		return nil
	}
	return []string{content.RegexError("a valid percent string must be a numeric string followed by an ending '%'", "[0-9]+%", "1%", "93%")}
}

// maxCharacters is the message for a string of more than n characters.
func maxCharacters(n int) string {
	return fmt.Sprintf("must be no more than %d characters", n)
}

// consistsOf reports whether s has at least one character and all are of set.
func consistsOf(s, set string) bool {
	return s != "" && strings.Trim(s, set) == "" && !strings.ContainsFunc(s, func(r rune) bool { return !strings.ContainsRune(set, r) })
}

// sortedKeys gives the order in which maps are looked at; the server's is
// random.
func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}

// quantity reads a quantity of a tree; an absent or malformed one is zero.
func quantity(v any) resource.Quantity {
	s, _ := v.(string)
	q, err := format.Quantity(s)
	if err != nil {
		return resource.Quantity{}
	}
	return q
}

// quantityNonNegative checks that a quantity is zero or more.
func quantityNonNegative(v any, p *field.Path) field.ErrorList {
	if q := quantity(v); q.Sign() < 0 {
		return field.ErrorList{field.Invalid(p, q.String(), isNegative)}
	}
	return nil
}

// quantityPositive checks that a quantity is more than zero.
func quantityPositive(v any, p *field.Path) field.ErrorList {
	if q := quantity(v); q.Sign() <= 0 {
		return field.ErrorList{field.Invalid(p, q.String(), isNotPositive)}
	}
	return nil
}

// required checks that the strings at keys are not empty.
func required(o any, p *field.Path, keys ...string) field.ErrorList {
	var errs field.ErrorList
	for _, key := range keys {
		if tree.String(o, key) == "" {
			errs = append(errs, field.Required(p.Child(key), ""))
		}
	}
	return errs
}

// stringsOf is the strings of a list.
func stringsOf(list []any) []string {
	var all []string
	for _, v := range list {
		s, _ := v.(string)
		all = append(all, s)
	}
	return all
}

// each checks the elements of a list.
func each[T any](list []T, p *field.Path, check func(T, *field.Path) field.ErrorList) (errs field.ErrorList) {
	for i, v := range list {
		errs = append(errs, check(v, p.Index(i))...)
	}
	return errs
}
