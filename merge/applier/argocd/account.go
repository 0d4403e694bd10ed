package argocd

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// inCluster is the server of the cluster that Argo CD runs in.
const inCluster = "https://kubernetes.default.svc"

// impersonate finds the ServiceAccount of a sync in the project of an Application
// (util/settings/impersonation.go DeriveServiceAccountToImpersonate, controller/sync.go).
func (a *Application) impersonate(o tree.Object, s settings, live *manifest.Snapshot, manifests *manifest.Set) {
	name := cmp.Or(tree.String(o, "spec", "project"), "default")
	is := func(p *manifest.Object) bool {
		return p.Kind.GroupKind() == "AppProject.argoproj.io" && p.Name == name && p.Namespace == s.namespace
	}
	project := live.Find(manifest.Identity{Group: "argoproj.io", Kind: "AppProject", Namespace: s.namespace, Name: name})
	if i := slices.IndexFunc(manifests.Objects, is); i >= 0 {
		project = manifests.Objects[i]
	}
	if project == nil {
		return
	}
	server := cmp.Or(tree.String(o, "spec", "destination", "server"), inCluster)
	for _, item := range tree.List(project.Tree, "spec", "destinationServiceAccounts") {
		if !matches(tree.String(item, "server"), server) || !matches(tree.String(item, "namespace"), a.Destination) {
			continue
		}
		switch account := tree.String(item, "defaultServiceAccount"); {
		case strings.Trim(account, " ") == "" || strings.ContainsAny(account, `!*[]{}\/`):
			a.Refusal = fmt.Sprintf("failed to derive service account to impersonate: default service account contains invalid chars '%s'", account)
		case strings.Contains(account, ":"):
			a.User = "system:serviceaccount:" + account
		default:
			a.User = "system:serviceaccount:" + cmp.Or(a.Destination, a.Namespace) + ":" + account
		}
		return
	}
	if s.enforced {
		a.Refusal = fmt.Sprintf("no matching service account found for destination server %s and namespace %s", server, a.Destination)
	}
}

// matches reports whether a text matches a pattern with *, ** and ?.
func matches(pattern, text string) bool {
	quoted := strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(pattern))
	return regexp.MustCompile("^(?s:" + quoted + ")$").MatchString(text)
}
