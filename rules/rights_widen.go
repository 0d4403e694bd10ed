package rules

import (
	"slices"

	"threeway/lint"
	"threeway/merge/access"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/tree"
)

var rightsWiden = &lint.Rule{
	ID:    "rights-widen",
	Title: "a role or binding grants more permissions",
	Text: "After the apply a Role or ClusterRole allows more than before, and a binding in the manifests or the snapshot grants it; or a " +
		"binding grants a role to another subject; or a ClusterRole is created or labelled, and others gather its rules (aggregationRule). The finding says " +
		"who gains what where and through which binding, and which pods run as that ServiceAccount. A warning if the new permissions lead to others: wildcards, escalate, bind, impersonate, reading " +
		"Secrets, running commands in pods, tokens; or if all users get them. Other permissions are counted in the plan only, unless the settings give the rule a severity, and not at all for " +
		"a binding that is created.",
	Why: "RBAC only adds permissions: everyone who is bound to a role gets the new ones at once.",
	Fix: "Allow only the verbs and resources that the program needs, by name where possible, and bind the role in one namespace.",
	Links: []string{"https://kubernetes.io/docs/concepts/security/rbac-good-practices/",
		"https://kubernetes.io/docs/reference/access-authn-authz/rbac/"},
	Severity: lint.Warning,
	Effect:   impact.Widens,
	Since:    "0.10",
	Run: func(p *lint.Pass) {
		c := clusterOf(p)
		for o, created := range c.changed() {
			switch {
			case o.Is("Role."+access.Group, "ClusterRole."+access.Group):
				reportWiderRole(p, c, o, created)
			case o.Is("RoleBinding."+access.Group, "ClusterRoleBinding."+access.Group):
				reportWiderBinding(p, c, o, created)
			}
		}
	},
}

// reportWiderRole reports what the holders of a role gain, of a ClusterRole also those of
// the roles that gather its rules.
func reportWiderRole(p *lint.Pass, c *cluster, o *lint.Object, created bool) {
	path := fieldpath.New("rules")
	if filledIn(o, path) {
		return // the controller that aggregates roles writes them
	}
	id := access.Ref{Kind: o.Kind.Kind, Namespace: o.Manifest.Namespace, Name: o.Manifest.Name}
	g := rightsGain{c: c}
	if !created {
		g.through(id, addedRights(access.RulesOf(o.Before), access.Split(access.RulesOf(o.Result))), "")
	}
	if o.Kind.Kind == "ClusterRole" {
		was, is := tree.Map(o.Before, "metadata", "labels"), tree.Map(o.Result, "metadata", "labels")
		gather := c.gatherers(is)
		had := gather
		if !tree.Equal(was, is) {
			had = c.gatherers(was)
		}
		for _, whole := range gather {
			before := o.Before
			if !slices.Contains(had, whole) {
				before = nil
			}
			g.through(whole, addedRights(access.RulesOf(before), access.Split(access.RulesOf(o.Result))), ", which gathers the rules of ClusterRole "+o.Manifest.Name)
		}
	}
	if len(g.holders) == 0 {
		return
	}
	r := lint.Report{Path: path, Message: g.String(), Notes: c.running(g.holders), Fix: "remove the new rules if the program does not need them"}
	if !created {
		r.LivePath = path
	}
	if g.why() == "" { // what the last apply granted is not new: reverts-live-change says that it returns
		if created || len(addedRights(access.RulesOf(o.LastApplied()), g.rights)) == 0 {
			return
		}
		r.Severity = lint.Off
	}
	p.Report(o, r)
}

func reportWiderBinding(p *lint.Pass, c *cluster, o *lint.Object, created bool) {
	had := setOf(subjects(o.Before))
	role := access.RoleOf(o.Manifest.Namespace, o.Result)
	rights := access.Split(access.RulesOf(c.roleAfter(role)))
	g := rightsGain{c: c}
	for _, s := range subjects(o.Result) {
		if !had[s] {
			g.add(grant{s, access.RefOf(o.Result)}, role, rights, "")
		}
	}
	if len(g.holders) == 0 {
		return
	}
	path := fieldpath.New("subjects")
	r := lint.Report{
		Path:     path,
		Message:  g.String(),
		Notes:    c.running(g.holders),
		Fix:      "remove the subject if it does not need the role, or bind a role with fewer rights",
		Severity: lint.Off,
	}
	if !created {
		r.LivePath = path
	}
	if g.why() != "" || slices.ContainsFunc(g.holders, everybody) {
		r.Severity = lint.Warning
	}
	granted := setOf(subjects(o.LastApplied())) // that they return is reverts-live-change's
	if r.Severity == lint.Off && (created || !slices.ContainsFunc(g.holders, func(s string) bool { return !granted[s] })) {
		return
	}
	p.Report(o, r)
}

// powerOf is the worst that one of the rights leads to.
func powerOf(list []access.Rule) string {
	worst := len(powers)
	for _, r := range list {
		worst = min(worst, power(r))
	}
	if worst == len(powers) {
		return ""
	}
	return powers[worst].why
}

// everybody are the groups and users that stand for all, or for all programs.
func everybody(subject string) bool {
	return slices.Contains([]string{"Group system:authenticated", "Group system:unauthenticated", "User system:anonymous", "Group system:serviceaccounts"}, subject)
}

func setOf(list []string) map[string]bool {
	set := map[string]bool{}
	for _, x := range list {
		set[x] = true
	}
	return set
}
