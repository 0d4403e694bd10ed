package setting

import (
	"fmt"
	"slices"
	"strings"

	"threeway/merge/format"
	"threeway/merge/tree"
)

// Applies reports whether the setting is about a change from the live value to
// another one; ok says whether there is a value after the apply.
func (s *Setting) Applies(from, to any, ok bool) bool {
	return !(ok && tree.Equal(from, to)) && matches(s.From, from, true, nil) && matches(s.To, to, ok, from)
}

// matches reports whether a value is as a From or a To says.
func matches(want string, v any, ok bool, from any) bool {
	word, rest, _ := strings.Cut(want, " ")
	switch {
	case want == "":
		return true
	case want == "none":
		return !ok
	case !ok:
		return false
	case want == "some":
		return true
	case want == "<":
		order, comparable := Compare(v, from)
		return comparable && order < 0
	case want == ">":
		order, comparable := Compare(v, from)
		return comparable && order > 0
	case word == "has":
		return holds(v, rest)
	case word == "lacks":
		return !holds(v, rest)
	case want[0] == '!':
		return fmt.Sprint(v) != want[1:]
	}
	return slices.Contains(strings.Split(want, "|"), fmt.Sprint(v))
}

func holds(v any, item string) bool {
	return slices.ContainsFunc(tree.List(v), func(x any) bool { return fmt.Sprint(x) == item })
}

// Compare orders two numbers or quantities, or two percentages; 0 is also 0 %.
func Compare(a, b any) (order int, ok bool) {
	one, percent := strings.CutSuffix(fmt.Sprint(a), "%")
	other, percents := strings.CutSuffix(fmt.Sprint(b), "%")
	if percent != percents && one != "0" && other != "0" {
		return 0, false
	}
	x, err := format.Quantity(one)
	y, err2 := format.Quantity(other)
	return x.Cmp(y), err == nil && err2 == nil
}

// direction orders two values: numbers, quantities, and false before true.
func direction(a, b any) (order int, ok bool) {
	x, isBool := a.(bool)
	if y, alsoBool := b.(bool); isBool && alsoBool {
		switch {
		case x && !y:
			return 1, true
		case y && !x:
			return -1, true
		}
		return 0, true
	}
	return Compare(a, b)
}
