package strategic

import "threeway/merge/tree"

// Crash is the error for input with which kubectl and the API server panic:
// kubectl ends with a stack trace, the server aborts the request.
type Crash string

func (c Crash) Error() string { return string(c) + ": kubectl and the API server crash on this" }

// The values that upstream cannot compare.
const (
	nullItem   Crash = "the first item of a list to merge is null"
	notScalar  Crash = "a merge key, or an item of a list of scalars, is a map or a list"
	repetition Crash = "a list that was changed by two sides repeats items"
)

// survive turns a panic with a Crash into an error. Crash is a panic because
// values are also compared in sort functions, which cannot return an error.
func survive(err *error) {
	switch p := recover().(type) {
	case nil:
	case Crash:
		*err = p
	default:
		panic(p)
	}
}

// same is Go's == for two values: it panics for two maps and for two lists.
func same(a, b any) bool {
	switch a.(type) {
	case map[string]any:
		if _, ok := b.(map[string]any); ok {
			panic(notScalar)
		}
		return false
	case []any:
		if _, ok := b.([]any); ok {
			panic(notScalar)
		}
		return false
	}
	return !tree.Compound(b) && a == b
}

// set is the items of a list of scalars.
type set map[any]bool

func setOf(list []any) set {
	s := make(set, len(list))
	for _, v := range list {
		s[scalar(v)] = true
	}
	return s
}

func (s set) has(v any) bool { return s[scalar(v)] }

// scalar panics if v cannot be the key of a Go map.
func scalar(v any) any {
	if tree.Compound(v) {
		panic(notScalar)
	}
	return v
}
