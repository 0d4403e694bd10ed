package validations

import (
	"errors"
	"strings"

	celgo "github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"

	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"

	"threeway/merge/kube/internal/cel"
	"threeway/merge/kube/internal/cel/value"
	"threeway/merge/tree"
)

// Compiled is a rule ready for use, or why it cannot be used.
type Compiled struct {
	Rule
	// Problem is why the rule does not compile, MessageProblem why its
	// messageExpression does not, in the server's words.
	Problem, MessageProblem string
	// UsesOldSelf says that the expression refers to oldSelf, which makes it a
	// rule about changes.
	UsesOldSelf bool
	// MaxCost and MessageMaxCost are what the expressions can cost at most.
	MaxCost, MessageMaxCost uint64
	// HasMessage says that there is a messageExpression that compiles.
	HasMessage bool

	program, message *cel.Program // nil if there is none
	path             string       // of the error below the value
}

// Environments say in which environment each expression is compiled.
type Environments struct {
	Rule, Message func(text string) *cel.Env
}

// In is one environment for all expressions.
func In(env *cel.Env) Environments {
	always := func(string) *cel.Env { return env }
	return Environments{always, always}
}

// errNoType is the error about values that expressions cannot see.
var errNoType = errors.New("failed to convert to declType for CEL validation rules")

// Compile compiles the rules of a node whose values are of the type. node is
// the schema that their fieldPath is about.
//
// Source: Compile of compilation.go.
func Compile(rules []Rule, node tree.Object, typ *apiservercel.DeclType, in Environments) ([]Compiled, error) {
	if len(rules) == 0 {
		return nil, nil
	}
	if typ == nil {
		return nil, errNoType
	}
	c := compiler{node: node, typ: typ, envs: map[key]*cel.Env{}}
	compiled := make([]Compiled, len(rules))
	for i, rule := range rules {
		compiled[i].Rule = rule
		if err := c.rule(&compiled[i], in); err != nil {
			return nil, err
		}
	}
	return compiled, nil
}

// Cardinality is how often values of the type can stand in one request at most.
func Cardinality(typ *apiservercel.DeclType) uint64 {
	return uint64(celconfig.MaxRequestSizeBytes / (typ.MinSerializedSize + 1)) // a comma behind each
}

// compiler compiles the rules of one node.
type compiler struct {
	node tree.Object
	typ  *apiservercel.DeclType
	envs map[key]*cel.Env
}

type key struct {
	base     *cel.Env
	optional bool
}

// env is the environment with self and oldSelf. The server makes up another
// name for the type each time, and so is not the same in its messages.
func (c *compiler) env(base *cel.Env, optional bool) (*cel.Env, error) {
	if env := c.envs[key{base, optional}]; env != nil {
		return env, nil
	}
	typ := c.typ.MaybeAssignTypeName("selfType")
	old := typ.CelType()
	if optional {
		old = types.NewOptionalType(old)
	}
	env, err := base.Extend([]*apiservercel.DeclType{typ}, celgo.Variable(self, typ.CelType()), celgo.Variable(oldSelf, old))
	if err != nil {
		return nil, err
	}
	c.envs[key{base, optional}] = env
	return env, nil
}

// rule compiles one rule. An empty one is left as it is: it never fails.
func (c *compiler) rule(to *Compiled, in Environments) error {
	if strings.TrimSpace(to.Rule.Rule) == "" {
		return nil
	}
	env, err := c.env(in.Rule(to.Rule.Rule), to.OptionalOldSelf)
	if err != nil {
		return err
	}
	x, err := env.Compile(to.Rule.Rule)
	switch {
	case err != nil:
		to.Problem = "compilation failed: " + err.Error()
		return nil
	case x.Type() != celgo.BoolType:
		to.Problem = "cel expression must evaluate to a bool"
		return nil
	}
	to.UsesOldSelf = x.Uses(oldSelf)
	program, err := x.Program()
	if err != nil {
		to.Problem = "program instantiation failed: " + err.Error()
		return nil
	}
	if to.MaxCost, err = x.MaxCost(value.Sizes(c.typ)); err != nil {
		to.MaxCost, to.Problem = 0, "cost estimation failed: "+err.Error()
		return nil
	}
	to.program = program
	if to.MessageExpression != "" {
		if ok, err := c.message(to, in); !ok || err != nil {
			return err
		}
	}
	if to.FieldPath != "" {
		if place, err := Follow(to.FieldPath, c.node, true); err == nil {
			to.path = place.Path
		}
	}
	return nil
}

// message compiles the messageExpression of a rule, and reports whether it
// compiles.
func (c *compiler) message(to *Compiled, in Environments) (bool, error) {
	env, err := c.env(in.Message(to.MessageExpression), to.OptionalOldSelf)
	if err != nil {
		return false, err
	}
	x, err := env.Compile(to.MessageExpression)
	switch {
	case err != nil:
		to.MessageProblem = "messageExpression compilation failed: " + err.Error()
		return false, nil
	case x.Type() != celgo.StringType:
		to.MessageProblem = "messageExpression must evaluate to a string"
		return false, nil
	}
	program, err := x.Program()
	if err != nil {
		to.MessageProblem = "messageExpression instantiation failed: " + err.Error()
		return false, nil
	}
	cost, err := x.MaxCost(value.Sizes(c.typ))
	if err != nil {
		to.MessageProblem = "cost estimation failed for messageExpression: " + err.Error()
		return false, nil
	}
	to.message, to.MessageMaxCost, to.HasMessage = program, cost, true
	return true, nil
}
