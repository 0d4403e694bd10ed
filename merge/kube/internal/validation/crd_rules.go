package validation

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	apiservercel "k8s.io/apiserver/pkg/cel"

	"threeway/merge/kube/internal/cel"
	"threeway/merge/kube/internal/cel/value"
	"threeway/merge/kube/internal/custom/validations"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// Source of this file: cel_validation.go and the end of
// ValidateCustomResourceDefinitionOpenAPISchema in
// k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation.

// The most that one expression, and all expressions of a version together, may
// cost by their estimates.
const (
	mostOfRule       = 10_000_000
	mostOfDefinition = 100_000_000
)

// scope is a node of a structural schema whose rules can be compiled. nil is a
// node whose rules are not.
type scope struct {
	parent *scope
	node   tree.Object
	shape  *value.Schema
	// ruled says that the node, or one above it, has rules.
	ruled      bool
	isResource bool
	// most is how many values of the node an object can have, if it is bounded.
	most    uint64
	bounded bool
	total   *totalCost

	typ    *apiservercel.DeclType
	typErr error
}

func rootScope(root tree.Object, minor int) *scope {
	return &scope{
		node: root, shape: value.NewSchema(root, minor), ruled: hasRules(root), isResource: true, most: 1, bounded: true, total: &totalCost{},
	}
}

func hasRules(s tree.Object) bool { return len(tree.List(s, validations.Key)) > 0 }

// in is a node directly below.
func (s *scope) in(node tree.Object, shape *value.Schema) *scope {
	if s == nil || shape == nil {
		return nil
	}
	sub := &scope{
		parent: s, node: node, shape: shape, ruled: s.ruled || hasRules(node), isResource: shape.Embedded, total: s.total,
	}
	if n, bounded := s.elements(); bounded && s.bounded {
		sub.most, sub.bounded = times(s.most, n), true
	}
	return sub
}

func (s *scope) property(name string, node tree.Object) *scope {
	if s == nil {
		return nil
	}
	return s.in(node, s.shape.Properties[name])
}

func (s *scope) additional(node tree.Object) *scope {
	if s == nil {
		return nil
	}
	return s.in(node, s.shape.Additional)
}

func (s *scope) items(node tree.Object) *scope {
	if s == nil {
		return nil
	}
	return s.in(node, s.shape.Items)
}

// elements is by how much the node multiplies values below it, and whether
// that is known.
func (s *scope) elements() (n uint64, bounded bool) {
	limit := s.shape.MaxItems
	switch {
	case s.shape.Type == "object" && s.node["additionalProperties"] != nil:
		limit = s.shape.MaxProperties
	case s.shape.Type != "array":
		return 1, true
	}
	if limit == nil {
		return 0, false
	}
	return uint64(*limit), true
}

// times is a product, or the largest number.
func times(a, b uint64) uint64 {
	if a == 0 || b <= math.MaxUint64/a {
		return a * b
	}
	return math.MaxUint64
}

// declared is the type of the values of the node. It is an error if they, or
// values above about which there are rules, cannot be seen by expressions.
func (s *scope) declared() (*apiservercel.DeclType, error) {
	if s.typ != nil || s.typErr != nil {
		return s.typ, s.typErr
	}
	if s.parent != nil && s.parent.ruled {
		if _, s.typErr = s.parent.declared(); s.typErr != nil {
			return nil, s.typErr
		}
	}
	if s.typ = value.Type(s.shape, s.isResource); s.typ == nil {
		s.typErr = errors.New("unable to convert structural schema to CEL declarations")
	}
	return s.typ, s.typErr
}

// oldExpressions are those of the definition that an update replaces. They may
// use what the server knows; others what the minor before it knows.
type oldExpressions struct{ rules, messages map[string]bool }

func expressionsOf(spec tree.Object) oldExpressions {
	old := oldExpressions{map[string]bool{}, map[string]bool{}}
	anySchema(spec, func(s tree.Object) bool {
		for _, rule := range validations.Rules(s) {
			old.rules[rule.Rule] = true
			old.messages[rule.MessageExpression] = true
		}
		return false
	})
	return old
}

func (old oldExpressions) environments(minor int) validations.Environments {
	among := func(known map[string]bool) func(string) *cel.Env {
		return func(text string) *cel.Env {
			if known[text] {
				return cel.Stored(minor)
			}
			return cel.New(minor)
		}
	}
	return validations.Environments{Rule: among(old.rules), Message: among(old.messages)}
}

// compiledRules compiles the rules of a node and estimates what they cost.
func compiledRules(s tree.Object, place schemaPlace, p *field.Path) field.ErrorList {
	bodies, p := tree.List(s, validations.Key), p.Child(validations.Key)
	if len(bodies) == 0 || place.scope == nil {
		return nil
	}
	typ, err := place.scope.declared()
	if err != nil {
		return field.ErrorList{field.InternalError(p, fmt.Errorf("internal error: failed to construct type information for x-kubernetes-validations rules: %s", err))}
	}
	compiled, err := validations.Compile(validations.Rules(s), s, typ, place.opts.oldExpressions.environments(place.opts.minor))
	if err != nil {
		return field.ErrorList{field.InternalError(p, err)}
	}
	most := place.scope.most
	if !place.scope.bounded {
		most = validations.Cardinality(typ)
	}
	var errs field.ErrorList
	for i, rule := range compiled {
		errs = append(errs, compiledRule(rule, bodies[i], most, place, p.Index(i))...)
	}
	return errs
}

// compiledRule is what is wrong with one rule, of which an object can have most.
func compiledRule(rule validations.Compiled, body any, most uint64, place schemaPlace, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	printed := schema.Internal("apiextensions/v1.ValidationRule", body)
	costs := func(cost uint64, name, key string) {
		if cost > mostOfRule && !place.opts.anyCost {
			errs = append(errs, field.Forbidden(p.Child(key), tooDear(name, cost, mostOfRule)))
		}
		place.scope.total.add(p.Child(key), cost)
	}
	costs(times(rule.MaxCost, most), "estimated rule cost", "rule")
	if rule.Problem != "" {
		errs = append(errs, field.Invalid(p.Child("rule"), printed, rule.Problem))
	}
	if rule.MessageProblem != "" {
		errs = append(errs, field.Invalid(p.Child("messageExpression"), printed, rule.MessageProblem))
	} else if rule.HasMessage {
		costs(rule.MessageMaxCost, "estimated messageExpression cost", "messageExpression")
	}
	switch {
	case rule.UsesOldSelf && place.noOldSelf != nil:
		errs = append(errs, field.Invalid(p.Child("rule"), rule.Rule.Rule,
			fmt.Sprintf("oldSelf cannot be used on the uncorrelatable portion of the schema within %v", place.noOldSelf)))
	case !rule.UsesOldSelf && rule.HasOptionalOldSelf:
		errs = append(errs, field.Invalid(p.Child("optionalOldSelf"), rule.OptionalOldSelf, "may not be set if oldSelf is not used in rule"))
	}
	return errs
}

// totalCost adds up what the expressions of a version cost, and keeps the
// dearest.
type totalCost struct {
	sum     uint64
	dearest []dear
}

type dear struct {
	path *field.Path
	cost uint64
}

func (t *totalCost) add(p *field.Path, cost uint64) {
	if cost > math.MaxUint64-t.sum {
		t.sum = math.MaxUint64
	} else {
		t.sum += cost
	}
	if cost < mostOfDefinition/100 {
		return
	}
	t.dearest = append(t.dearest, dear{p, cost})
	slices.SortStableFunc(t.dearest, func(a, b dear) int {
		switch {
		case a.cost > b.cost:
			return -1
		case a.cost < b.cost:
			return 1
		}
		return 0
	})
	t.dearest = t.dearest[:min(4, len(t.dearest))]
}

// errors are what is said about a version whose expressions cost too much
// together; p is the path of its schema.
func (t *totalCost) errors(p *field.Path) field.ErrorList {
	if t.sum <= mostOfDefinition {
		return nil
	}
	var errs field.ErrorList
	for _, d := range t.dearest {
		errs = append(errs, field.Forbidden(d.path, "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema"))
	}
	return append(errs, field.Forbidden(p, tooDear("x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema", t.sum, mostOfDefinition)))
}

// tooDear says by how much a cost is over its limit.
func tooDear(what string, cost, limit uint64) string {
	over := float64(cost) / float64(limit)
	factor := fmt.Sprintf("%.1fx", over)
	switch {
	case over > 100:
		factor = "more than 100x"
	case over < 1.5:
		factor = fmt.Sprintf("%fx", over) // never 1.0x
	}
	return what + " exceeds budget by factor of " + factor + " (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)"
}
