package fault

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// Longest is how long the texts of the faults of an object may be together: each of n
// can quote a list of n.
const Longest = 1 << 20

// Once drops the errors whose text has come before, since the server lists them and
// kubectl prints them once; and those after Longest, which is the last error.
func Once(errs field.ErrorList) field.ErrorList {
	size, seen := 0, make(map[string]bool, len(errs))
	for i, e := range errs {
		if size > Longest {
			more := field.Invalid(nil, nil, fmt.Sprintf("more is wrong, and left out here: the texts of the other faults have %d bytes", size))
			return append(slices.Clip(slices.DeleteFunc(errs[:i], func(e *field.Error) bool { return e == nil })), more)
		}
		text := e.Error()
		if seen[text] {
			errs[i] = nil
			continue
		}
		seen[text] = true
		size += len(text)
	}
	return slices.DeleteFunc(errs, func(e *field.Error) bool { return e == nil })
}

// Fields are the faults of an error list about obj, as the server's validation
// returns it, each once.
func Fields(errs field.ErrorList, obj tree.Object) []Fault {
	list := make([]Fault, 0, len(errs))
	for _, e := range Once(slices.Clone(errs)) {
		path := fieldpath.ParseIn(e.Field, obj)
		f := Fault{
			Code: cmp.Or(Code(e.Origin), Invalid), Path: path, Field: fieldpath.Line(e.Field), Type: e.Type.String(),
			Value: Keep(e.BadValue), Detail: detail(e), Supported: supported(e),
		}
		value := Quote(func() string { return valueOf(e) }, "")
		f.Text = Join(Words("%s: %s", f.Field, f.Type), value)
		if e.Detail != "" {
			f.Text = Join(f.Text, Words(": "), f.Detail)
		}
		list = append(list, f)
	}
	return list
}

// supported are the values of an error of that type: a field.Error has them only in its words
// (apimachinery pkg/util/validation/field NotSupported).
func supported(e *field.Error) (values []string) {
	rest, is := strings.CutPrefix(e.Detail, "supported values: ")
	for e.Type == field.ErrorTypeNotSupported && is {
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return nil
		}
		value, _ := strconv.Unquote(quoted) // it is quoted
		values = append(values, value)
		rest, is = strings.CutPrefix(rest[len(quoted):], ", ")
	}
	return values
}

// Unknown is a field that the kind does not have; field is how the server writes
// its path.
func Unknown(path fieldpath.Path, field string) Fault {
	return Fault{Code: UnknownField, Path: path, Field: field, Text: Words(`unknown field "%s"`, field)}
}

// valueOf is the value of an error as the server prints it behind the type,
// "" for a type that has none.
func valueOf(e *field.Error) string {
	alone := *e
	alone.Detail = ""
	return strings.TrimPrefix(alone.ErrorBody(), e.Type.String())
}

// detail are the words of an error after the value. What an update of a Pod or
// a claim may not change follows as a diff of the objects, on lines of its own,
// what is not of a format is repeated at the end, and a rule can make all of its
// message of values.
func detail(e *field.Error) Text {
	if e.Origin == string(RuleOnValue) {
		return Quote(func() string { return e.Detail }, Masked)
	}
	if e.Origin == string(Format) {
		if words, ok := strings.CutSuffix(e.Detail, strconv.Quote(e.BadValue.(string))); ok {
			return Join(Words("%s", words), Quote(func() string { return e.Detail[len(words):] }, Masked))
		}
	}
	words, _, _ := strings.Cut(e.Detail, "\n")
	return Join(Quote(func() string { return words }, withoutWordsOf(valueOf(e), words)), Quote(func() string { return e.Detail[len(words):] }, ""))
}

// withoutWordsOf is a text in which the words that a value has are masked: a parser repeats
// the part that it cannot read.
func withoutWordsOf(value, text string) string {
	isBetween := func(c rune) bool { return strings.ContainsRune(" \t\"'`[](){}:,;=", c) }
	for word := range strings.FieldsFuncSeq(text, isBetween) {
		if len(word) >= LeastMasked && strings.Contains(value, word) {
			text = strings.ReplaceAll(text, word, Masked)
		}
	}
	return text
}
