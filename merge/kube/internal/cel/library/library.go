// Package library has the functions that the API server adds to CEL, and what
// a call of them costs. It follows k8s.io/apiserver/pkg/cel/library, which
// cannot be linked: two of its files bring net/http along.
// merge/kube/conformance/tables holds it against that package.
package library

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
)

// functions is a library: its name in Kubernetes, and its functions with their
// overloads.
type functions struct {
	name      string
	types     []any
	overloads map[string][]cel.FunctionOpt
	regexes   []*interpreter.RegexOptimization
}

// LibraryName is the name that keeps a library from being added twice.
func (f *functions) LibraryName() string { return f.name }

// CompileOptions are what the library adds to an environment.
func (f *functions) CompileOptions() []cel.EnvOption {
	var options []cel.EnvOption
	if len(f.types) > 0 {
		options = append(options, cel.Types(f.types...))
	}
	for name, overloads := range f.overloads {
		options = append(options, cel.Function(name, overloads...))
	}
	return options
}

// ProgramOptions are what it adds to a program.
func (f *functions) ProgramOptions() []cel.ProgramOption {
	if len(f.regexes) == 0 {
		return nil
	}
	return []cel.ProgramOption{cel.OptimizeRegex(f.regexes...)}
}

// overload is a function name(args) result.
func overload(id string, args []*cel.Type, result *cel.Type, binding cel.OverloadOpt) cel.FunctionOpt {
	return cel.Overload(id, args, result, binding)
}

// method is a function receiver.name(args) result; the receiver is the first
// of args.
func method(id string, args []*cel.Type, result *cel.Type, binding cel.OverloadOpt) cel.FunctionOpt {
	return cel.MemberOverload(id, args, result, binding)
}

func takes(args ...*cel.Type) []*cel.Type { return args }

// unary binds a function of one native value.
func unary[A any](f func(A) ref.Val) cel.OverloadOpt {
	return cel.UnaryBinding(func(arg ref.Val) ref.Val {
		a, ok := arg.Value().(A)
		if !ok {
			return types.MaybeNoSuchOverloadErr(arg)
		}
		return f(a)
	})
}

// binary binds a function of two native values.
func binary[A, B any](f func(A, B) ref.Val) cel.OverloadOpt {
	return cel.BinaryBinding(func(first, second ref.Val) ref.Val {
		a, ok := first.Value().(A)
		if !ok {
			return types.MaybeNoSuchOverloadErr(first)
		}
		b, ok := second.Value().(B)
		if !ok {
			return types.MaybeNoSuchOverloadErr(first) // so upstream
		}
		return f(a, b)
	})
}
