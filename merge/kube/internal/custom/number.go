package custom

import (
	"fmt"
	"math"
	"strconv"
)

// checkNumber holds x, an int64 or a float64, against the bounds of s
// (kube-openapi pkg/validation/validate/validator.go). A bound that the type
// of s cannot hold is compared as a float.
func checkNumber(x any, s schema, path string) (r report) {
	kind := ""
	if t := s.typeName(); t == "integer" || t == "number" {
		kind = t
	}
	format := s.format()
	fits := func(what string, n any) bool {
		text := outOfRange(n, kind, format)
		if text != "" {
			r.addBare("%s value must be of type %s in %s", what, text, path)
		}
		return text == ""
	}
	fits("Checked", x)
	bound := func(key, what string) (a, b any, ok bool) {
		limit, ok := s.number(key)
		if !ok {
			return nil, nil, false
		}
		i, isInt := x.(int64)
		if fits(what, limit) && isInt {
			return i, int64(limit), true
		}
		return asFloat(x), limit, true
	}
	if n, factor, ok := bound("multipleOf", "MultipleOf"); ok {
		checkMultiple(&r, path, n, factor)
	}
	if n, limit, ok := bound("minimum", "Minimum boundary"); ok {
		exclusive := s.flag("exclusiveMinimum")
		if d := compare(n, limit); d < 0 || d == 0 && exclusive {
			r.addf(path, n, "should be greater than %s%v", orEqual(exclusive), limit)
		}
	}
	if n, limit, ok := bound("maximum", "Maximum boundary"); ok {
		exclusive := s.flag("exclusiveMaximum")
		if d := compare(n, limit); d > 0 || d == 0 && exclusive {
			r.addf(path, n, "should be less than %s%v", orEqual(exclusive), limit)
		}
	}
	r.matches++
	return r
}

func orEqual(exclusive bool) string {
	if exclusive {
		return ""
	}
	return "or equal to "
}

// outOfRange returns how messages call the type of a schema that cannot hold
// n, "" if it can.
func outOfRange(n any, kind, format string) string {
	text := fmt.Sprint(n)
	if f, ok := n.(float64); ok {
		text = strconv.FormatFloat(f, 'f', -1, 64)
	}
	var err error
	switch {
	case kind == "integer" && format == "int32":
		_, err = strconv.ParseInt(text, 10, 32)
	case kind == "integer":
		_, err = strconv.ParseInt(text, 10, 64)
	case format == "float":
		_, err = strconv.ParseFloat(text, 32)
	}
	switch {
	case err == nil:
		return ""
	case format != "":
		return kind + " with format " + format
	}
	return kind + " (default format)"
}

func checkMultiple(r *report, path string, n, factor any) {
	multiple := false
	switch factor := factor.(type) {
	case int64:
		if factor <= 0 {
			r.add(problem{path: path, value: factor, text: fmt.Sprintf("factor MultipleOf declared for %s must be positive: %v", path, factor)})
			return
		}
		multiple = n.(int64)%factor == 0
	case float64:
		if factor <= 0 {
			r.add(problem{path: path, value: factor, text: fmt.Sprintf("factor MultipleOf declared for %s must be positive: %v", path, factor)})
			return
		}
		if factor < 1 {
			multiple = isInteger(1 / factor * n.(float64))
		} else {
			multiple = isInteger(n.(float64) / factor)
		}
	}
	if !multiple {
		r.addf(path, n, "should be a multiple of %v", factor)
	}
}

// compare orders two numbers of the same Go type.
func compare(a, b any) int {
	if i, ok := a.(int64); ok {
		return compareNumbers(i, b.(int64))
	}
	return compareNumbers(a.(float64), b.(float64))
}

func compareNumbers[T int64 | float64](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func asFloat(n any) float64 {
	if i, ok := n.(int64); ok {
		return float64(i)
	}
	return n.(float64)
}

// isInteger reports whether f is, up to rounding, an integer that JSON can
// hold (IsFloat64AJSONInteger in go-openapi/swag).
func isInteger(f float64) bool {
	const limit = 1<<53 - 1
	if math.IsNaN(f) || f < -limit || f > limit {
		return false
	}
	if f == math.Trunc(f) {
		return true
	}
	g := float64(uint64(f))
	if g == 0 {
		return false
	}
	return math.Abs(f-g)/(math.Abs(f)+math.Abs(g)) < 1e-9
}
