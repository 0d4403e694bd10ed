package strategic

// Crash is an error where kubectl and the API server panic: kubectl ends with
// a stack trace, the server breaks off the request.
type Crash string

func (c Crash) Error() string { return string(c) + ": kubectl and the API server crash on this" }

// The values that upstream cannot compare.
const (
	nullItem   Crash = "the first item of a list to merge is null"
	notScalar  Crash = "a merge key, or an item of a list of scalars, is a map or a list"
	repetition Crash = "a list that was changed by two sides repeats items"
)

// survive turns a panic with a Crash into an error. It is a panic until then
// since values are compared within sort functions, too.
func survive(err *error) {
	switch p := recover().(type) {
	case nil:
	case Crash:
		*err = p
	default:
		panic(p)
	}
}

// same is Go's == on two values, which panics on two maps and on two lists.
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
	switch b.(type) {
	case map[string]any, []any:
		return false
	}
	return a == b
}

// set holds the items of a list of scalars.
type set map[any]bool

func setOf(list []any) set {
	s := make(set, len(list))
	for _, v := range list {
		s[scalar(v)] = true
	}
	return s
}

func (s set) has(v any) bool { return s[scalar(v)] }

// scalar panics on what cannot be the key of a Go map.
func scalar(v any) any {
	switch v.(type) {
	case map[string]any, []any:
		panic(notScalar)
	}
	return v
}
