package validations

import (
	"fmt"
	"strings"
	"sync"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"

	"threeway/merge/fault"
	"threeway/merge/kube/internal/cel"
	"threeway/merge/kube/internal/cel/value"
	"threeway/merge/tree"
)

// Node is a node of a schema that has rules. They are compiled when a value is
// first evaluated. It is safe for concurrent use.
type Node struct {
	schema  *value.Schema
	minor   int
	compile func() ([]Compiled, error)
}

// NewNode is a node whose rules are evaluated by a server of 1.minor. tree is
// the node, schema what expressions need of it, typ its type, nil if they
// cannot see its values.
func NewNode(rules []Rule, node tree.Object, schema *value.Schema, typ *apiservercel.DeclType, minor int) *Node {
	return &Node{schema, minor, sync.OnceValues(func() ([]Compiled, error) {
		return Compile(rules, node, typ, In(cel.Stored(minor)))
	})}
}

// Failure is a rule that does not hold.
type Failure struct {
	*field.Error
	// Forgiven says that the server only warns of the failure if the value is
	// what it was before the update.
	Forgiven bool
}

// Evaluate holds a value against the rules of its node, in their order. old is
// the value that it replaces, nil if there is none; a value of nil has no rules.
// If the budget is exhausted afterwards, nothing more is to be evaluated.
//
// Source: validateExpressions of validation.go.
func (n *Node) Evaluate(path *field.Path, x, old any, budget *cel.Budget) []Failure {
	if x == nil {
		return nil
	}
	e := evaluation{node: n, path: path, x: x, budget: budget}
	rules, err := n.compile()
	if err != nil {
		e.fail(true, "rule compiler initialization error: %v", err)
		return e.failures
	}
	if len(rules) > 0 && budget.Spent() {
		e.outOfBudget()
		budget.Exhaust()
		return e.failures
	}
	e.bind(old)
	for i := range rules {
		if !e.rule(&rules[i], old != nil) {
			budget.Exhaust()
			break
		}
	}
	return e.failures
}

// evaluation is that of one value.
type evaluation struct {
	node     *Node
	path     *field.Path
	x        any
	budget   *cel.Budget
	failures []Failure
	// vars are self and oldSelf; optional has oldSelf as an optional.
	vars, optional map[string]any
}

// bind makes the variables. The value is converted once for both.
func (e *evaluation) bind(old any) {
	v := value.Of(e.x, e.node.schema)
	e.vars, e.optional = map[string]any{self: v}, map[string]any{self: v, oldSelf: ref.Val(types.OptionalNone)}
	if old != nil {
		was := value.Of(old, e.node.schema)
		e.vars[oldSelf], e.optional[oldSelf] = was, types.OptionalOf(was)
	}
}

// fail adds an error about the rules themselves. The server names the type in
// place of the value. If fixed, the words are the same for any value.
func (e *evaluation) fail(fixed bool, format string, args ...any) {
	e.add(e.path, e.node.schema.Type, fmt.Sprintf(format, args...), "", fixed, false)
}

func (e *evaluation) outOfBudget() {
	e.fail(true, "validation failed due to running out of cost budget, no further validation rules will be run")
}

func (e *evaluation) add(path *field.Path, shown any, detail, reason string, fixed, forgiven bool) {
	var err *field.Error
	switch reason {
	case "FieldValueForbidden":
		err = field.Forbidden(path, detail)
	case "FieldValueRequired":
		err = field.Required(path, detail)
	case "FieldValueDuplicate":
		err = field.Duplicate(path, shown) // the detail is lost
	default:
		err = field.Invalid(path, shown, detail)
	}
	err.Origin = string(fault.Rule)
	if !fixed {
		err.Origin = string(fault.RuleOnValue)
	}
	e.failures = append(e.failures, Failure{err, forgiven})
}

// rule evaluates one rule, and reports whether others follow.
func (e *evaluation) rule(r *Compiled, hasOld bool) bool {
	if r.Problem != "" {
		e.fail(true, "rule compile error: %v", r.Problem)
		return true
	}
	if r.program == nil || r.UsesOldSelf && !hasOld && !r.OptionalOldSelf {
		return true
	}
	vars := e.vars
	if r.OptionalOldSelf {
		vars = e.optional
	}
	result := r.program.Eval(vars)
	if !e.budget.Spend(result.Cost) {
		e.outOfBudget()
		return false
	}
	switch {
	case result.True():
		return true
	case result.Err == nil:
		return e.failed(r, vars)
	case strings.HasPrefix(result.Err.Error(), "no such overload"):
		e.fail(true, "'%v': call arguments did not match a supported operator, function or macro signature for rule: %v", result.Err, r.name())
		return true
	case result.TooDear():
		e.fail(true, "'%v': no further validation rules will be run due to call cost exceeds limit for rule: %v", result.Err, r.name())
		return false
	}
	e.fail(false, "%v evaluating rule: %v", result.Err, r.name())
	return true
}

// showsValues is the first minor whose errors show the value and not its type.
const showsValues = 35

// failed adds the error of a rule that is false, and reports whether others
// follow.
func (e *evaluation) failed(r *Compiled, vars map[string]any) bool {
	path := e.path
	if r.path != "" {
		path = path.Child(r.path)
	}
	var shown any = e.node.schema.Type
	if e.node.minor >= showsValues {
		if shown = e.x; e.node.schema.Type == "object" || e.node.schema.Type == "array" {
			shown = field.OmitValueType{}
		}
	}
	forgiven := !r.UsesOldSelf
	detail, computed := r.failed(), false
	if r.message != nil {
		text, problem := e.message(r, vars)
		if problem != "" {
			e.add(path, e.node.schema.Type, problem, "", true, forgiven)
			return false
		}
		if text != "" {
			detail, computed = text, true
		}
	}
	e.add(path, shown, detail, r.Reason, !computed, forgiven)
	return true
}

// message evaluates a messageExpression. It gives no text if that cannot be
// shown, and a problem after which no other rule is evaluated.
//
// Source: evalMessageExpression of validation.go.
func (e *evaluation) message(r *Compiled, vars map[string]any) (text, problem string) {
	result := r.message.Eval(vars)
	if !e.budget.Spend(result.Cost) {
		return "", "messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run"
	}
	if result.TooDear() {
		return "", fmt.Sprintf("no further validation rules will be run due to call cost exceeds limit for messageExpression: %q", r.MessageExpression)
	}
	if result.Err != nil {
		return "", ""
	}
	text, _ = result.Value.Value().(string)
	if text = strings.TrimSpace(text); len(text) > celconfig.MaxEvaluatedMessageExpressionSizeBytes || strings.Contains(text, "\n") {
		return "", ""
	}
	return text, ""
}
