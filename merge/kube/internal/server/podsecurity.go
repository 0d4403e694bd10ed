package server

import (
	"fmt"
	"slices"

	"threeway/merge/fault"
	"threeway/merge/kube/internal/podsecurity"
	"threeway/merge/kube/internal/validation"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// podSecurity is the plugin PodSecurity: Pods that violate what their
// Namespace enforces are rejected; of other Pods and of workloads it warns. It
// says nothing where the Namespace is not known. No namespace, user or runtime
// class is exempt, as in a server without a configuration of the plugin.
//
// Source: Validate of k8s.io/pod-security-admission/admission.
func (s *Server) podSecurity(r *validation.Request) ([]string, *fault.Rejection) {
	path := kindOf(r.Kind).podSpec
	switch {
	case r.Kind == namespaceKind:
		return s.podSecurityLabels(r)
	case path == nil || r.Namespace == nil:
		return nil, nil
	}
	namespace, _ := r.Namespace(tree.String(r.Object, "metadata", "namespace"))
	policy, _ := podsecurity.Of(tree.Map(namespace, "metadata", "labels"))
	template := tree.Map(r.Object, path[:len(path)-1]...)
	if r.Kind == podKind {
		if r.Old != nil && sameImages(r.Object, r.Old) {
			return nil, nil
		}
		if v := podsecurity.Evaluate(policy.Enforce, s.Minor, template); v != nil {
			return nil, s.around().forbidden(r.Kind, r.Object, fmt.Sprintf("violates PodSecurity %q: %s", policy.Enforce, v.Details())).DecidedBy("Namespace", tree.String(namespace, "metadata", "name"))
		}
	}
	if v := podsecurity.Evaluate(policy.Warn, s.Minor, template); v != nil && template != nil {
		return []string{fmt.Sprintf("would violate PodSecurity %q: %s", policy.Warn, v.Details())}, nil
	}
	return nil, nil
}

// DependsOnNamespace reports whether the labels of a Namespace that is not known
// may make the server reject an object, or warn of what it did not warn of
// before: not if its Pods violate nothing of the strictest standard but what
// the old object does, which is nil on create.
func (s *Server) DependsOnNamespace(k schema.Kind, obj, old tree.Object) bool {
	path := kindOf(k).podSpec
	if path == nil {
		return false
	}
	if _, known := s.around().Namespace(tree.String(obj, "metadata", "namespace")); known {
		return false
	}
	strictest := podsecurity.Standard{Level: podsecurity.Restricted, Version: podsecurity.Latest}
	violations := func(obj tree.Object) string {
		return podsecurity.Evaluate(strictest, s.Minor, tree.Map(obj, path[:len(path)-1]...)).Details()
	}
	now := violations(obj)
	return now != "" && (old == nil || now != violations(old))
}

// sameImages reports whether an update of a Pod leaves its containers and
// their images alone, so that it is not evaluated again
// (isSignificantPodUpdate). Containers are told apart by position, ephemeral
// ones by name.
func sameImages(pod, old tree.Object) bool {
	same := func(a, b any) bool { return tree.String(a, "image") == tree.String(b, "image") }
	for _, list := range []string{"containers", "initContainers"} {
		if !slices.EqualFunc(tree.List(pod, "spec", list), tree.List(old, "spec", list), same) {
			return false
		}
	}
	before := tree.List(old, "spec", "ephemeralContainers")
	for _, c := range tree.List(pod, "spec", "ephemeralContainers") {
		i := slices.IndexFunc(before, func(o any) bool { return tree.String(o, "name") == tree.String(c, "name") })
		if i < 0 || !same(c, before[i]) {
			return false
		}
	}
	return true
}

// podSecurityLabels checks the labels of a Namespace, and warns of the Pods of
// the snapshot that a level which is now enforced would not let in.
func (s *Server) podSecurityLabels(r *validation.Request) ([]string, *fault.Rejection) {
	labels, before := tree.Map(r.Object, "metadata", "labels"), tree.Map(r.Old, "metadata", "labels")
	if errs := podsecurity.InvalidLabels(labels, before); len(errs) > 0 {
		return nil, invalid(r.Kind, r.Object, errs)
	}
	if r.Old == nil || !podsecurity.Tightened(labels, before) {
		return nil, nil
	}
	policy, _ := podsecurity.Of(labels)
	name := tree.String(r.Object, "metadata", "name")
	return podsecurity.Existing(name, policy.Enforce, s.Minor, s.around().ObjectsIn("Pod", name)), nil
}

// TightensPods reports whether a Namespace gets a stricter Pod Security level.
func TightensPods(namespace, old tree.Object) bool {
	return podsecurity.Tightened(tree.Map(namespace, "metadata", "labels"), tree.Map(old, "metadata", "labels"))
}
