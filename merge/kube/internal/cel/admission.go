package cel

import (
	celgo "github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types/ref"

	apiservercel "k8s.io/apiserver/pkg/cel"

	"threeway/merge/kube/internal/cel/library"
	"threeway/merge/memo"
)

// Variables are those that an admission expression can have or not. Every one
// has object, oldObject, request and namespaceObject; that of a policy has
// variables too (Composition).
type Variables struct {
	Params     bool // params, of a policy with paramKind
	Authorizer bool // authorizer and authorizer.requestResource
	Patches    bool // Object{}, JSONPatch{} and jsonpatch.escapeKey, of a mutation
	Rehearsed  bool // lastApplied, live, patch, owners and plan, which no server has
}

var rehearsed = []string{"lastApplied", "live", "patch", "owners", "plan"}

// Question is what an expression asks an authorizer, and Answer what is known of it.
type (
	Question = library.Question
	Answer   = library.Answer
)

// Authorizers are the variables authorizer and authorizer.requestResource.
func Authorizers(ask func(Question) Answer, about Question) (authorizer, requestResource ref.Val) {
	return library.NewAuthorizer(ask), library.NewResourceCheck(ask, about)
}

// admission caches environments of admission.
var admission memo.Table[admissionKey, *Env]

type admissionKey struct {
	base *Env
	has  Variables
}

// Admission is the environment with the variables of admission policies and
// match conditions, but for the variable variables.
//
// Source: createEnvForOpts of k8s.io/apiserver/pkg/admission/plugin/cel/compile.go.
func (e *Env) Admission(has Variables) *Env {
	return admission.Get(admissionKey{e, has}, func() *Env { return e.withAdmission(has) })
}

func (e *Env) withAdmission(has Variables) *Env {
	request, namespace := requestType(), namespaceType()
	options := []celgo.EnvOption{
		celgo.Variable("object", celgo.DynType),
		celgo.Variable("oldObject", celgo.DynType),
		celgo.Variable("request", request.CelType()),
		celgo.Variable("namespaceObject", namespace.CelType()),
	}
	if has.Params {
		options = append(options, celgo.Variable("params", celgo.DynType))
	}
	if has.Authorizer {
		options = append(options,
			celgo.Variable("authorizer", library.AuthorizerType),
			celgo.Variable("authorizer.requestResource", library.ResourceCheckType))
	}
	if has.Rehearsed {
		for _, name := range rehearsed {
			options = append(options, celgo.Variable(name, celgo.DynType))
		}
	}
	env, err := e.Extend([]*apiservercel.DeclType{namespace, request}, options...)
	if err == nil && has.Patches {
		env, err = env.Extend(nil, patchTypes, library.JSONPatch())
	}
	if err != nil {
		panic("cel: environment of admission: " + err.Error()) // a test builds each
	}
	return env
}

// fields are an object's fields with their types.
type fields map[string]*apiservercel.DeclType

// object is an object type. Whether a field is required does not matter to
// expressions.
func object(name string, of fields) *apiservercel.DeclType {
	declared := make(map[string]*apiservercel.DeclField, len(of))
	for field, typ := range of {
		declared[field] = apiservercel.NewDeclField(field, typ, true, nil, nil)
	}
	return apiservercel.NewObjectType(name, declared)
}

func listOf(item *apiservercel.DeclType) *apiservercel.DeclType {
	return apiservercel.NewListType(item, -1)
}

func mapOf(value *apiservercel.DeclType) *apiservercel.DeclType {
	return apiservercel.NewMapType(apiservercel.StringType, value, -1)
}

// requestType is the type of request: an AdmissionRequest without uid, object
// and oldObject.
func requestType() *apiservercel.DeclType {
	text := apiservercel.StringType
	kind := object("kubernetes.GroupVersionKind", fields{"group": text, "version": text, "kind": text})
	resource := object("kubernetes.GroupVersionResource", fields{"group": text, "version": text, "resource": text})
	user := object("kubernetes.UserInfo", fields{
		"username": text, "uid": text, "groups": listOf(text), "extra": mapOf(listOf(text)),
	})
	return object("kubernetes.AdmissionRequest", fields{
		"kind": kind, "resource": resource, "subResource": text,
		"requestKind": kind, "requestResource": resource, "requestSubResource": text,
		"name": text, "namespace": text, "operation": text,
		"userInfo": user, "dryRun": apiservercel.BoolType, "options": apiservercel.DynType,
	})
}

// namespaceType is the type of namespaceObject: a Namespace without
// managedFields and ownerReferences. UID is written like that upstream.
func namespaceType() *apiservercel.DeclType {
	text := apiservercel.StringType
	condition := object("kubernetes.NamespaceCondition", fields{
		"status": text, "type": text, "lastTransitionTime": apiservercel.TimestampType, "message": text, "reason": text,
	})
	metadata := object("kubernetes.NamespaceMetadata", fields{
		"name": text, "generateName": text, "namespace": text, "labels": mapOf(text), "annotations": mapOf(text),
		"UID": text, "creationTimestamp": apiservercel.TimestampType, "deletionGracePeriodSeconds": apiservercel.IntType,
		"deletionTimestamp": apiservercel.TimestampType, "generation": apiservercel.IntType, "resourceVersion": text,
		"finalizers": listOf(text),
	})
	return object("kubernetes.Namespace", fields{
		"metadata": metadata,
		"spec":     object("kubernetes.NamespaceSpec", fields{"finalizers": listOf(text)}),
		"status":   object("kubernetes.NamespaceStatus", fields{"conditions": listOf(condition), "phase": text}),
	})
}
