package cel

import (
	"context"
	"math"
	"strings"

	celgo "github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
)

// Program is an expression that can be evaluated, by many goroutines at once.
type Program struct {
	*Expression
	program celgo.Program
}

// Result is what an evaluation gives.
type Result struct {
	// Value is the value, nil if there is an error. It is unknown if Unknown.
	Value ref.Val
	// Err is the error, with the text of the server: no such key: x.
	Err error
	// Cost is what it has cost, math.MaxInt64 if that is not known.
	Cost int64
	// Unknown are the variables and fields without which there is no result,
	// of a program with Partial.
	Unknown []string
}

// True reports whether the result is true.
func (r Result) True() bool { return r.Value == types.True }

// TooDear reports whether the evaluation was stopped because it cost more than
// one expression may.
func (r Result) TooDear() bool {
	return r.Err != nil && strings.HasPrefix(r.Err.Error(), "operation cancelled: actual cost limit exceeded")
}

// Eval evaluates the expression. vars is a map[string]any of trees and
// ref.Vals, an interpreter.Activation, or what Unknown returns.
func (p *Program) Eval(vars any) Result {
	value, details, err := p.program.ContextEval(context.Background(), vars)
	result := Result{Value: value, Err: err, Cost: math.MaxInt64}
	if details != nil {
		if cost := details.ActualCost(); cost != nil && *cost < math.MaxInt64 {
			result.Cost = int64(*cost)
		}
	}
	if err != nil {
		result.Value = nil
	}
	if unknown, ok := value.(*types.Unknown); ok && err == nil {
		for _, id := range unknown.IDs() {
			trails, _ := unknown.GetAttributeTrails(id)
			for _, trail := range trails {
				result.Unknown = append(result.Unknown, trail.String())
			}
		}
	}
	return result
}

// Unknown are variables of which some, or fields of some, are not known:
// namespaceObject, request.userInfo.
func Unknown(vars any, unknown ...string) (interpreter.PartialActivation, error) {
	var patterns []*interpreter.AttributePattern
	for _, path := range unknown {
		name, fields, _ := strings.Cut(path, ".")
		pattern := celgo.AttributePattern(name)
		for fields != "" {
			var field string
			field, fields, _ = strings.Cut(fields, ".")
			pattern = pattern.QualString(field)
		}
		patterns = append(patterns, pattern)
	}
	return celgo.PartialVars(vars, patterns...)
}

// Budget is what a number of evaluations may cost together.
type Budget struct{ left int64 }

// NewBudget is a budget of the limits in k8s.io/apiserver/pkg/apis/cel.
func NewBudget(limit int64) *Budget { return &Budget{limit} }

// Spend takes the cost from the budget, and reports whether there was enough.
// What fails takes all that is left.
func (b *Budget) Spend(cost int64) bool {
	if b.left < 0 || cost > b.left {
		b.left = -1
		return false
	}
	b.left -= cost
	return true
}

// Spent reports whether nothing is left, also if all of it was enough.
func (b *Budget) Spent() bool { return b.left <= 0 }

// Left is what is left, below zero if there was not enough.
func (b *Budget) Left() int64 { return b.left }

// Exhaust takes all that is left, so that nothing more is evaluated.
func (b *Budget) Exhaust() { b.left = -1 }

// Exhausted reports whether nothing more is to be evaluated.
func (b *Budget) Exhausted() bool { return b.left < 0 }
