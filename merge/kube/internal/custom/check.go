package custom

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"unicode/utf8"

	"threeway/merge/fault"
	"threeway/merge/format"
	"threeway/merge/memo"
	"threeway/merge/tree"
)

// mostSteps is what the patterns of a schema may take of one object. The server has
// no such limit, and takes as long as they do.
const mostSteps = 40_000_000

// Unmatched says what is not known of an object whose patterns would take more.
const Unmatched = "the match of values with patterns that takes over 40,000,000 steps"

// checker holds one object against a schema.
type checker struct {
	steps int
	// undecided counts the values that were not held against their pattern, since that
	// would have taken too many steps.
	undecided int
}

// check validates x against schema s. The order of the checks, their texts and the counts
// are those of kube-openapi (pkg/validation/validate); uniqueItems is in no
// definition that a server takes.
// Problems of a value that old says is unchanged are dropped, as the server
// lets an update keep what it finds (pkg/apiserver/validation/ratcheting.go).
func (c *checker) check(x any, s schema, path string, old *change) report {
	undecided := c.undecided
	r := c.checkParts(x, s, path, old)
	if (!r.valid() || c.undecided > undecided) && old.unchanged() {
		r.problems, r.texts, r.size, c.undecided = nil, nil, 0, undecided
	}
	return r
}

func (c *checker) checkParts(x any, s schema, path string, old *change) report {
	var r report
	if x == nil {
		if s.typeName() != "" && !s.flag("nullable") {
			r.add(wrongType(path, s.typeName(), "null"))
		} else {
			r.matches++
		}
		r.merge(checkEnum(x, s, path))
		return r
	}
	applies := func(part report) {
		r.merge(part)
		r.matches++
	}
	if s.typeName() != "" || s.format() != "" {
		applies(checkType(x, s, path))
	}
	applies(c.checkAlternatives(x, s, path))
	switch x := x.(type) {
	case string:
		applies(c.checkString(x, s, path))
		if valid := format.Check(s.format()); valid != nil {
			applies(checkFormat(x, s, path, valid))
		}
	case int64, float64:
		applies(checkNumber(x, s, path))
	case []any:
		applies(c.checkList(x, s, path, old))
	}
	applies(checkEnum(x, s, path))
	if x, ok := x.(map[string]any); ok {
		applies(c.checkObject(x, s, path, old))
	}
	r.matches++
	return r
}

// jsonType returns the type of x, and for numbers the Go type, which messages
// about formats show.
func jsonType(x any) (name, number string) {
	switch x.(type) {
	case string:
		return "string", ""
	case bool:
		return "boolean", ""
	case int64:
		return "integer", "int64"
	case float64:
		return "number", "float64"
	case []any:
		return "array", ""
	}
	return "object", ""
}

func checkType(x any, s schema, path string) (r report) {
	got, number := jsonType(x)
	float, _ := x.(float64)
	fits := s.hasType(got) ||
		got == "number" && s.hasType("integer") && isInteger(float) ||
		got == "integer" && s.hasType("number")
	format := s.format()
	isText := got == "string" || got == "array" // so upstream
	switch {
	case !isText && format != "" && !fits && number != format:
		r.add(wrongType(path, format, number))
	case isText && format != "" && !s.hasType("number") && !s.hasType("integer"):
		r.matches++
	case !fits:
		r.add(wrongType(path, s.typeName(), got))
	default:
		r.matches++
	}
	return r
}

func (c *checker) checkString(x string, s schema, path string) (r report) {
	length := int64(utf8.RuneCountInString(x))
	if limit, ok := s.count("maxLength"); ok && length > limit {
		r.add(problem{form: tooLong, path: path, value: x, limit: limit, text: fmt.Sprintf("%s in body should be at most %d chars long", path, limit)})
		return r
	}
	if limit, ok := s.count("minLength"); ok && length < limit {
		r.add(problem{form: tooFew, path: path, value: x, limit: limit, text: fmt.Sprintf("%s in body should be at least %d chars long", path, limit)})
		return r
	}
	if pattern := s.text("pattern"); pattern != "" {
		re, err := format.Pattern(pattern)
		if err != nil {
			r.addf(path, x, "should match '%s, but pattern is invalid: %s'", pattern, err)
		} else if c.steps += re.Steps(x); c.steps > mostSteps {
			c.undecided++
		} else if !re.Regexp().MatchString(x) {
			r.addf(path, x, "should match '%s'", pattern)
		}
	}
	return r
}

func checkFormat(x string, s schema, path string, valid func(string) bool) (r report) {
	if !valid(x) {
		wrong := wrongType(path, s.format(), x)
		wrong.origin = fault.Format
		r.add(wrong)
	}
	return r
}

func (c *checker) checkList(x []any, s schema, path string, old *change) (r report) {
	if items := s.items(); items != nil {
		for i, v := range x {
			r.merge(c.check(v, items, fmt.Sprintf("%s[%d]", path, i), old.index(i)))
		}
	}
	size := int64(len(x))
	if limit, ok := s.count("minItems"); ok && size < limit {
		r.add(problem{form: tooFew, path: path, value: size, limit: limit, text: fmt.Sprintf("%s in body should have at least %d items", path, limit)})
	}
	if limit, ok := s.count("maxItems"); ok && size > limit {
		r.add(problem{form: tooMany, path: path, value: size, limit: limit, text: fmt.Sprintf("%s in body should have at most %d items", path, limit)})
	}
	r.matches++
	return r
}

func (c *checker) checkObject(x tree.Object, s schema, path string, old *change) (r report) {
	size := int64(len(x))
	if limit, ok := s.count("minProperties"); ok && size < limit {
		r.add(problem{form: tooFew, path: path, value: size, limit: limit, text: fmt.Sprintf("%s in body should have at least %d properties", path, limit)})
	}
	if limit, ok := s.count("maxProperties"); ok && size > limit {
		r.add(problem{form: tooMany, path: path, value: size, limit: limit, text: fmt.Sprintf("%s in body should have at most %d properties", path, limit)})
	}
	names := tree.Keys(x)
	rest, _ := s.additional()
	for _, name := range names {
		if _, ok := s.property(name); ok {
			continue
		}
		switch {
		case s["additionalProperties"] == false:
			r.add(problem{path: path, value: name, text: fmt.Sprintf("%s.%s in body is a forbidden property", path, name)})
		case rest != nil:
			r.merge(c.check(x[name], rest, path+"."+name, old.key(name)))
		}
	}
	for _, name := range names {
		if sub, ok := s.property(name); ok {
			r.merge(c.check(x[name], sub, join(path, name), old.property(path, name)))
		}
	}
	for _, name := range s.texts("required") {
		if _, ok := x[name]; !ok {
			at := path + "." + name
			r.add(problem{form: required, path: at, text: at + " in body is required"})
		}
	}
	return r
}

// checkEnum compares after converting the value to the Go type of the enum's,
// as upstream does.
func checkEnum(x any, s schema, path string) (r report) {
	enum, _ := s["enum"].([]any)
	if len(enum) == 0 {
		return r
	}
	known := enumOf(enum)
	text, isText := x.(string)
	if isText && known.texts[text] || !isText && slices.ContainsFunc(enum, func(allowed any) bool { return matchesEnum(x, allowed) }) {
		return r
	}
	r.add(problem{form: unsupported, path: path, value: x, allowed: enum, text: path + known.id, longer: known.length})
	return r
}

// enum are the texts among the values of an enum. In place of the words that list all, of which
// each of n values would have a copy, stands a hash, and how long they are.
type enum struct {
	texts  map[string]bool
	id     string
	length int
}

// enums are known by their first value, since a list of many values is asked many times.
var enums memo.Table[*any, *enum]

func enumOf(values []any) *enum {
	return enums.Get(&values[0], func() *enum {
		words := fmt.Sprintf(" in body should be one of %v", values)
		e := &enum{map[string]bool{}, fmt.Sprintf("%x", sha256.Sum256([]byte(words))), len(words)}
		for _, v := range values {
			if text, ok := v.(string); ok {
				e.texts[text] = true
			}
		}
		return e
	})
}

func matchesEnum(x, allowed any) bool {
	if x == nil || allowed == nil {
		return false
	}
	switch a := allowed.(type) {
	case int64:
		if f, ok := x.(float64); ok {
			return int64(f) == a
		}
	case float64:
		if i, ok := x.(int64); ok {
			return float64(i) == a
		}
	case string:
		if i, ok := x.(int64); ok {
			return string(rune(i)) == a
		}
	}
	return tree.Equal(x, allowed)
}

// checkAlternatives holds x against the logical junctors. Nothing is dropped
// as unchanged inside them.
func (c *checker) checkAlternatives(x any, s schema, path string) (r report) {
	if some := s.list("anyOf"); len(some) > 0 {
		valid, best := c.alternatives(x, some, path, true)
		if valid == 0 {
			r.addBare("%q must validate at least one schema (anyOf)", path)
		}
		r.merge(best)
	}
	if one := s.list("oneOf"); len(one) > 0 {
		valid, best := c.alternatives(x, one, path, false)
		switch valid {
		case 0:
			r.addBare("%q must validate one and only one schema (oneOf). Found none valid", path)
			r.merge(best)
		case 1:
			r.merge(best)
		default:
			r.addBare("%q must validate one and only one schema (oneOf). Found %d valid alternatives", path, valid)
		}
	}
	if all := s.list("allOf"); len(all) > 0 {
		valid := 0
		for _, sub := range all {
			part := c.check(x, sub, path, nil)
			if part.valid() {
				valid++
			}
			r.merge(part)
		}
		if valid == 0 {
			r.addBare("%q must validate all the schemas (allOf). None validated", path)
		} else if valid < len(all) {
			r.addBare("%q must validate all the schemas (allOf)", path)
		}
	}
	if not, ok := s["not"]; ok && not != nil {
		if part := c.check(x, asSchema(not), path, nil); part.valid() {
			r.addBare("%q must not validate the schema (not)", path)
		}
	}
	r.matches++
	return r
}

// alternatives counts the schemas that x conforms to, up to the first if first
// is set. It returns the report of the first of them or, if there is none, of
// the one that x came closest to.
func (c *checker) alternatives(x any, subs []schema, path string, first bool) (valid int, best report) {
	best.matches = -1
	for _, sub := range subs {
		part := c.check(x, sub, path, nil)
		if part.valid() {
			valid++
			if valid == 1 {
				best = part
			}
			if first {
				break
			}
		} else if valid == 0 && part.matches > best.matches {
			best = part
		}
	}
	return valid, best
}
