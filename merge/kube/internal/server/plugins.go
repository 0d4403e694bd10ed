package server

import (
	"slices"

	"threeway/merge/fault"
	"threeway/merge/kube/internal/validation"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// plugin is a validating admission plugin: it warns of a request that has
// passed validation, or rejects it.
type plugin struct {
	name     string
	validate func(s *Server, r *validation.Request) ([]string, *fault.Rejection)
}

// validating are those that are on by default and say something about an
// ordinary apply, in the order in which the server asks them
// (AllOrderedPlugins of pkg/kubeapiserver/options/plugins.go). After them come those
// whose answer may be unknown (finish), policies (policies.go), and ResourceQuota last
// (quotas.go); webhooks, which would come before it, are not asked.
var validating = []plugin{
	{"LimitRanger", rejecting((*Server).limited)},
	{"PodSecurity", (*Server).podSecurity},
	{"Priority", rejecting((*Server).onlyDefault)},
	{"CertificateSubjectRestriction", rejecting((*Server).restrictSubject)},
}

// rejecting is a plugin that never warns.
func rejecting(f func(s *Server, r *validation.Request) *fault.Rejection) func(*Server, *validation.Request) ([]string, *fault.Rejection) {
	return func(s *Server, r *validation.Request) ([]string, *fault.Rejection) { return nil, f(s, r) }
}

// admit asks the plugins until one rejects the request.
func (s *Server) admit(r *validation.Request) (warnings []string, rejection *fault.Rejection) {
	for _, p := range validating {
		said, rejection := p.validate(s, r)
		warnings = append(warnings, said...)
		if rejection != nil {
			return warnings, rejection
		}
	}
	return warnings, nil
}

var (
	podKind       = schema.Kind{Version: "v1", Kind: "Pod"}
	namespaceKind = schema.Kind{Version: "v1", Kind: "Namespace"}
	claimKind     = schema.Kind{Version: "v1", Kind: "PersistentVolumeClaim"}
)

// restrictSubject is CertificateSubjectRestriction
// (plugin/pkg/admission/certificates/subjectrestriction): no certificate is
// made for the group that may do everything.
func (s *Server) restrictSubject(r *validation.Request) *fault.Rejection {
	const signer = "kubernetes.io/kube-apiserver-client"
	if r.Old != nil || r.Kind.GroupKind() != "CertificateSigningRequest.certificates.k8s.io" || tree.String(r.Object, "spec", "signerName") != signer ||
		!slices.Contains(validation.Organizations(r.Object), "system:masters") {
		return nil
	}
	return s.around().forbidden(r.Kind, r.Object, "use of "+signer+" signer with system:masters group is not allowed")
}
