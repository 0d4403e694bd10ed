package rules

import (
	"slices"

	"threeway/merge/access"
)

// addedRights are what the split rights of now allow and those of before do not.
func addedRights(before, now []access.Rule) []access.Rule {
	return access.NewHeld(before...).Lacking("", now)
}

// powers are the rights by which their holder can get others, the worst first
// (https://kubernetes.io/docs/concepts/security/rbac-good-practices/#privilege-escalation-risks).
var powers = []struct {
	access.Rule
	why string
}{
	{access.Rule{}, "it can do everything"},
	{access.Rule{Verbs: []string{"escalate"}, Groups: []string{access.Group}, Resources: []string{"roles", "clusterroles"}}, "it can give itself every right"},
	{access.Rule{Verbs: []string{"bind"}, Groups: []string{access.Group}, Resources: []string{"roles", "clusterroles"}}, "it can give itself every role"},
	{access.Rule{Verbs: []string{"impersonate"}, Groups: []string{"", "authentication.k8s.io"}, Resources: []string{"users", "groups", "serviceaccounts", "uids"}}, "it can act as another user"},
	{access.Rule{Verbs: []string{"get", "list", "watch"}, Groups: []string{""}, Resources: []string{"secrets"}}, "it can read Secrets, including the tokens in them"},
	{access.Rule{Verbs: []string{"create"}, Groups: []string{""}, Resources: []string{"pods/exec", "pods/attach", "pods/ephemeralcontainers"}}, "it can run commands in pods"},
	{access.Rule{Verbs: []string{"create"}, Groups: []string{""}, Resources: []string{"serviceaccounts/token"}}, "it can create tokens of ServiceAccounts"},
	{access.Rule{Verbs: []string{"get", "create"}, Groups: []string{""}, Resources: []string{"nodes/proxy"}}, "it can run commands in every pod through the kubelet"},
	{access.Rule{Verbs: []string{"update", "patch"}, Groups: []string{"certificates.k8s.io"}, Resources: []string{"certificatesigningrequests/approval"}}, "it can approve certificates of other users"},
	{access.Rule{Verbs: []string{"create", "update", "patch"}, Groups: []string{"admissionregistration.k8s.io"}, Resources: []string{"validatingwebhookconfigurations", "mutatingwebhookconfigurations"}}, "it can read and change the requests of others"},
	{access.Rule{Verbs: []string{"create"}, Groups: []string{""}, Resources: []string{"persistentvolumes"}}, "it can reach files of the nodes"},
	{access.Rule{Verbs: []string{"create"}, Groups: []string{"", "apps", "batch"}, Resources: []string{"pods", "deployments", "statefulsets", "daemonsets", "jobs", "cronjobs"}}, "it can run pods with every ServiceAccount and Secret of the namespace"},
}

// power is the place among the powers of what a right leads to, behind them if to no other.
func power(r access.Rule) int {
	switch {
	case r.URLs != nil:
		return len(powers)
	case slices.Contains(r.Verbs, "*") && slices.Contains(r.Groups, "*") && slices.Contains(r.Resources, "*") && r.Names == nil:
		return 0
	case r.Names != nil:
		of := []string{"bind", "escalate", "impersonate"} // the others are about some objects only
		r.Verbs = slices.DeleteFunc(slices.Clone(r.Verbs), func(verb string) bool { return !slices.Contains(of, verb) })
	}
	for i, p := range powers {
		for _, of := range access.Split([]access.Rule{p.Rule}) {
			if r.Covers(of) || shares(r, of) {
				return i
			}
		}
	}
	return len(powers)
}

// shares reports whether a right, perhaps to some objects only, has the verb, group and
// resource of a split one.
func shares(r, one access.Rule) bool {
	return slices.Contains(r.Verbs, one.Verbs[0]) && slices.Contains(r.Groups, one.Groups[0]) && slices.Contains(r.Resources, one.Resources[0])
}
