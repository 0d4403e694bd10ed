package library

import (
	"errors"
	"regexp"

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
	return cel.Lib(&functions{
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

// withPattern calls f with the pattern that the second argument is.
func withPattern(args []ref.Val, f func(*regexp.Regexp, []ref.Val) ref.Val) ref.Val {
	if _, ok := args[0].Value().(string); !ok {
		return types.MaybeNoSuchOverloadErr(args[0])
	}
	pattern, ok := args[1].Value().(string)
	if !ok {
		return types.MaybeNoSuchOverloadErr(args[1])
	}
	re, err := format.Pattern(pattern)
	if err != nil {
		return types.NewErr("Illegal regex: %v", err.Error())
	}
	if TooLarge(args) {
		return types.WrapErr(ErrTooLarge)
	}
	return f(re.Regexp(), args)
}

// compiledOnce replaces calls whose pattern is a literal.
func compiledOnce(name, overload string, f func(*regexp.Regexp, []ref.Val) ref.Val) *interpreter.RegexOptimization {
	return &interpreter.RegexOptimization{
		Function:   name,
		OverloadID: overload,
		RegexIndex: 1,
		Factory: func(call interpreter.InterpretableCall, pattern string) (interpreter.InterpretableCall, error) {
			if _, err := format.Pattern(pattern); err != nil {
				return nil, err
			}
			return interpreter.NewCall(call.ID(), call.Function(), call.OverloadID(), call.Args(), func(args ...ref.Val) ref.Val {
				return withPattern(args, f)
			}), nil
		},
	}
}

func matchesWith(re *regexp.Regexp, args []ref.Val) ref.Val {
	return types.Bool(re.MatchString(args[0].Value().(string)))
}

func findWith(re *regexp.Regexp, args []ref.Val) ref.Val {
	return types.String(re.FindString(args[0].Value().(string)))
}

func findAllWith(re *regexp.Regexp, args []ref.Val) ref.Val {
	s, limit := args[0].Value().(string), int64(-1)
	if len(args) == 3 {
		var ok bool
		if limit, ok = args[2].Value().(int64); !ok {
			return types.MaybeNoSuchOverloadErr(args[2])
		}
	}
	if re, err := format.Pattern(re.String()); err == nil && re.Steps(s)*len(s) > mostStepsAll {
		return types.WrapErr(ErrTooLarge) // the text behind each part may be read to its end
	}
	return types.NewStringList(types.DefaultTypeAdapter, re.FindAllString(s, int(limit)))
}
