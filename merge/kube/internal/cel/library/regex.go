package library

import (
	"errors"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"

	"threeway/merge/format"
)

// Regex has find and findAll of texts. Patterns that are literals are compiled
// with the program.
func Regex() cel.EnvOption {
	return cel.Lib(&library{
		name: "kubernetes.regex",
		overloads: map[string][]cel.FunctionOpt{
			"find": {
				method("string_find_string", takes(cel.StringType, cel.StringType), cel.StringType, cel.FunctionBinding(find)),
			},
			"findAll": {
				method("string_find_all_string", takes(cel.StringType, cel.StringType), cel.ListType(cel.StringType), cel.FunctionBinding(findAll)),
				method("string_find_all_string_int", takes(cel.StringType, cel.StringType, cel.IntType), cel.ListType(cel.StringType), cel.FunctionBinding(findAll)),
			},
		},
		regexes: []*interpreter.RegexOptimization{
			compiledOnce("find", "", findWith), compiledOnce("findAll", "", findAllWith),
			// CEL has one of its own for the function, and asks for the overload first.
			compiledOnce("matches", overloads.Matches, matchesWith), compiledOnce("matches", overloads.MatchesString, matchesWith),
		},
	})
}

func find(args ...ref.Val) ref.Val    { return withPattern(args, findWith) }
func findAll(args ...ref.Val) ref.Val { return withPattern(args, findAllWith) }

// ErrTooLarge is that of a call that would take more than any machine has.
var ErrTooLarge = errors.New("operation cancelled: actual cost limit exceeded")

// What holding a text against a pattern may take, and against each of its parts. The
// server counts the characters of the pattern, and x{0,1000} is a thousand times as large.
const (
	mostSteps    = 20_000_000
	mostStepsAll = 200_000_000
)

// TooLarge reports whether holding a text against a pattern, the first two of a
// call's arguments, would take too much.
func TooLarge(args []ref.Val) bool {
	if len(args) < 2 {
		return false
	}
	text, _ := args[0].Value().(string)
	pattern, _ := args[1].Value().(string)
	re, err := format.Pattern(pattern)
	return err == nil && re.Steps(text) > mostSteps
}

// patterned is a function of a text and a pattern.
type patterned func(e *format.Expression, text string, args []ref.Val) ref.Val

// of calls f, unless holding the first argument against the pattern would take too much.
func (f patterned) of(e *format.Expression, args []ref.Val) ref.Val {
	text, ok := args[0].Value().(string)
	switch {
	case !ok:
		return types.MaybeNoSuchOverloadErr(args[0])
	case e.Steps(text) > mostSteps:
		return types.WrapErr(ErrTooLarge)
	}
	return f(e, text, args)
}

// withPattern calls f with the pattern that the second argument is.
func withPattern(args []ref.Val, f patterned) ref.Val {
	if _, ok := args[0].Value().(string); !ok {
		return types.MaybeNoSuchOverloadErr(args[0])
	}
	pattern, ok := args[1].Value().(string)
	if !ok {
		return types.MaybeNoSuchOverloadErr(args[1])
	}
	e, err := format.Pattern(pattern)
	if err != nil {
		return types.NewErr("Illegal regex: %v", err.Error())
	}
	return f.of(e, args)
}

// compiledOnce replaces calls whose pattern is a literal.
func compiledOnce(name, overload string, f patterned) *interpreter.RegexOptimization {
	return &interpreter.RegexOptimization{
		Function:   name,
		OverloadID: overload,
		RegexIndex: 1,
		Factory: func(call interpreter.InterpretableCall, pattern string) (interpreter.InterpretableCall, error) {
			e, err := format.Pattern(pattern)
			if err != nil {
				return nil, err
			}
			return interpreter.NewCall(call.ID(), call.Function(), call.OverloadID(), call.Args(), func(args ...ref.Val) ref.Val {
				return f.of(e, args)
			}), nil
		},
	}
}

func matchesWith(e *format.Expression, text string, _ []ref.Val) ref.Val {
	return types.Bool(e.Regexp().MatchString(text))
}

func findWith(e *format.Expression, text string, _ []ref.Val) ref.Val {
	return types.String(e.Regexp().FindString(text))
}

func findAllWith(e *format.Expression, text string, args []ref.Val) ref.Val {
	limit := int64(-1)
	if len(args) == 3 {
		var ok bool
		if limit, ok = args[2].Value().(int64); !ok {
			return types.MaybeNoSuchOverloadErr(args[2])
		}
	}
	if e.Steps(text)*len(text) > mostStepsAll {
		return types.WrapErr(ErrTooLarge) // the text behind each part may be read to its end
	}
	return types.NewStringList(types.DefaultTypeAdapter, e.Regexp().FindAllString(text, int(limit)))
}
