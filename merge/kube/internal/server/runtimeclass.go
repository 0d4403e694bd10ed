package server

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/validate/content"

	"threeway/merge/fault"
	"threeway/merge/kube/internal/minors"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// runtimeClass is the RuntimeClass plugin on a new Pod
// (plugin/pkg/admission/runtimeclass): overhead, node selector and tolerations
// of the class that the Pod names.
func (s *Server) runtimeClass(k schema.Kind, pod tree.Object) *fault.Rejection {
	spec, name := tree.Map(pod, "spec"), tree.String(pod, "spec", "runtimeClassName")
	refuse := func(format string, args ...any) *fault.Rejection {
		return s.around().forbidden(k, pod, fmt.Sprintf(format, args...)).DecidedBy(runtimeClasses, name)
	}
	if tree.Has(spec, "runtimeClassName") && name == "" && !minors.EmptyRuntimeClass.In(s.Minor) {
		return fault.Reject("", fault.Words("resource name may not be empty"))
	}
	if name == "" {
		if len(tree.Map(spec, "overhead")) > 0 {
			return refuse("pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead")
		}
		return nil
	}
	if msgs := content.IsPathSegmentName(name); len(msgs) > 0 {
		return fault.Reject("", fault.Words("invalid resource name %q: %v", name, msgs))
	}
	if c := s.around().find(runtimeClasses, "", name); c != nil {
		if overhead := tree.Map(c, "overhead", "podFixed"); overhead != nil {
			if have := tree.Map(spec, "overhead"); len(have) > 0 && !tree.Equal(have, overhead) {
				return refuse("pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead")
			}
			spec["overhead"] = tree.CopyObject(overhead)
		}
		for key, v := range tree.Map(c, "scheduling", "nodeSelector") {
			if have, ok := tree.Get(spec, "nodeSelector", key); ok && have != v {
				return refuse("conflict: runtimeClass.scheduling.nodeSelector[%s] = %s; pod.spec.nodeSelector[%s] = %s", key, v, key, have)
			}
			tree.Set(spec, v, "nodeSelector", key)
		}
		for _, t := range tree.List(c, "scheduling", "tolerations") {
			if !contains(tree.List(spec, "tolerations"), t) {
				spec["tolerations"] = append(tree.List(spec, "tolerations"), tree.Copy(t))
			}
		}
		return nil
	}
	if !s.around().tells(runtimeClasses) {
		return nil // the snapshot holds none of the kind; it cannot tell
	}
	return s.around().forbidden(k, pod, fmt.Sprintf("pod rejected: RuntimeClass %q not found", name), fault.Fault{Code: fault.Absent}).DecidedBy(runtimeClasses, name)
}

func contains(list []any, v any) bool {
	for _, x := range list {
		if tree.Equal(x, v) {
			return true
		}
	}
	return false
}
