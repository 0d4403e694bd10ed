package cel

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"

	celgo "github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/functions"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"

	"threeway/merge/format"
	"threeway/merge/kube/internal/cel/library"
)

// The cost of a call is known only when it is done. What some calls do, with
// arguments that a stranger chooses, takes more time or memory than any machine
// has; the server's limits do not help there, and its answer would be none. Such
// a call is not made, and is as an expression that costs too much.

const (
	mostElements = 10_000_000  // of a list or a text that is made
	mostSteps    = 200_000_000 // of a function that compares each with each
)

// guarded are functions with what tells whether a call would be too large.
var guarded = map[string]func(args []ref.Val) bool{
	"lists.range":     func(args []ref.Val) bool { n, ok := args[0].(types.Int); return ok && n > mostElements },
	"matches":         library.TooLarge, // of a pattern that is no literal
	"replace":         replacesTooMuch,
	"join":            joinsTooMuch,
	"format":          formatsTooMuch,
	"distinct":        func(args []ref.Val) bool { return steps(args[0], args[0]) > mostSteps },
	"quantity":        computesTooMuch,
	"isQuantity":      computesTooMuch,
	"sets.contains":   comparesTooMuch,
	"sets.intersects": comparesTooMuch,
	"sets.equivalent": comparesTooMuch,
}

// guard is what keeps the programs of an environment from calls that are too
// large.
func guard(env *celgo.Env) interpreter.InterpretableDecorator {
	implementations := map[string]functions.FunctionOp{}
	for name := range guarded {
		declared := env.Functions()[name]
		if declared == nil {
			continue
		}
		bindings, err := declared.Bindings()
		if err != nil {
			continue
		}
		for _, b := range bindings {
			if b.Operator == name {
				implementations[name] = implementation(b)
			}
		}
	}
	return func(node interpreter.Interpretable) (interpreter.Interpretable, error) {
		call, ok := node.(interpreter.InterpretableCall)
		if !ok {
			return node, nil
		}
		name := call.Function()
		if name == operators.Add {
			return &checked{call, add}, nil
		}
		f := implementations[name]
		if f == nil {
			return node, nil
		}
		return &checked{call, func(args ...ref.Val) ref.Val {
			if guarded[name](args) {
				return types.WrapErr(library.ErrTooLarge)
			}
			return f(args...)
		}}, nil
	}
}

// checked is a call of another function in the place of the one that is planned.
type checked struct {
	interpreter.InterpretableCall
	call functions.FunctionOp
}

// Eval evaluates the arguments as CEL does, on which the cost depends: both of
// two, and of more those up to the first error.
func (c *checked) Eval(vars interpreter.Activation) ref.Val {
	args := c.Args()
	values := make([]ref.Val, 0, len(args))
	for _, arg := range args {
		v := arg.Eval(vars)
		if len(args) > 2 && types.IsUnknownOrError(v) {
			return v
		}
		values = append(values, v)
	}
	for _, v := range values {
		if types.IsUnknownOrError(v) {
			return v
		}
	}
	return types.LabelErrNode(c.ID(), c.call(values...))
}

// implementation calls what is bound to a function, for its number of arguments.
func implementation(b *functions.Overload) functions.FunctionOp {
	return func(args ...ref.Val) ref.Val {
		switch {
		case len(args) == 1 && b.Unary != nil:
			return b.Unary(args[0])
		case len(args) == 2 && b.Binary != nil:
			return b.Binary(args[0], args[1])
		case b.Function != nil:
			return b.Function(args...)
		}
		return types.NoSuchOverloadErr()
	}
}

// add is the operator +. A sum of lists is made without looking at them, so that
// it can become larger than memory before it is used; macros add one item at a
// time.
func add(args ...ref.Val) ref.Val {
	left, ok := args[0].(traits.Adder)
	if !ok {
		return types.NewErr("no such overload: %s", operators.Add)
	}
	if list, ok := args[1].(traits.Lister); ok && size(list) > 1 && size(args[0])+size(list) > mostElements {
		return types.WrapErr(library.ErrTooLarge)
	}
	if bytesOf(args[0])+bytesOf(args[1]) > mostElements {
		return types.WrapErr(library.ErrTooLarge)
	}
	return left.Add(args[1])
}

// bytesOf is the length of a text. That of a value whose type is not declared costs
// the server nothing when it is doubled.
func bytesOf(v ref.Val) int {
	switch v := v.(type) {
	case types.String:
		return len(v)
	case types.Bytes:
		return len(v)
	}
	return 0
}

// size is the number of elements of a list, map or text; 1 for anything else.
func size(v ref.Val) int64 {
	if sized, ok := v.(traits.Sizer); ok {
		if n, ok := sized.Size().(types.Int); ok {
			return int64(n)
		}
	}
	return 1
}

func steps(a, b ref.Val) float64 { return float64(size(a)) * float64(size(b)) }

func comparesTooMuch(args []ref.Val) bool {
	return len(args) == 2 && steps(args[0], args[1]) > mostSteps
}

func replacesTooMuch(args []ref.Val) bool {
	if len(args) < 3 {
		return false
	}
	text, _ := args[0].Value().(string)
	part, _ := args[1].Value().(string)
	by, _ := args[2].Value().(string)
	return len(by) > len(part) && float64(len(text))+float64(strings.Count(text, part))*float64(len(by)) > mostElements
}

func computesTooMuch(args []ref.Val) bool {
	text, _ := args[0].Value().(string)
	return format.Computable(text) != nil
}

func joinsTooMuch(args []ref.Val) bool {
	list, ok := args[0].(traits.Lister)
	if !ok {
		return false
	}
	total := 0.0
	if len(args) == 2 {
		separator, _ := args[1].Value().(string)
		total = float64(len(separator)) * float64(size(list))
	}
	for it := list.Iterator(); it.HasNext() == types.True && total <= mostElements; {
		total += float64(size(it.Next()))
	}
	return total > mostElements
}

// precision is that of a number in a format.
var precision = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\.([0-9]+)`) })

func formatsTooMuch(args []ref.Val) bool {
	if len(args) < 2 {
		return false
	}
	text, _ := args[0].Value().(string)
	for _, match := range precision().FindAllStringSubmatch(text, -1) {
		if n, err := strconv.Atoi(match[1]); err != nil || n > 1000 {
			return true
		}
	}
	return written(args[1], mostElements) > mostElements
}

// written is about how long a value is as text, or anything above most.
func written(v ref.Val, most int64) int64 {
	total := size(v)
	switch v := v.(type) {
	case traits.Lister:
		for it := v.Iterator(); it.HasNext() == types.True && total <= most; {
			total += written(it.Next(), most-total)
		}
	case traits.Mapper:
		for it := v.Iterator(); it.HasNext() == types.True && total <= most; {
			key := it.Next()
			total += size(key) + written(v.Get(key), most-total)
		}
	}
	return min(total, math.MaxInt32)
}
