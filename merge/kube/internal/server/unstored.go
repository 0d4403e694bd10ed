package server

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/kube/internal/validation"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// invalid is the rejection of an object of a kind. What is not stored has no
// name, and the server leaves out its kind too
// (pkg/registry/authorization/*/rest.go).
func (k builtin) invalid(obj tree.Object, errs field.ErrorList) *fault.Rejection {
	if k.row.serves == creation {
		return fault.InvalidObject("", schema.Kind{Group: k.Group}.GroupKind(), "", obj, fault.Fields(errs, obj))
	}
	return invalid(k.internal(), obj, errs)
}

// hasToken is what a TokenReview must have
// (pkg/registry/authentication/tokenreview/storage.go).
func hasToken(_ *Server, r *validation.Request) *fault.Rejection {
	return required(r.Object, "token is required for TokenReview in authentication", "spec", "token")
}

// hasNamespace is what a SelfSubjectRulesReview must have
// (pkg/registry/authorization/selfsubjectrulesreview/rest.go).
func hasNamespace(_ *Server, r *validation.Request) *fault.Rejection {
	return required(r.Object, "no namespace on request", "spec", "namespace")
}

func required(obj tree.Object, why string, path ...string) *fault.Rejection {
	if tree.String(obj, path...) != "" {
		return nil
	}
	return fault.Reject("BadRequest", fault.Words("%s", why), fault.Fault{Code: fault.Invalid, Path: fieldpath.New(path...)})
}

// checkBinding follows BindingREST.Create of pkg/registry/core/pod/storage, which
// answers with the bare faults. The Pod is the live one: whether one that is not
// in the snapshot exists is known only of a dump of every kind.
func checkBinding(s *Server, r *validation.Request) *fault.Rejection {
	if errs := validation.Binding(r); len(errs) > 0 {
		return fault.Reject("", fault.Words("%s", errs.ToAggregate().Error()), fault.Fields(errs, r.Object)...)
	}
	name := tree.String(r.Object, "metadata", "name")
	pod := s.around().find("Pod", tree.String(r.Object, "metadata", "namespace"), name)
	switch {
	case pod == nil && s.around().Complete():
		return fault.Reject("NotFound", fault.Words("pods %q not found", name))
	case pod == nil:
		return nil
	case tree.Has(pod, "metadata", "deletionTimestamp"):
		return unbound(name, "pod %s is being deleted, cannot be assigned to a host", name)
	case tree.String(pod, "spec", "nodeName") != "":
		return unbound(name, "pod %s is already assigned to node %q", name, tree.String(pod, "spec", "nodeName"))
	case len(tree.List(pod, "spec", "schedulingGates")) > 0:
		return unbound(name, "pod %s has non-empty .spec.schedulingGates", name)
	}
	return nil
}

func unbound(pod, why string, args ...any) *fault.Rejection {
	return conflict(fault.Invalid, "name", "pods/binding", pod, fmt.Sprintf(why, args...))
}
