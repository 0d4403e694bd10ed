package policy

import (
	"slices"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// Request is a create or an update that policies are asked about.
type Request struct {
	Resource
	Name, Namespace string
	// Object is the object of the request, nil on delete, and Old the one that it replaces,
	// nil on create, both as the server prints them.
	Object, Old tree.Object
	// Unknown are the fields of the object's metadata of which only the server
	// knows more than that they are there.
	Unknown []string
	// User is who sends it, nil if that is not known.
	User   *User
	DryRun bool
	// Options are the CreateOptions or UpdateOptions.
	Options tree.Object
	// Rehearsed gives the variables of ReadRehearsed; nil for other policies.
	Rehearsed func(name string) any
}

// operation is the verb that rules match.
func (r *Request) operation() string {
	switch {
	case r.Old == nil:
		return "CREATE"
	case r.Object == nil:
		return "DELETE"
	}
	return "UPDATE"
}

// subject is the object that the request is about.
func (r *Request) subject() tree.Object {
	if r.Object == nil {
		return r.Old
	}
	return r.Object
}

var namespaceKind = schema.Kind{Version: "v1", Kind: "Namespace"}

// exempt are the kinds that policies are not asked about: their own
// (admissionResources of policy/generic/plugin.go), and those whose objects are
// questions (pkg/kubeapiserver/admission/exclusion).
var exempt = []string{
	"ValidatingAdmissionPolicy.admissionregistration.k8s.io",
	"ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io",
	"MutatingAdmissionPolicy.admissionregistration.k8s.io",
	"MutatingAdmissionPolicyBinding.admissionregistration.k8s.io",
	"TokenReview.authentication.k8s.io",
	"SelfSubjectReview.authentication.k8s.io",
	"LocalSubjectAccessReview.authorization.k8s.io",
	"SelfSubjectAccessReview.authorization.k8s.io",
	"SelfSubjectRulesReview.authorization.k8s.io",
	"SubjectAccessReview.authorization.k8s.io",
}

// Exempt reports whether no policy is asked about objects of a kind.
func Exempt(k schema.Kind) bool { return slices.Contains(exempt, k.GroupKind()) }

// versions makes the forms of a request that policies see: at the request's own
// version, and at those that they match instead.
type versions struct {
	*Request
	convert func(obj tree.Object, from, to schema.Kind) tree.Object
	made    map[schema.Kind]*Request
}

// at is the request with its objects at another version.
func (v *versions) at(k schema.Kind) *Request {
	if k == v.Kind {
		return v.Request
	}
	if made := v.made[k]; made != nil {
		return made
	}
	made := *v.Request
	if v.Object != nil {
		made.Object = v.convert(v.Object, v.Kind, k)
	}
	if v.Old != nil {
		made.Old = v.convert(v.Old, v.Kind, k)
	}
	if v.made == nil {
		v.made = map[schema.Kind]*Request{}
	}
	v.made[k] = &made
	return &made
}

// as is a request as a policy sees it that matches it as another resource.
func (r *Request) as(at Resource) *Request {
	if r.Resource == at {
		return r
	}
	other := *r
	other.Resource = at
	return &other
}
