package validation

import (
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// TestWorded are texts of errors on two minors.
func TestWorded(t *testing.T) {
	custom := func(errs field.ErrorList, minor int) field.ErrorList { return CustomWords(minor)(errs) }
	p := field.NewPath("a")
	for _, c := range []struct {
		words   func(field.ErrorList, int) field.ErrorList
		err     func() *field.Error
		from    int
		was, is string
	}{
		{Worded, func() *field.Error { return field.TooLong(p, "", 2) }, 32, "a: Too long: must have at most 2 bytes", "a: Too long: may not be more than 2 bytes"},
		{Worded, func() *field.Error { return field.TooLong(p, "", 1) }, 34, "a: Too long: may not be more than 1 bytes", "a: Too long: may not be more than 1 byte"},
		{Worded, func() *field.Error { return field.TooMany(p, 2, 1) }, 34, "a: Too many: 2: must have at most 1 items", "a: Too many: 2: must have at most 1 item"},
		{Worded, func() *field.Error { return field.Invalid(p, nil, "b") }, 34, `a: Invalid value: "null": b`, "a: Invalid value: null: b"},
		{Worded, func() *field.Error { return field.Invalid(p, encoded("YQ=="), "b") }, 34, "a: Invalid value: []byte{0x61}: b", `a: Invalid value: "YQ==": b`},
		{custom, func() *field.Error { return field.TooLong(p, "", 20) }, 32, "a: Too long: may not be longer than 20", "a: Too long: may not be more than 20 bytes"},
		{custom, func() *field.Error { return field.Invalid(p, nil, "b") }, 34, `a: Invalid value: "null": b`, "a: Invalid value: null: b"},
		{custom, func() *field.Error { return field.Duplicate(p, map[string]any{"n": int64(1), "b": "c"}) }, 34, `a: Duplicate value: map[string]interface {}{"b":"c", "n":1}`, `a: Duplicate value: {"b":"c","n":1}`},
		{Worded, func() *field.Error { return field.Invalid(p, []any(nil), "b") }, 34, "a: Invalid value: []string(nil): b", "a: Invalid value: null: b"},
		{Worded, func() *field.Error {
			return field.Invalid(field.NewPath("spec"), map[string]any{}, "must match dataSourceRef")
		}, 34,
			`spec: Invalid value: field.Path{name:"dataSource", index:"", parent:(*field.Path)(0x0)}: must match dataSourceRef`, "spec: Invalid value: {}: must match dataSourceRef"},
		{Worded, func() *field.Error { return field.Invalid(field.NewPath("eventTime"), nil, isImmutable) }, 34,
			"eventTime: Invalid value: 0001-01-01 00:00:00 +0000 UTC: field is immutable", "eventTime: Invalid value: null: field is immutable"},
		{Worded, func() *field.Error {
			return field.Invalid(p.Child("limits").Key("-1"), "-1", "name part must be non-empty")
		}, 34,
			"a.limits[-1]: Invalid value: -1: name part must be non-empty", `a.limits[-1]: Invalid value: "-1": name part must be non-empty`},
	} {
		for minor, want := range map[int]string{c.from - 1: c.was, c.from: c.is} {
			if got := c.words(field.ErrorList{c.err()}, minor)[0].Error(); got != want {
				t.Errorf("1.%d: %s, want %s", minor, got, want)
			}
		}
	}
}
