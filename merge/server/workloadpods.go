package server

import (
	"strings"

	"threeway/merge/schema"
	"threeway/merge/server/validation"
	"threeway/merge/tree"
)

// RejectedPods is why admission would reject the Pods that a controller makes
// of a workload which the server has accepted; "" if it would not, if nothing
// makes Pods of the object, or if the workload asks for none.
func (s *Server) RejectedPods(k schema.Kind, workload tree.Object) string {
	path := kindOf(k).podSpec
	if path == nil || k == podKind || k.Kind == "PodTemplate" || makesNone(workload) {
		return ""
	}
	template := tree.Map(workload, path[:len(path)-1]...)
	if template == nil {
		return ""
	}
	pod := tree.CopyObject(template)
	pod["apiVersion"], pod["kind"] = podKind.APIVersion(), podKind.Kind
	tree.Set(pod, tree.String(workload, "metadata", "name"), "metadata", "name")
	tree.Set(pod, tree.String(workload, "metadata", "namespace"), "metadata", "namespace")
	b, _ := lookup(podKind)
	pod, _, err := b.decode(pod, s.Minor, true)
	if err != nil {
		return ""
	}
	s.complete(b, pod)
	rejection := s.admitNew(b, pod)
	if rejection == nil {
		b.row.prepareNew(pod)
		_, rejection = s.admit(&validation.Request{Kind: podKind, Object: pod, Minor: s.Minor, Namespace: s.Cluster.Namespace})
	}
	if rejection == nil {
		return ""
	}
	message := rejection.Message.String()
	if _, why, ok := strings.Cut(message, " is forbidden: "); ok { // the name of the Pod is random
		return why
	}
	return message
}

// makesNone reports whether a workload is at zero or suspended.
func makesNone(workload tree.Object) bool {
	for _, field := range []string{"replicas", "parallelism"} {
		if n, set := tree.Int(workload, "spec", field); set && n == 0 {
			return true
		}
	}
	return tree.Bool(workload, "spec", "suspend")
}
