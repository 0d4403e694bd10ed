package rules

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

var clusterWideSetting = &lint.Rule{
	ID:    "cluster-wide-setting",
	Title: "who may log in, or how names resolve, changes",
	Text: "Apply adds a user, role or group to the ConfigMap aws-auth, changes the settings of the cluster's DNS (coredns, coredns-custom, " +
		"kube-dns, node-local-dns), network (kube-proxy) or Argo CD, or creates a Secret of type kubernetes.io/service-account-token, a token " +
		"that does not expire.",
	Why: "One key of one ConfigMap in kube-system decides for the whole cluster, and no RBAC object shows it. A token in a Secret is valid until the Secret is deleted.",
	Fix: "Change these objects by themselves, with a review by someone who knows what depends on them. Use kubectl create token, or a " +
		"projected token, in place of a Secret.",
	Links: []string{"https://docs.aws.amazon.com/eks/latest/userguide/auth-configmap.html",
		"https://kubernetes.io/docs/tasks/administer-cluster/dns-custom-nameservers/",
		"https://kubernetes.io/docs/concepts/configuration/secret/#serviceaccount-token-secrets"},
	Severity: lint.Warning,
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			created, changed := clusterOf(p).changes(o)
			if o.Is("Secret") && o.Live == nil && (created || p.Options.Live != nil) && tree.String(o.Result, "type") == "kubernetes.io/service-account-token" {
				account := tree.String(o.Result, "metadata", "annotations", "kubernetes.io/service-account.name")
				p.Report(o, lint.Report{Path: fieldpath.New("type"), Effect: impact.Widens, Count: 1,
					Message: "the Secret gets a token of ServiceAccount " + account + " that does not expire: whoever can read the Secret can act as that account",
					Fix:     "let a projected volume or kubectl create token give a token that expires"})
			}
			if !changed || !o.Is("ConfigMap") {
				continue
			}
			settings := argoSettings
			if o.Identity().Namespace == "kube-system" {
				settings = slices.Concat(clusterSettings, argoSettings)
			}
			for _, s := range settings {
				if s.name == o.Manifest.Name {
					s.report(p, o)
				}
			}
		}
	},
}

// clusterSetting is a key of a ConfigMap that decides for the whole cluster.
type clusterSetting struct {
	name, key string   // key "" is every key
	effect    string   // of another value, or of another entry
	entries   []string // the fields that name an entry of the YAML list in the key; nil if it has none
}

// clusterSettings are those in kube-system.
var clusterSettings = []clusterSetting{
	{"aws-auth", "mapRoles", "may log in to the cluster", []string{"rolearn", "roleARN"}},
	{"aws-auth", "mapUsers", "may log in to the cluster", []string{"userarn", "userARN"}},
	{"aws-auth", "mapAccounts", "every user of an AWS account in the list may log in to the cluster", nil},
	{"coredns", "", "every pod resolves names by these settings of the DNS server", nil},
	{"coredns-custom", "", "every pod resolves names by these settings of the DNS server", nil},
	{"kube-dns", "", "every pod resolves names by these settings of the DNS server", nil},
	{"node-local-dns", "", "every pod resolves names by these settings of the DNS server", nil},
	{"kube-proxy", "", "every node routes the traffic of Services by these settings", nil},
}

// argoSettings are those of Argo CD, in whatever namespace it runs.
var argoSettings = []clusterSetting{
	{"argocd-cm", "", "who may log in to Argo CD, and what it applies, depends on these settings", nil},
	{"argocd-rbac-cm", "", "users of Argo CD may do what these settings say", nil},
	{"argocd-cmd-params-cm", "", "Argo CD starts with these settings", nil},
}

func (s clusterSetting) report(p *lint.Pass, o *lint.Object) {
	was, is := tree.Map(o.Before, "data"), tree.Map(o.Result, "data")
	keys := []string{s.key}
	if s.key == "" {
		keys = tree.Keys(is)
		for _, key := range tree.Keys(was) {
			if !tree.Has(is, key) {
				keys = append(keys, key)
			}
		}
	}
	for _, key := range keys {
		if tree.Equal(was[key], is[key]) {
			continue
		}
		r := lint.Report{Path: fieldpath.New("data", key), Message: s.effect + " (" + key + ")", Fix: "keep the live value, unless the change is meant for the whole cluster"}
		if o.Before != nil {
			r.LivePath = r.Path
		}
		if s.entries != nil {
			added := addedEntries(s.entries, tree.String(was, key), tree.String(is, key))
			if added == nil {
				continue
			}
			r.Message = phrase.Some(added) + " " + s.effect
			r.Fix = "remove the entry, unless it is meant"
		}
		if strings.HasPrefix(s.name, "aws-") {
			r.Effect, r.Count = impact.Widens, 1
		}
		p.Report(o, r)
	}
}

// addedEntries are the entries of a YAML list, each with one of its groups, that another has
// not. A text that is no such list is one entry.
func addedEntries(names []string, was, is string) (added []string) {
	had := map[string]bool{}
	for _, entry := range mappings(names, was) {
		had[entry] = true
	}
	for _, entry := range mappings(names, is) {
		if !had[entry] {
			added = append(added, entry)
		}
	}
	return added
}

func mappings(names []string, text string) (list []string) {
	var entries []any
	if yaml.Unmarshal([]byte(text), &entries) != nil {
		return []string{"another list, which is no YAML,"}
	}
	for _, entry := range entries {
		var who string
		for _, name := range names {
			who += tree.String(entry, name)
		}
		groups := tree.List(entry, "groups")
		if len(groups) == 0 {
			list = append(list, who)
		}
		for _, group := range groups {
			list = append(list, fmt.Sprintf("%s (group %v)", who, group))
		}
	}
	return list
}
