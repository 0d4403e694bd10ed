// Package cel compiles and evaluates expressions of the Common Expression
// Language as kube-apiserver does: with its functions, its settings and its
// limits on cost, on values that are trees. It opens no connection, and an
// expression of a stranger can cost no more than the server's limits allow.
//
// An environment says what expressions may use. Start with New or Stored, add
// variables and types, compile, evaluate:
//
//	env, err := cel.Stored(36).Extend(nil, celgo.Variable("object", celgo.DynType))
//	expression, err := env.Compile("object.spec.replicas < 5")
//	program, err := expression.Program()
//	result := program.Eval(map[string]any{"object": object})
//
// result has the value or the error, and what it cost; a Budget adds the costs
// of many up. Admission is an environment that has the variables of admission
// policies already; they are dyn, the request and the namespace are typed.
// Values that follow a schema come from package merge/kube/internal/cel/value, types for
// Extend too.
//
// What is in no file is unknown: Program(cel.Partial) evaluates with
// Unknown(vars, "authorizer", "request.userInfo") as variables, and a result
// whose value depends on one of them has Unknown set. What && and || and ?:
// do not need does not matter.
//
// Source: k8s.io/apiserver/pkg/cel/environment/base.go.
package cel

import (
	"fmt"

	celgo "github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/ext"
	"github.com/google/cel-go/interpreter"

	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"

	"threeway/merge/kube/internal/cel/library"
	"threeway/merge/memo"
)

// Env is what expressions are compiled in. It is safe for concurrent use.
type Env struct {
	minor int
	env   *celgo.Env
}

// Stored is the environment in which a server of 1.minor evaluates expressions,
// and compiles those that it has accepted before.
func Stored(minor int) *Env { return base(minor) }

// New is the environment in which a server of 1.minor compiles new expressions:
// what the minor before it knows, so that a server can be rolled back.
func New(minor int) *Env { return base(minor - 1) }

// part is what environments have since one minor, and until another.
type part struct {
	since, until int // the first minor that has it; the first that has it not, 0: none
	options      func() []celgo.EnvOption
}

// parts are listed as upstream adds them. Those that every server has have no
// minor.
var parts = []part{
	{0, 0, func() []celgo.EnvOption {
		return []celgo.EnvOption{
			celgo.HomogeneousAggregateLiterals(), celgo.EagerlyValidateDeclarations(true), celgo.DefaultUTCTimeZone(true),
			library.URLs(), library.Regex(), library.Lists(),
			celgo.CostEstimatorOptions(checker.PresenceTestHasCost(false)),
		}
	}},
	{27, 0, func() []celgo.EnvOption { return []celgo.EnvOption{library.Authorizer()} }},
	{28, 0, func() []celgo.EnvOption {
		return []celgo.EnvOption{celgo.CrossTypeNumericComparisons(true), celgo.OptionalTypes()}
	}},
	{29, 0, func() []celgo.EnvOption {
		return []celgo.EnvOption{celgo.ASTValidators(
			celgo.ValidateDurationLiterals(), celgo.ValidateTimestampLiterals(),
			celgo.ValidateRegexLiterals(), celgo.ValidateHomogeneousAggregateLiterals(),
		)}
	}},
	{0, 29, func() []celgo.EnvOption { return []celgo.EnvOption{ext.Strings(ext.StringsVersion(0))} }},
	{29, 0, func() []celgo.EnvOption { return []celgo.EnvOption{ext.Strings(ext.StringsVersion(2)), ext.Sets()} }},
	{30, 0, func() []celgo.EnvOption { return []celgo.EnvOption{library.IP(), library.CIDR()} }},
	{31, 0, func() []celgo.EnvOption { return []celgo.EnvOption{library.Format(), library.Selectors()} }},
	{32, 0, func() []celgo.EnvOption { return []celgo.EnvOption{ext.TwoVarComprehensions()} }},
	{33, 0, func() []celgo.EnvOption { return []celgo.EnvOption{library.SemverLib(library.SemverVersion(1))} }},
	{34, 0, func() []celgo.EnvOption { return []celgo.EnvOption{ext.Lists(ext.ListsVersion(3))} }},
	{28, 37, func() []celgo.EnvOption { return []celgo.EnvOption{library.QuantityUntil36()} }},
	{37, 0, func() []celgo.EnvOption { return []celgo.EnvOption{library.Quantity()} }},
	{37, 0, func() []celgo.EnvOption { return []celgo.EnvOption{library.IncludesOption()} }},
}

// keywords is the first minor in which a field can be selected by a name that
// is a word of the language: self.namespace.
const keywords = 31

// bases caches environments by their minor.
var bases memo.Table[int, *Env]

// base is the environment of 1.minor.
func base(minor int) *Env { return bases.Get(minor, func() *Env { return newBase(minor) }) }

func newBase(minor int) *Env {
	var options []celgo.EnvOption
	for _, p := range parts {
		if p.since <= minor && (p.until == 0 || minor < p.until) {
			options = append(options, p.options()...)
		}
	}
	options = append(options, celgo.Lib(limits{}))
	env, err := celgo.NewEnv(options...)
	if err != nil {
		panic("cel: environment of 1." + fmt.Sprint(minor) + ": " + err.Error()) // a test builds each
	}
	return &Env{minor, env}
}

// limits are the settings of every program.
type limits struct{}

// CompileOptions are none.
func (limits) CompileOptions() []celgo.EnvOption { return nil }

// ProgramOptions optimize, count the cost and stop at the server's limit.
func (limits) ProgramOptions() []celgo.ProgramOption {
	return []celgo.ProgramOption{
		celgo.EvalOptions(celgo.OptOptimize, celgo.OptTrackCost),
		celgo.CostLimit(celconfig.PerCallLimit),
		celgo.CostTrackerOptions(interpreter.PresenceTestHasCost(false)),
		celgo.CostTracking(&library.CostEstimator{}),
		celgo.InterruptCheckFrequency(celconfig.CheckFrequency),
	}
}

// Extend is the environment with more: types that variables have, and options
// that declare variables. It costs about 0.2 ms.
func (e *Env) Extend(declared []*apiservercel.DeclType, options ...celgo.EnvOption) (*Env, error) {
	if len(declared) > 0 {
		provider := apiservercel.NewDeclTypeProvider(declared...)
		provider.SetRecognizeKeywordAsFieldName(e.minor >= keywords)
		typed, err := provider.EnvOptions(e.env.CELTypeProvider())
		if err != nil {
			return nil, err
		}
		options = append(options, typed...)
	}
	extended, err := e.env.Extend(options...)
	if err != nil {
		return nil, err
	}
	return &Env{e.minor, extended}, nil
}
