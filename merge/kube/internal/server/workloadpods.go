package server

import (
	"slices"

	"threeway/merge/fault"
	"threeway/merge/kube/internal/policy"
	"threeway/merge/kube/internal/validation"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// MakesPods reports whether a controller makes Pods of objects of a kind.
func MakesPods(k schema.Kind) bool {
	return kindOf(k).podSpec != nil && k != podKind && k.Kind != "PodTemplate"
}

// NextPod is a Pod as the controller of a workload makes it of the template, and why the
// server rejects it before it looks at quotas; nil if nothing makes Pods of the object, or if it asks for none.
func (s *Server) NextPod(k schema.Kind, workload tree.Object) (tree.Object, *fault.Rejection) {
	if !MakesPods(k) || makesNone(workload) {
		return nil, nil
	}
	path := kindOf(k).podSpec
	template := tree.Map(workload, path[:len(path)-1]...)
	if template == nil {
		return nil, nil
	}
	pod := tree.Shallow(template, "metadata", "spec") // decoding copies the rest
	pod["apiVersion"], pod["kind"] = podKind.APIVersion(), podKind.Kind
	tree.Set(pod, tree.String(workload, "metadata", "name"), "metadata", "name")
	tree.Set(pod, tree.String(workload, "metadata", "namespace"), "metadata", "namespace")
	mountClaims(pod, workload)
	b, _ := lookup(podKind)
	pod, _, err := b.decode(pod, s.Minor, true)
	if err != nil {
		return nil, nil
	}
	s.complete(b, pod)
	admit := func() *fault.Rejection { return s.admitNew(b, pod) }
	var res Result
	if res.Rejection = admit(); res.Rejection != nil || !s.mutateWith(&res, b, pod, admit, s.podRequest) {
		return pod, res.Rejection
	}
	if len(res.Undecided) > 0 {
		return nil, nil // what the Pod looks like is not known
	}
	b.row.prepareNew(pod, s.Minor)
	request := &validation.Request{Kind: podKind, Object: pod, Minor: s.Minor, Namespace: s.around().Namespace}
	if errs := s.beside(&res, request, b.row.validation); len(errs) > 0 {
		return pod, b.invalid(pod, errs)
	}
	_, no := s.admit(request)
	if all := s.admissionPolicies().validating; all != nil && no == nil {
		r := s.podRequest(pod)
		if d := all.Validate(r).Denial; d != nil {
			no = s.denied(r, d)
		}
	}
	return pod, no
}

// mountClaims gives a Pod of a StatefulSet the volumes of its claims, in place of those of
// the same names.
//
// Source: updateStorage of pkg/controller/statefulset/stateful_set_utils.go.
func mountClaims(pod, set tree.Object) {
	volumes := tree.List(pod, "spec", "volumes")
	for _, claim := range tree.List(set, "spec", "volumeClaimTemplates") {
		name := tree.String(claim, "metadata", "name")
		volumes = slices.DeleteFunc(slices.Clone(volumes), func(v any) bool { return tree.String(v, "name") == name })
		of := tree.Object{"claimName": name + "-" + tree.String(set, "metadata", "name") + "-0"}
		volumes = append(volumes, tree.Object{"name": name, "persistentVolumeClaim": of})
	}
	if len(volumes) > 0 {
		tree.Set(pod, volumes, "spec", "volumes")
	}
}

// podRequest is the request of a controller that creates a Pod, as policies see it.
// Who the controller is depends on how it was started, and it adds to the metadata
// of the template: owners, and a name.
func (s *Server) podRequest(pod tree.Object) *policy.Request {
	b, _ := lookup(podKind)
	r := s.policyRequest(podKind, pod, nil, s.view(b))
	r.User, r.Options, r.DryRun = nil, RequestOptions{}.object(false), false
	r.Unknown = []string{"name", "generateName", "ownerReferences", "managedFields", "uid", "creationTimestamp"}
	return r
}

// makesNone reports whether a workload is at zero, suspended, or a Job that has ended.
func makesNone(workload tree.Object) bool {
	for _, c := range tree.List(workload, "status", "conditions") {
		if kind := tree.String(c, "type"); (kind == "Complete" || kind == "Failed") && tree.String(c, "status") == "True" {
			return true
		}
	}
	for _, field := range []string{"replicas", "parallelism"} {
		if n, set := tree.Int(workload, "spec", field); set && n == 0 {
			return true
		}
	}
	return tree.Bool(workload, "spec", "suspend")
}
