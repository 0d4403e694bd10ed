package tables

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	celgo "github.com/google/cel-go/cel"

	"k8s.io/apiserver/pkg/cel/environment"

	"threeway/merge/kube/internal/cel"
)

// library are the expressions in the tests of the server's functions, which compile
// them in environments of their own: those of cel-go's compiler record them.
var library = Harvest{
	Package:   "github.com/google/cel-go/cel",
	Functions: []string{"Env.Compile"},
	Callers:   []string{"k8s.io/apiserver/pkg/cel/library", "k8s.io/apiserver/pkg/cel/environment"},
}

// answerOf is what an environment makes of an expression.
type answerOf struct {
	wrong, value string
	cost         int64
}

// TestLibrary gives every expression in the tests of upstream's functions to the
// environment of the API server and to ours: the same type, value, error and cost.
func TestLibrary(t *testing.T) {
	env := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).StoredExpressionsEnv()
	ours := cel.Stored(minor)
	var f figures
	wrong, seen := 0, map[string]bool{}
	for _, c := range library.Calls(t) {
		var expression string
		if json.Unmarshal(c.Args[0], &expression) != nil || seen[expression] {
			continue
		}
		seen[expression] = true
		f.cases++
		want, got := asked(env, expression), run(ours, expression)
		if want != got {
			t.Errorf("%s %s\nours\n\t%+v\nupstream\n\t%+v", c, expression, got, want)
			continue
		}
		f.equal++
		if strings.HasPrefix(want.wrong, "ERROR:") {
			wrong++
		} else if want.wrong != "" {
			f.rejected++
		}
	}
	t.Logf("library: %v when they run, %d do not compile", f, wrong)
}

func asked(env *celgo.Env, expression string) answerOf {
	ast, issues := env.Compile(expression)
	if issues != nil {
		return answerOf{wrong: issues.String()}
	}
	program, err := env.Program(ast)
	if err != nil {
		return answerOf{wrong: err.Error()}
	}
	value, details, err := program.Eval(map[string]any{})
	a := answerOf{}
	if cost := details.ActualCost(); cost != nil {
		a.cost = int64(*cost)
	}
	if err != nil {
		a.wrong = err.Error()
		return a
	}
	a.value = fmt.Sprintf("%s %v", ast.OutputType(), value.Value())
	return a
}

func run(env *cel.Env, expression string) answerOf {
	compiled, err := env.Compile(expression)
	if err != nil {
		return answerOf{wrong: err.Error()}
	}
	program, err := compiled.Program()
	if err != nil {
		return answerOf{wrong: err.Error()}
	}
	result := program.Eval(map[string]any{})
	if result.Err != nil {
		return answerOf{wrong: result.Err.Error(), cost: result.Cost}
	}
	return answerOf{value: fmt.Sprintf("%s %v", compiled.Type(), result.Value.Value()), cost: result.Cost}
}
