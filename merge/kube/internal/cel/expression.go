package cel

import (
	"fmt"

	celgo "github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"

	"threeway/merge/kube/internal/cel/library"
)

// Expression is an expression that compiles.
type Expression struct {
	Text string
	env  *celgo.Env
	ast  *celgo.Ast
}

// Compile parses and checks an expression. The error is what the compiler prints:
// ERROR: <input>:1:5: undefined field 'nope', and the line with a caret.
func (e *Env) Compile(text string) (*Expression, error) {
	ast, issues := e.env.Compile(text)
	if err := issues.Err(); err != nil {
		return nil, err
	}
	return &Expression{text, e.env, ast}, nil
}

// Type is the type of the result.
func (x *Expression) Type() *celgo.Type { return x.ast.OutputType() }

// Uses reports whether the expression refers to the variable.
func (x *Expression) Uses(variable string) bool {
	for _, reference := range x.ast.NativeRep().ReferenceMap() {
		if reference.Name == variable {
			return true
		}
	}
	return false
}

// MaxCost is what the expression can cost at most, as the server estimates it;
// sizes says how large variables can be.
func (x *Expression) MaxCost(sizes checker.CostEstimator) (uint64, error) {
	estimate, err := x.env.EstimateCost(x.ast, &library.CostEstimator{SizeEstimator: sizes})
	return estimate.Max, err
}

// Option changes how a program runs.
type Option = celgo.ProgramOption

// Partial lets variables be unknown.
var Partial = celgo.EvalOptions(celgo.OptOptimize, celgo.OptTrackCost, celgo.OptPartialEval)

// Program is the expression ready to run. An error is one that the server gives
// as "program instantiation failed: …".
func (x *Expression) Program(options ...Option) (*Program, error) {
	program, err := x.env.Program(x.ast, append(options, celgo.CustomDecorator(guard(x.env)))...)
	if err != nil {
		return nil, err
	}
	return &Program{x, program}, nil
}

// Unexpected is what the server says of an expression of a type that is none of
// those wanted; "" if it is one of them, or if none is asked for.
//
// Source: CompileCELExpression of k8s.io/apiserver/pkg/admission/plugin/cel/compile.go.
func Unexpected(typ *celgo.Type, wanted []*celgo.Type) string {
	for _, w := range wanted {
		if typ.IsExactType(w) {
			return ""
		}
	}
	switch len(wanted) {
	case 0:
		return ""
	case 1:
		return "must evaluate to " + wanted[0].String() + " but got " + typ.String()
	}
	return fmt.Sprintf("must evaluate to one of %v but got %s", wanted, typ)
}
