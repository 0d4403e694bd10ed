package server

import (
	"threeway/merge/fault"
	"threeway/merge/kube/internal/quota"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// Quota is the plugin ResourceQuota, which comes last, on an object that the
// server otherwise stores: the rejection, nil if the quotas allow it. The
// ledger is charged with what it uses, unless the request is dry. old is nil on
// create. Unlike the other plugins it depends on the requests before, so that
// the caller asks it in their order.
func (s *Server) Quota(l quota.Ledger, k schema.Kind, obj, old tree.Object, dry bool) *fault.Rejection {
	if why, by := l.Admit(s.quotaRequest(k, obj, old), dry); why != "" {
		return s.around().forbidden(k, obj, why).DecidedBy("ResourceQuota", by)
	}
	return nil
}

func (s *Server) quotaRequest(k schema.Kind, obj, old tree.Object) quota.Request {
	resource := s.around().Plural(k)
	if k.Group != "" {
		resource += "." + k.Group
	}
	return quota.Request{Resource: resource, Object: obj, Old: old, Minor: s.Minor}
}

// QuotaCounts reports whether a ResourceQuota, by its spec, limits an object that is created, or
// the pods of its template.
func (s *Server) QuotaCounts(of tree.Object, k schema.Kind, obj tree.Object) bool {
	templated := tree.Map(obj, "spec", "template") != nil || tree.Map(obj, "spec", "jobTemplate") != nil
	return quota.Counts(of, s.quotaRequest(k, obj, nil)) || templated && quota.Counts(of, s.quotaRequest(podKind, obj, nil))
}

// PodsOverQuota is why the quotas reject Pods of a workload, "" if they do not; fit is
// how many there may be of the wanted ones. pod is one that nothing else rejects, or nil.
// The ledger is charged with those that fit.
func (s *Server) PodsOverQuota(l quota.Ledger, k schema.Kind, workload, pod tree.Object) (why string, fit, wanted int) {
	if pod == nil {
		return "", 0, 0
	}
	wanted = podsOf(k, workload)
	for fit < wanted && why == "" {
		if why, _ = l.Admit(s.quotaRequest(podKind, pod, nil), false); why == "" {
			fit++
		}
	}
	return why, fit, wanted
}

// PodOverQuota is why the quotas reject one Pod of a workload that wants any, "" if they do not. Nothing is
// charged.
func (s *Server) PodOverQuota(l quota.Ledger, k schema.Kind, workload, pod tree.Object) string {
	if pod == nil || podsOf(k, workload) < 1 {
		return ""
	}
	why, _ := l.Admit(s.quotaRequest(podKind, pod, nil), true)
	return why
}

// Quotas returns the ledger of ResourceQuotas as their status has it.
func (s *Server) Quotas(list []tree.Object) quota.Ledger { return quota.Read(list) }

// SettledQuotas returns the ledger of ResourceQuotas once controllers have counted the pods.
func (s *Server) SettledQuotas(list, pods []tree.Object) quota.Ledger {
	return quota.Settled(list, pods, s.Minor)
}

// Next is why the server rejects what the controller of a workload makes next, and who
// decides it; empty if it does not: a Pod in place of one that ends, or the first if it has none; the one
// with which a rollout begins; and the next Job of a CronJob.
func (s *Server) Next(l quota.Ledger, k schema.Kind, workload tree.Object) (fault.Text, fault.Decider) {
	if why, by := s.nextJob(l, k, workload).Why(); !why.Empty() {
		return fault.Join(fault.Words("its next Job: "), why), by
	}
	pod, no := s.NextPod(k, workload)
	if pod == nil || no != nil {
		return no.Why()
	}
	r := s.quotaRequest(podKind, pod, nil)
	left := l
	for _, field := range []string{"replicas", "currentNumberScheduled", "active"} {
		if n, _ := tree.Int(workload, "status", field); n > 0 {
			left = l.Without(r)
		}
	}
	why, by := left.Admit(r, true)
	if why == "" && surges(k, workload) {
		why, by = l.Admit(r, true)
	}
	if why == "" {
		return fault.Text{}, fault.Decider{}
	}
	return fault.Words("%s", why), fault.Decider{GroupKind: "ResourceQuota", Name: by}
}

// nextJob is why the server rejects the Job that a CronJob makes next.
func (s *Server) nextJob(l quota.Ledger, k schema.Kind, cron tree.Object) *fault.Rejection {
	if k.GroupKind() != "CronJob.batch" || makesNone(cron) {
		return nil
	}
	job := tree.CopyObject(tree.Map(cron, "spec", "jobTemplate"))
	tree.Set(job, tree.String(cron, "metadata", "name"), "metadata", "name")
	tree.Set(job, tree.String(cron, "metadata", "namespace"), "metadata", "namespace")
	k = schema.Kind{Group: "batch", Version: "v1", Kind: "Job"}
	job["apiVersion"], job["kind"] = k.APIVersion(), k.Kind
	res := s.create(k, job)
	if res.Rejection != nil {
		return res.Rejection
	}
	return s.Quota(l, k, res.Object, nil, true)
}

// surges reports whether a rollout ends no Pod of a workload before it has a new one.
//
// Source: ResolveFenceposts of pkg/controller/deployment/util, and
// pkg/controller/daemon/util, where one of both is zero.
func surges(k schema.Kind, workload tree.Object) bool {
	field := map[string]string{"Deployment": "strategy", "DaemonSet": "updateStrategy"}[k.Kind]
	rolling := tree.Map(workload, "spec", field, "rollingUpdate")
	n := podsOf(k, workload)
	return tree.Scaled(rolling["maxSurge"], n, true) > 0 && tree.Scaled(rolling["maxUnavailable"], n, false) == 0
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
