// Package library has the functions that the API server adds to CEL, and what
// a call of them costs. The generated files are those of
// k8s.io/apiserver/pkg/cel/library, which cannot be linked as a whole: authz.go
// and format.go bring net/http along, and stand here written anew, as does
// regex.go, whose patterns are limited in size.
// merge/kube/conformance/tables holds all of it against that package.
package library

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/interpreter"
)

// library has a name in Kubernetes, and functions with their overloads.
type library struct {
	name      string
	overloads map[string][]cel.FunctionOpt
	regexes   []*interpreter.RegexOptimization
}

// LibraryName is the name that keeps a library from being added twice.
func (l *library) LibraryName() string { return l.name }

// CompileOptions declare the functions.
func (l *library) CompileOptions() []cel.EnvOption {
	var options []cel.EnvOption
	for name, overloads := range l.overloads {
		options = append(options, cel.Function(name, overloads...))
	}
	return options
}

// ProgramOptions compile patterns once.
func (l *library) ProgramOptions() []cel.ProgramOption {
	if len(l.regexes) == 0 {
		return nil
	}
	return []cel.ProgramOption{cel.OptimizeRegex(l.regexes...)}
}

// method is a function receiver.name(args) result; the receiver is the first
// of args.
func method(id string, args []*cel.Type, result *cel.Type, binding cel.OverloadOpt) cel.FunctionOpt {
	return cel.MemberOverload(id, args, result, binding)
}

func takes(args ...*cel.Type) []*cel.Type { return args }

// isRegisteredType is asked only in upstream's own tests.
func isRegisteredType(string) bool { return false }
