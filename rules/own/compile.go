package own

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"threeway/merge/kube"

	celgo "github.com/google/cel-go/cel"
)

// minor is that of the server whose functions expressions have. It does not
// depend on the simulated one, so that rules mean the same for every cluster.
const minor = 36

// The variables of expressions.
const (
	varObject          = "object"
	varOldObject       = "oldObject"
	varConfig          = "config"
	varLastApplied     = "lastApplied"
	varPatch           = "patch"
	varReasons         = "reasons"
	varNamespaceObject = "namespaceObject"
	varOwners          = "owners"
)

var variables = []string{varObject, varOldObject, varConfig, varLastApplied, varPatch, varReasons, varNamespaceObject, varOwners}

// environment is what expressions are compiled in. It is made when there is a
// rule.
var environment = sync.OnceValue(func() *kube.Env {
	var options []celgo.EnvOption
	for _, name := range variables {
		typ := celgo.DynType
		if name == varReasons || name == varOwners {
			typ = celgo.ListType(celgo.DynType)
		}
		options = append(options, celgo.Variable(name, typ))
	}
	env, err := kube.Stored(minor).Extend(nil, append(options, functions()...)...)
	if err != nil {
		panic("own: environment of rules: " + err.Error()) // a test builds it
	}
	return env
})

// compiled is a rule whose expressions can be evaluated; those that are not
// written are nil.
type compiled struct {
	Definition
	holds, message, path *program
}

// program is an expression with the variables that it uses.
type program struct {
	*kube.Program
	uses []string
}

func compile(d Definition) (*compiled, error) {
	c := &compiled{Definition: d}
	for _, part := range []struct {
		into   **program
		source Source
		typ    *celgo.Type
		key    string
	}{
		{&c.holds, d.Expression, celgo.BoolType, "expression"},
		{&c.message, d.MessageExpression, celgo.StringType, "message-expression"},
		{&c.path, d.PathExpression, celgo.StringType, "path-expression"},
	} {
		if part.source.Text == "" {
			continue
		}
		p, err := part.source.program(part.typ, part.key)
		if err != nil {
			return nil, err
		}
		*part.into = p
	}
	return c, nil
}

func (s Source) program(want *celgo.Type, key string) (*program, error) {
	x, err := environment().Compile(s.Text)
	if err != nil {
		return nil, s.compileError(err)
	}
	got, text := x.Type(), want == celgo.StringType
	if !got.IsExactType(want) && !(text && got == celgo.DynType) {
		way := "compare the value with another: … == true"
		if text {
			way = "string(…) makes a text of it"
		}
		return nil, fmt.Errorf("%s: %s must give %s, and gives %s; %s", s.at(1, 1), key, want, got, way)
	}
	p, err := x.Program(celgo.CostTracking(cost{}))
	if err != nil {
		return nil, fmt.Errorf("%s: %v", s.at(1, 1), err)
	}
	made := &program{Program: p}
	for _, name := range variables {
		if x.Uses(name) {
			made.uses = append(made.uses, name)
		}
	}
	return made, nil
}

// compileError is the first error of the compiler, at its place in the file.
func (s Source) compileError(err error) error {
	var complaint *kube.CompileError
	if !errors.As(err, &complaint) {
		return fmt.Errorf("%s: %v", s.at(1, 1), err)
	}
	text := strings.TrimSuffix(complaint.Message, " (in container '')")
	if strings.HasPrefix(text, "undeclared reference to") {
		text += "; the variables are " + strings.Join(variables, ", ")
	}
	return fmt.Errorf("%s: %s", s.at(max(complaint.Line, 1), max(complaint.Column, 1)), text)
}
