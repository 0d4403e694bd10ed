package server

import (
	"threeway/merge/fault"
	"threeway/merge/schema"
	"threeway/merge/server/quota"
	"threeway/merge/tree"
)

// Quota is the plugin ResourceQuota, which comes last, on an object that the
// server otherwise stores: the rejection, nil if the quotas allow it. The
// ledger is charged with what it uses, unless the request is dry. old is nil on
// create. Unlike the other plugins it depends on the requests before, so that
// the caller asks it in their order.
func (s *Server) Quota(l quota.Ledger, k schema.Kind, obj, old tree.Object, dry bool) *fault.Rejection {
	if why := l.Admit(s.quotaRequest(k, obj, old), dry); why != "" {
		return s.Cluster.forbidden(k, obj, why)
	}
	return nil
}

func (s *Server) quotaRequest(k schema.Kind, obj, old tree.Object) quota.Request {
	resource := s.Cluster.Resource(k)
	if k.Group != "" {
		resource += "." + k.Group
	}
	return quota.Request{Resource: resource, Object: obj, Old: old, Minor: s.Minor}
}

// PodsOverQuota is why the quotas reject Pods of a workload, "" if they do not;
// fit is how many there may be of the wanted ones. The ledger is charged with
// those that fit.
func (s *Server) PodsOverQuota(l quota.Ledger, k schema.Kind, workload tree.Object) (why string, fit, wanted int) {
	pod, rejection := s.podOf(k, workload)
	if pod == nil || rejection != nil {
		return "", 0, 0
	}
	wanted = podsOf(k, workload)
	for fit < wanted && why == "" {
		if why = l.Admit(s.quotaRequest(podKind, pod, nil), false); why == "" {
			fit++
		}
	}
	return why, fit, wanted
}

// NextPodOverQuota is why the quotas reject a Pod that comes in place of one of a workload
// that ends, or the first if it has none; "" if they do not.
func (s *Server) NextPodOverQuota(l quota.Ledger, k schema.Kind, workload tree.Object) string {
	pod, rejection := s.podOf(k, workload)
	if pod == nil || rejection != nil {
		return ""
	}
	r := s.quotaRequest(podKind, pod, nil)
	for _, field := range []string{"replicas", "currentNumberScheduled", "active"} {
		if n, _ := tree.Int(workload, "status", field); n > 0 {
			l = l.Without(r)
		}
	}
	return l.Admit(r, true)
}

// podsOf is how many Pods a workload asks for at a time; a DaemonSet, whose
// nodes are not known, for one.
func podsOf(k schema.Kind, workload tree.Object) int {
	spec := tree.Map(workload, "spec")
	if k.Kind == "CronJob" {
		spec = tree.Map(spec, "jobTemplate", "spec")
	}
	wanted := int64(1)
	for _, field := range []string{"replicas", "parallelism"} {
		if n, set := tree.Int(spec, field); set {
			wanted = n
		}
	}
	if n, set := tree.Int(spec, "completions"); set {
		wanted = min(wanted, n)
	}
	return int(wanted)
}
