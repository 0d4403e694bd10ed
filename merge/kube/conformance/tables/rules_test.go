package tables

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	upstreamcel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/warning"

	"threeway/merge/kube/internal/cel"
	"threeway/merge/kube/internal/cel/value"
	"threeway/merge/kube/internal/custom"
	"threeway/merge/kube/internal/custom/validations"
	"threeway/merge/tree"
)

// rules are the tables of x-kubernetes-validations.
var rules = Harvest{
	Package:   "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel",
	Functions: []string{"Validator.Validate", "Compile"},
	Imports:   schemaImports, Encode: ofSchema,
}

// structural reads a schema as upstream does.
func structural(s tree.Object) (*schema.Structural, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	var props apiextensionsv1.JSONSchemaProps
	if err := json.Unmarshal(text, &props); err != nil {
		return nil, err
	}
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&props, &internal, nil); err != nil {
		return nil, err
	}
	return schema.NewStructural(&internal)
}

// said collects warnings.
type said []string

// AddWarning adds one.
func (s *said) AddWarning(_, text string) { *s = append(*s, text) }

// verdict is what holding a value against rules gives.
type verdict struct {
	errors, warnings []string
	left             int64
}

func (v verdict) String() string {
	return fmt.Sprintf("%s\n\twarnings %s\n\tleft %d", strings.Join(v.errors, "\n\t"), strings.Join(v.warnings, "\n\t"), v.left)
}

// equal compares verdicts. Which errors there are, and what they cost, depends on
// the random order of a map where the budget is spent.
func (v verdict) equal(o verdict) bool {
	if v.left < 0 && o.left < 0 {
		return true
	}
	return v.left == o.left && v.says(o)
}

// says compares what verdicts say, whatever it costs.
func (v verdict) says(o verdict) bool {
	return slices.Equal(v.errors, o.errors) && slices.Equal(v.warnings, o.warnings)
}

func listed(errs field.ErrorList) []string {
	var texts []string
	for _, e := range errs {
		texts = append(texts, selfType.ReplaceAllString(e.Error(), "selfType"))
	}
	slices.Sort(texts)
	return texts
}

// held is a schema with its rules, in upstream's code and in ours.
type held struct {
	structural *schema.Structural
	theirs     *upstreamcel.Validator
	ours       *custom.Rules
}

func hold(s tree.Object, isRoot bool) (*held, error) {
	structural, err := structural(s)
	if err != nil {
		return nil, err
	}
	return &held{structural, upstreamcel.NewValidator(structural, isRoot, celconfig.PerCallLimit), custom.NewRules(s, isRoot, minor)}, nil
}

// against gives both verdicts on a value; update says that unchanged values are
// let be.
func (h *held) against(x, old any, update bool, budget int64) (want, got verdict) {
	path := field.NewPath("root")
	var heard said
	var options []upstreamcel.Option
	if update {
		options = append(options, upstreamcel.WithRatcheting(common.NewCorrelatedObject(x, old, &model.Structural{Structural: h.structural})))
	}
	errs, left := h.theirs.Validate(warning.WithWarningRecorder(context.Background(), &heard), path, h.structural, x, old, budget, options...)
	slices.Sort(heard)
	want = verdict{listed(errs), heard, left}
	if h.ours == nil {
		return want, verdict{left: budget}
	}
	b := cel.NewBudget(budget)
	ours, warnings := h.ours.Evaluate(path, x, old, update, b)
	return want, verdict{listed(ours), listed(warnings), b.Left()}
}

// spread is how often upstream is asked what a value costs.
const spread = 1000

// ordered is a copy whose maps are filled in the order of their keys, so that Go's
// random order is most often that.
func ordered(x any) any {
	switch x := x.(type) {
	case map[string]any:
		m := make(map[string]any, len(x))
		for _, key := range slices.Sorted(maps.Keys(x)) {
			m[key] = ordered(x[key])
		}
		return m
	case []any:
		list := make([]any, len(x))
		for i, item := range x {
			list[i] = ordered(item)
		}
		return list
	}
	return x
}

// agree asks upstream until it says what we say, at our cost. Upstream walks a map
// in Go's random order, we in that of the keys; a macro stops at the first key that
// decides, so that a few nested ones cost upstream one of thousands of sums. Where
// the sum is never ours, ours must lie between those that go with the same words.
func (h *held) agree(x, old any, update bool, budget int64) (want, got verdict, ok bool) {
	x, old = ordered(x), ordered(old)
	least, most := int64(math.MaxInt64), int64(math.MinInt64)
	for range spread {
		want, got = h.against(x, old, update, budget)
		if got.equal(want) {
			return want, got, true
		}
		if got.says(want) {
			least, most = min(least, want.left), max(most, want.left)
		}
	}
	return want, got, least < got.left && got.left < most
}

// TestRules gives upstream's own cases to its evaluator and to ours: as they
// are, as updates, and as if they were the root of an object.
func TestRules(t *testing.T) {
	var f figures
	for _, c := range rules.Calls(t) {
		if c.Func != "Validate" {
			continue
		}
		s := object(c.Args[2])
		var x, old any
		var budget int64
		if s == nil || json.Unmarshal(c.Args[3], &x) != nil || json.Unmarshal(c.Args[4], &old) != nil || json.Unmarshal(c.Args[5], &budget) != nil {
			continue
		}
		for _, isRoot := range []bool{false, true} {
			h, err := hold(s, isRoot)
			if err != nil {
				f.undecodable++
				continue
			}
			for _, update := range []bool{false, old != nil} {
				f.cases++
				want, got, ok := h.agree(x, old, update, budget)
				switch name := c.String(); {
				case ok:
					f.equal++
					if len(want.errors) > 0 {
						f.rejected++
					}
				case exceptions[name] != "":
					f.excepted++
				default:
					t.Errorf("%s, root %v, update %v\n%s\n%s\nwas %s\nours\n\t%s\nupstream\n\t%s", name, isRoot, update, c.Args[2], c.Args[3], c.Args[4], got, want)
				}
			}
		}
	}
	t.Logf("rules: %v", f)
}

// TestCompiledRules holds what upstream's compiler finds wrong with its own
// cases, and the costs that it estimates, against ours.
func TestCompiledRules(t *testing.T) {
	env := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	var f figures
	for _, c := range rules.Calls(t) {
		s := object(c.Args[0])
		if c.Func != "Compile" || s == nil {
			continue
		}
		structural, err := structural(s)
		if err != nil {
			f.undecodable++
			continue
		}
		f.cases++
		want, err := upstreamcel.Compile(structural, model.SchemaDeclType(structural, false), celconfig.PerCallLimit, env, upstreamcel.NewExpressionsEnvLoader())
		theirs, ours := compiledTexts(want, err), []string{}
		compiled, err := validations.Compile(validations.Rules(s), s, value.Type(value.NewSchema(s, minor), false), validations.In(cel.New(minor)))
		if err != nil {
			ours = []string{err.Error()}
		}
		for _, r := range compiled {
			ours = append(ours, compiledText(r.Problem, r.MessageProblem, r.UsesOldSelf, r.MaxCost, r.MessageMaxCost))
		}
		if slices.Equal(theirs, ours) {
			f.equal++
		} else if exceptions[c.String()] == "" {
			t.Errorf("%s\n%s\nours\n\t%s\nupstream\n\t%s", c, c.Args[0], strings.Join(ours, "\n\t"), strings.Join(theirs, "\n\t"))
		}
	}
	t.Logf("compiled rules: %v", f)
}

func compiledTexts(results []upstreamcel.CompilationResult, err error) []string {
	if err != nil {
		return []string{err.Error()}
	}
	texts := []string{}
	for _, r := range results {
		problem, message := "", ""
		if r.Error != nil {
			problem = r.Error.Detail
		}
		if r.MessageExpressionError != nil {
			message = r.MessageExpressionError.Detail
		}
		texts = append(texts, compiledText(problem, message, r.UsesOldSelf, r.MaxCost, r.MessageExpressionMaxCost))
	}
	return texts
}

func compiledText(problem, message string, usesOld bool, cost, messageCost uint64) string {
	return selfType.ReplaceAllString(fmt.Sprintf("%q %q oldSelf %v costs %d, %d", problem, message, usesOld, cost, messageCost), "selfType")
}
