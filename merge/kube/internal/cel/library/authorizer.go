package library

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"k8s.io/apimachinery/pkg/api/validate/content"
)

// The types of what an authorizer is asked.
var (
	AuthorizerType    = cel.ObjectType("kubernetes.authorization.Authorizer")
	PathCheckType     = cel.ObjectType("kubernetes.authorization.PathCheck")
	GroupCheckType    = cel.ObjectType("kubernetes.authorization.GroupCheck")
	ResourceCheckType = cel.ObjectType("kubernetes.authorization.ResourceCheck")
	DecisionType      = cel.ObjectType("kubernetes.authorization.Decision")
)

// Question is what an authorizer is asked: about a path, or else a resource, and for a
// ServiceAccount, or else for who sends the request.
type Question struct {
	AccountNamespace, Account                       string
	Path                                            string
	Group, Resource, Subresource, Namespace, Object string
	Verb                                            string
}

// Answer is what is known of a right.
type Answer struct {
	Allowed bool
	// Reasons are what the server may say of it; needs is what may have more of them.
	Reasons func() (list, needs []string)
	// Needs is what has to be known for it.
	Needs []string
}

// asked is a question that is not complete, as the value of an expression.
type asked struct {
	object
	Question
	ask func(Question) Answer
}

// decided is an answer as the value of an expression.
type decided struct {
	object
	Answer
}

// NewAuthorizer is an authorizer that is asked by a function.
func NewAuthorizer(ask func(Question) Answer) ref.Val {
	return &asked{object: object{AuthorizerType}, ask: ask}
}

// NewResourceCheck is an authorizer that is asked about a resource.
func NewResourceCheck(ask func(Question) Answer, about Question) ref.Val {
	return &asked{object{ResourceCheckType}, about, ask}
}

// Authorizer declares the functions of an authorizer
// (k8s.io/apiserver/pkg/cel/library/authz.go).
func Authorizer() cel.EnvOption {
	return cel.Lib(&library{name: "kubernetes.authz", overloads: map[string][]cel.FunctionOpt{
		"path": {asks("authorizer_path", AuthorizerType, PathCheckType, func(q *Question, text string) string {
			q.Path = text
			return ifBlank("path", text)
		})},
		"group": {asks("authorizer_group", AuthorizerType, GroupCheckType, func(q *Question, text string) string {
			q.Group = text
			return ""
		})},
		"serviceAccount": {method("authorizer_serviceaccount", takes(AuthorizerType, cel.StringType, cel.StringType), AuthorizerType, cel.FunctionBinding(asAccount))},
		"resource": {asks("groupcheck_resource", GroupCheckType, ResourceCheckType, func(q *Question, text string) string {
			q.Resource = text
			return ifBlank("resource", text)
		})},
		"subresource": {asks("resourcecheck_subresource", ResourceCheckType, ResourceCheckType, func(q *Question, text string) string {
			q.Subresource = text
			return ""
		})},
		"namespace": {asks("resourcecheck_namespace", ResourceCheckType, ResourceCheckType, func(q *Question, text string) string {
			q.Namespace = text
			return ""
		})},
		"name": {asks("resourcecheck_name", ResourceCheckType, ResourceCheckType, func(q *Question, text string) string {
			q.Object = text
			return ""
		})},
		"check": {
			method("pathcheck_check", takes(PathCheckType, cel.StringType), DecisionType, cel.BinaryBinding(check)),
			method("resourcecheck_check", takes(ResourceCheckType, cel.StringType), DecisionType, cel.BinaryBinding(check)),
		},
		// RBAC gives no errors.
		"errored": {tells("decision_errored", cel.BoolType, func(Answer) ref.Val { return types.False })},
		"error":   {tells("decision_error", cel.StringType, func(Answer) ref.Val { return types.String("") })},
		"allowed": {tells("decision_allowed", cel.BoolType, func(a Answer) ref.Val { return types.Bool(a.Allowed) })},
		"reason": {tells("decision_reason", cel.StringType, func(a Answer) ref.Val {
			list, needs := a.Reasons()
			switch {
			case needs != nil:
				return unknown(needs)
			case len(list) > 1:
				return unknown([]string{fmt.Sprintf("which of %d bindings the server names", len(list))})
			}
			return types.String(list[0])
		})},
	}})
}

// Selectors declares fieldSelector and labelSelector of an authorizer. RBAC does not look
// at them.
func Selectors() cel.EnvOption {
	ignored := func(*Question, string) string { return "" }
	return cel.Lib(&library{name: "kubernetes.authzSelectors", overloads: map[string][]cel.FunctionOpt{
		"fieldSelector": {asks("authorizer_fieldselector", ResourceCheckType, ResourceCheckType, ignored)},
		"labelSelector": {asks("authorizer_labelselector", ResourceCheckType, ResourceCheckType, ignored)},
	}})
}

// asks is a method with which a question goes on; set returns an error, or "".
func asks(id string, on, then *cel.Type, set func(q *Question, text string) string) cel.FunctionOpt {
	return method(id, takes(on, cel.StringType), then, cel.BinaryBinding(func(of, with ref.Val) ref.Val {
		a, ok := of.(*asked)
		text, isText := with.Value().(string)
		if !ok || !isText {
			return types.MaybeNoSuchOverloadErr(of)
		}
		next := *a
		next.typ = then
		if fault := set(&next.Question, text); fault != "" {
			return types.NewErr("%s", fault)
		}
		return &next
	}))
}

func ifBlank(what, text string) string {
	if strings.TrimSpace(text) == "" {
		return what + " must not be empty"
	}
	return ""
}

func asAccount(args ...ref.Val) ref.Val {
	a, ok := args[0].(*asked)
	namespace, isText := args[1].Value().(string)
	name, both := args[2].Value().(string)
	switch {
	case !ok || !isText || !both:
		return types.MaybeNoSuchOverloadErr(args[0])
	case len(content.IsDNS1123Subdomain(name)) > 0:
		return types.NewErr("Invalid service account name")
	case len(content.IsDNS1123Label(namespace)) > 0:
		return types.NewErr("Invalid service account namespace")
	}
	return &asked{object{AuthorizerType}, Question{AccountNamespace: namespace, Account: name}, a.ask}
}

func check(of, with ref.Val) ref.Val {
	a, ok := of.(*asked)
	verb, isText := with.Value().(string)
	if !ok || !isText {
		return types.MaybeNoSuchOverloadErr(of)
	}
	q := a.Question
	q.Verb = verb
	answer := a.ask(q)
	if answer.Needs != nil {
		return unknown(answer.Needs)
	}
	return &decided{object{DecisionType}, answer}
}

func unknown(needs []string) ref.Val {
	var all *types.Unknown
	for _, what := range needs {
		all = types.MergeUnknowns(all, types.NewUnknown(0, types.NewAttributeTrail(what)))
	}
	return all
}

func tells(id string, result *cel.Type, tell func(Answer) ref.Val) cel.FunctionOpt {
	return method(id, takes(DecisionType), result, cel.UnaryBinding(func(of ref.Val) ref.Val {
		d, ok := of.(*decided)
		if !ok {
			return types.MaybeNoSuchOverloadErr(of)
		}
		return tell(d.Answer)
	}))
}

// object is a value that has methods only.
type object struct{ typ *types.Type }

// ConvertToNative fails.
func (o object) ConvertToNative(to reflect.Type) (any, error) {
	return nil, fmt.Errorf("type conversion error from '%s' to '%v'", o.typ, to)
}

// ConvertToType knows its type only.
func (o object) ConvertToType(to ref.Type) ref.Val {
	if to == types.TypeType {
		return o.typ
	}
	return types.NewErr("type conversion error from '%s' to '%s'", o.typ, to)
}

// Equal fails.
func (o object) Equal(other ref.Val) ref.Val { return types.MaybeNoSuchOverloadErr(other) }

// Type is what it is.
func (o object) Type() ref.Type { return o.typ }

// Value is none.
func (o object) Value() any { return types.NoSuchOverloadErr() }
