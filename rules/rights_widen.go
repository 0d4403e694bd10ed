package rules

import (
	"fmt"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/access"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

var rightsWiden = &lint.Rule{
	ID:    "rights-widen",
	Title: "a role or binding grants more permissions",
	Text: "A Role or ClusterRole that a binding of the manifests or the snapshot grants allows more; or a binding grants a role to another " +
		"subject; or a ClusterRole is created or labelled whose rules others gather (aggregationRule); or pods run as another " +
		"ServiceAccount, which has more, or new ones as one that may do everything. The finding says who gains what, where, through which binding, and which pods run so. A warning " +
		"if the new permissions lead to others (wildcards, escalate, bind, impersonate, reading Secrets, running commands in pods, " +
		"tokens) or if all users get them. Others are counted in the plan only, unless the settings give the rule a severity, and not at " +
		"all for a new binding.",
	Why: "Everyone who is bound to a role gets its new permissions at once.",
	Fix: "Allow only the verbs and resources that the program needs, by name where possible, and bind the role in one namespace.",
	Links: []string{"https://kubernetes.io/docs/concepts/security/rbac-good-practices/",
		"https://kubernetes.io/docs/reference/access-authn-authz/rbac/"},
	Severity: lint.Warning,
	Effect:   impact.Widens,
	Run: func(p *lint.Pass) {
		c := clusterOf(p)
		for o, created := range c.changed() {
			if !o.Is(access.Kinds...) {
				continue
			}
			x := c.rights().gained.by(o.Identity(), o.Result, o.Before)
			if len(x.holders) == 0 {
				if r, gives := c.gathered(o); gives {
					p.Report(o, r)
				}
				continue
			}
			r := lint.Report{Path: fieldpath.New("rules"), Fix: "remove the new rules if the program does not need them"}
			news := len(addedRights(access.RulesOf(o.LastApplied()), x.rights)) > 0
			quiet := x.why() == ""
			if strings.HasSuffix(o.Kind.Kind, "Binding") {
				r.Path, r.Fix = fieldpath.New("subjects"), "remove the subject if it does not need the role, or bind a role with fewer rights"
				granted := setOf(access.Subjects(o.Manifest.Namespace, o.LastApplied()))
				news = slices.ContainsFunc(access.Subjects(o.Manifest.Namespace, o.Result), func(s string) bool { return x.holds[holderName(s)] && !granted[s] })
				quiet = quiet && !slices.ContainsFunc(x.holders, everybody)
			}
			if !created {
				r.LivePath = r.Path
			}
			if quiet {
				if created || !news { // that what the last apply granted returns is reverts-live-change's
					continue
				}
				r.Severity = lint.Off
			}
			r.Message = x.text("gains") + x.so()
			r.Notes, _ = c.running(x.holders)
			p.Report(o, r)
		}
		for o, created := range c.changed() {
			if created {
				if r, does := c.doesEverything(o); does {
					p.Report(o, r)
				}
			}
		}
		c.moved(p, func(m move) (r lint.Report) {
			x := c.beyond(m.namespace, c.rights().gained.has, m.to, m.from)
			if len(x.rights) == 0 {
				return r
			}
			r.Message, r.Fix = fmt.Sprintf("its pods gain: %s (as ServiceAccount %s in place of %s)", x.what(), m.to, m.from), "let the pods run as ServiceAccount "+m.from+" again, if they do not need the rights"
			if r.Message += x.so(); x.why() == "" {
				r.Severity = lint.Off
			}
			return r
		})
	},
}

// gathered is what a ClusterRole adds to others that gather its rules and that nothing binds
// yet, so far as the manifests and the snapshot tell: by admin, edit and view users get rights
// without a binding of the role itself.
func (c *cluster) gathered(o *lint.Object) (r lint.Report, gives bool) {
	whole := c.rights().gained.has.Gatherers(tree.Map(o.Result, "metadata", "labels"))
	if !o.Is("ClusterRole."+access.Group) || len(whole) == 0 {
		return r, false
	}
	before := access.RulesOf(o.Before)
	if !tree.Equal(tree.Map(o.Before, "metadata", "labels"), tree.Map(o.Result, "metadata", "labels")) {
		before = nil
	}
	after := access.RulesOf(o.Result)
	if tree.Has(o.Result, "aggregationRule") { // which a controller fills
		after, _ = c.rights().gained.has.Rules(access.Ref{Kind: "ClusterRole", Name: o.Manifest.Name})
	}
	x := rightsChange{rights: addedRights(before, access.Split(after)), namespaces: []string{""}}
	var names []string
	for _, ref := range whole {
		if ref.Name != o.Manifest.Name {
			names = append(names, ref.Name)
		}
	}
	r = lint.Report{Path: fieldpath.New("rules"), Fix: "remove the new rules, or the label by which they are gathered"}
	r.Message = "whoever is bound to ClusterRole " + phrase.Some(names) + ", which gathers its rules, gains: " + x.what() + x.so()
	return r, x.why() != ""
}

// doesEverything reports whether the pods of an object run as a ServiceAccount that may do everything
// before the change, too.
func (c *cluster) doesEverything(o *lint.Object) (r lint.Report, does bool) {
	at, spec := podSpec(o.Kind, o.Result)
	if spec == nil {
		return r, false
	}
	account := accountOf(spec)
	for _, g := range c.rights().lost.has.Beyond("User system:serviceaccount:"+o.Manifest.Namespace+":"+account, "User system:anonymous") {
		does = does || powerOf(g.Rules) == powers[0].why
	}
	return lint.Report{Path: at.Child("serviceAccountName"), Effect: impact.None,
		Message: "its pods run as ServiceAccount " + account + ": " + strings.Replace(powers[0].why, "it", "they", 1), Fix: "let them run as an account with only the rights that they need"}, does
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
