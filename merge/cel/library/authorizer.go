package library

import "github.com/google/cel-go/cel"

// The types of what an authorizer is asked.
var (
	AuthorizerType    = cel.ObjectType("kubernetes.authorization.Authorizer")
	PathCheckType     = cel.ObjectType("kubernetes.authorization.PathCheck")
	GroupCheckType    = cel.ObjectType("kubernetes.authorization.GroupCheck")
	ResourceCheckType = cel.ObjectType("kubernetes.authorization.ResourceCheck")
	DecisionType      = cel.ObjectType("kubernetes.authorization.Decision")
)

// Authorizer declares the functions of an authorizer, so that expressions with
// it compile. None has an implementation, for who may do what is in no file:
// an authorizer is unknown, and so is what is asked of it.
func Authorizer() cel.EnvOption {
	return cel.Lib(&functions{name: "kubernetes.authz", overloads: map[string][]cel.FunctionOpt{
		"path":           {cel.MemberOverload("authorizer_path", takes(AuthorizerType, cel.StringType), PathCheckType)},
		"group":          {cel.MemberOverload("authorizer_group", takes(AuthorizerType, cel.StringType), GroupCheckType)},
		"serviceAccount": {cel.MemberOverload("authorizer_serviceaccount", takes(AuthorizerType, cel.StringType, cel.StringType), AuthorizerType)},
		"resource":       {cel.MemberOverload("groupcheck_resource", takes(GroupCheckType, cel.StringType), ResourceCheckType)},
		"subresource":    {cel.MemberOverload("resourcecheck_subresource", takes(ResourceCheckType, cel.StringType), ResourceCheckType)},
		"namespace":      {cel.MemberOverload("resourcecheck_namespace", takes(ResourceCheckType, cel.StringType), ResourceCheckType)},
		"name":           {cel.MemberOverload("resourcecheck_name", takes(ResourceCheckType, cel.StringType), ResourceCheckType)},
		"check": {
			cel.MemberOverload("pathcheck_check", takes(PathCheckType, cel.StringType), DecisionType),
			cel.MemberOverload("resourcecheck_check", takes(ResourceCheckType, cel.StringType), DecisionType),
		},
		"errored": {cel.MemberOverload("decision_errored", takes(DecisionType), cel.BoolType)},
		"error":   {cel.MemberOverload("decision_error", takes(DecisionType), cel.StringType)},
		"allowed": {cel.MemberOverload("decision_allowed", takes(DecisionType), cel.BoolType)},
		"reason":  {cel.MemberOverload("decision_reason", takes(DecisionType), cel.StringType)},
	}})
}

// Selectors declares fieldSelector and labelSelector of an authorizer.
func Selectors() cel.EnvOption {
	return cel.Lib(&functions{name: "kubernetes.authzSelectors", overloads: map[string][]cel.FunctionOpt{
		"fieldSelector": {cel.MemberOverload("authorizer_fieldselector", takes(ResourceCheckType, cel.StringType), ResourceCheckType)},
		"labelSelector": {cel.MemberOverload("authorizer_labelselector", takes(ResourceCheckType, cel.StringType), ResourceCheckType)},
	}})
}
