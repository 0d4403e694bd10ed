package library

import (
	"regexp"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
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
		regexes: []*interpreter.RegexOptimization{compiledOnce("find", findWith), compiledOnce("findAll", findAllWith)},
	})
}

func find(args ...ref.Val) ref.Val    { return withPattern(args, findWith) }
func findAll(args ...ref.Val) ref.Val { return withPattern(args, findAllWith) }

// withPattern calls f with the pattern that the second argument is.
func withPattern(args []ref.Val, f func(*regexp.Regexp, []ref.Val) ref.Val) ref.Val {
	if _, ok := args[0].Value().(string); !ok {
		return types.MaybeNoSuchOverloadErr(args[0])
	}
	pattern, ok := args[1].Value().(string)
	if !ok {
		return types.MaybeNoSuchOverloadErr(args[1])
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return types.NewErr("Illegal regex: %v", err.Error())
	}
	return f(re, args)
}

// compiledOnce replaces calls whose pattern is a literal.
func compiledOnce(name string, f func(*regexp.Regexp, []ref.Val) ref.Val) *interpreter.RegexOptimization {
	return &interpreter.RegexOptimization{
		Function:   name,
		RegexIndex: 1,
		Factory: func(call interpreter.InterpretableCall, pattern string) (interpreter.InterpretableCall, error) {
			re, err := regexp.Compile(pattern)
			if err != nil {
				return nil, err
			}
			return interpreter.NewCall(call.ID(), call.Function(), call.OverloadID(), call.Args(), func(args ...ref.Val) ref.Val {
				return f(re, args)
			}), nil
		},
	}
}

func findWith(re *regexp.Regexp, args []ref.Val) ref.Val {
	s, ok := args[0].Value().(string)
	if !ok {
		return types.MaybeNoSuchOverloadErr(args[0])
	}
	return types.String(re.FindString(s))
}

func findAllWith(re *regexp.Regexp, args []ref.Val) ref.Val {
	s, ok := args[0].Value().(string)
	if !ok {
		return types.MaybeNoSuchOverloadErr(args[0])
	}
	limit := int64(-1)
	if len(args) == 3 {
		if limit, ok = args[2].Value().(int64); !ok {
			return types.MaybeNoSuchOverloadErr(args[2])
		}
	}
	return types.NewStringList(types.DefaultTypeAdapter, re.FindAllString(s, int(limit)))
}
