package rules

import (
	"fmt"
	"slices"
	"sync"

	"threeway/lint"
	"threeway/merge/access"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/manifest"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

var rightsWiden = &lint.Rule{
	ID:    "rights-widen",
	Title: "a role or binding grants more permissions",
	Text: "After the apply a Role or ClusterRole allows more than before, and a binding in the manifests or the snapshot grants it; or a " +
		"binding grants a role to another subject. A warning if the new permissions lead to others: wildcards, escalate, bind, impersonate, reading " +
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
			case o.Is("Role."+access.Group, "ClusterRole."+access.Group) && !created:
				reportWiderRole(p, c, o)
			case o.Is("RoleBinding."+access.Group, "ClusterRoleBinding."+access.Group):
				reportWiderBinding(p, c, o, created)
			}
		}
	},
}

func reportWiderRole(p *lint.Pass, c *cluster, o *lint.Object) {
	path := fieldpath.New("rules")
	if filledIn(o, path) {
		return // the controller that aggregates roles writes them
	}
	var holders []string
	var added []access.Rule
	lacking := c.lacks(o.Manifest.Namespace, addedRights(access.RulesOf(o.Before), access.Split(access.RulesOf(o.Result))))
	id := roleID(o.Kind.Kind, o.Manifest.Namespace, o.Manifest.Name)
	for _, holder := range c.bindings().after[id] {
		if c.bindings().bound[[2]string{id, holder}] {
			continue // the binding is reported, with all that the role grants
		}
		more, first := lacking(holder)
		if first {
			added = append(added, more...)
		}
		if len(more) > 0 {
			holders = append(holders, holder)
		}
	}
	if len(holders) == 0 {
		return
	}
	r := lint.Report{Path: path, LivePath: path, Fix: "remove the new rules if the program does not need them"}
	why := powerOf(added)
	if why == "" { // what the last apply granted is not new: reverts-live-change says that it returns
		if added = addedRights(access.RulesOf(o.LastApplied()), added); len(added) == 0 {
			return
		}
		r.Severity = lint.Off
	}
	r.Message = fmt.Sprintf("%s may also %s", phrase.Some(holders), rightsText(added))
	if why != "" {
		r.Message += ": " + why
	}
	p.Report(o, r)
}

func reportWiderBinding(p *lint.Pass, c *cluster, o *lint.Object, created bool) {
	had := setOf(subjects(o.Before))
	ref := tree.Map(o.Result, "roleRef")
	role := tree.String(ref, "kind") + " " + tree.String(ref, "name")
	if tree.String(ref, "kind") == "Role" {
		role = "Role " + o.Manifest.Namespace + "/" + tree.String(ref, "name")
	}
	rights := c.rightsOfRole(o.Manifest.Namespace, ref)
	lacking := c.lacks(o.Manifest.Namespace, rights)
	var gained []access.Rule
	added := slices.DeleteFunc(subjects(o.Result), func(s string) bool {
		if had[s] || len(rights) == 0 {
			return had[s]
		}
		more, first := lacking(s)
		if first {
			gained = append(gained, more...)
		}
		return len(more) == 0
	})
	if len(added) == 0 {
		return
	}
	path := fieldpath.New("subjects")
	r := lint.Report{
		Path:     path,
		Message:  fmt.Sprintf("%s gets %s", phrase.Some(added), role),
		Fix:      "remove the subject if it does not need the role, or bind a role with fewer rights",
		Severity: lint.Off,
	}
	if !created {
		r.LivePath = path
	}
	why := powerOf(gained)
	if why == "" && tree.String(ref, "kind") == "ClusterRole" {
		why = builtinPowers[tree.String(ref, "name")]
	}
	if slices.ContainsFunc(added, everybody) {
		r.Severity = lint.Warning
	}
	if why != "" {
		r.Severity, r.Message = lint.Warning, r.Message+": "+why
	}
	granted := setOf(subjects(o.LastApplied())) // that they return is reverts-live-change's
	if r.Severity == lint.Off && (created || !slices.ContainsFunc(added, func(s string) bool { return !granted[s] })) {
		return
	}
	p.Report(o, r)
}

// builtinPowers are what the ClusterRoles that every cluster has lead to: a
// snapshot need not have them.
var builtinPowers = map[string]string{
	"cluster-admin": "it can do everything",
	"admin":         "it can run pods with every ServiceAccount and read every Secret of the namespace",
	"edit":          "it can run pods with every ServiceAccount and read every Secret of the namespace",
}

// rightsOfRole are the rights of the role that a binding in a namespace refers to,
// after the apply; nil if the role is not known.
func (c *cluster) rightsOfRole(namespace string, ref tree.Object) []access.Rule {
	return access.Split(access.RulesOf(c.after(roleOf(namespace, ref))))
}

func roleOf(namespace string, ref tree.Object) manifest.Identity {
	if tree.String(ref, "kind") == "ClusterRole" {
		namespace = ""
	}
	return manifest.Identity{Group: access.Group, Kind: tree.String(ref, "kind"), Namespace: namespace, Name: tree.String(ref, "name")}
}

// lacks finds those of some split rights that a subject has by no binding before the
// apply: in the whole cluster, or, for a namespace, there. It tells whether it is the
// first subject with its bindings that is asked for.
func (c *cluster) lacks(namespace string, rights []access.Rule) func(subject string) (lacking []access.Rule, first bool) {
	all := c.bindings()
	known := map[string][]access.Rule{}
	return func(subject string) ([]access.Rule, bool) {
		alike := all.alike[subject]
		lacking, done := known[alike]
		if !done {
			held, _ := all.held.LoadOrStore(alike, sync.OnceValue(func() *access.Held {
				h := access.NewHeld()
				for _, b := range all.before[subject] {
					h.Add(b.namespace, access.RulesOf(c.before(b.role)))
				}
				return h
			}))
			lacking = held.(func() *access.Held)().Lacking(namespace, rights)
			known[alike] = lacking
		}
		return lacking, !done
	}
}

// powerOf is what the first of the rights that lead to others leads to.
func powerOf(list []access.Rule) string {
	for _, r := range list {
		if why := power(r); why != "" {
			return why
		}
	}
	return ""
}

// everybody are the groups and users that stand for all, or for all programs.
func everybody(subject string) bool {
	return slices.Contains([]string{"Group system:authenticated", "Group system:unauthenticated", "User system:anonymous", "Group system:serviceaccounts"}, subject)
}

// bindings are all bindings of the cluster: after the apply who has each role, and
// before it which roles each subject has.
type bindings struct {
	after  map[string][]string // subjects by roleID
	before map[string][]boundRole
	alike  map[string]string  // by subject: before in words, which those share who have the same roles
	bound  map[[2]string]bool // roleIDs and subjects that the apply brings together
	held   sync.Map           // what they have before the apply, by alike, made when it is asked for
}

type boundRole struct {
	namespace string // of the binding; "" for the whole cluster
	role      manifest.Identity
}

func (c *cluster) bindings() *bindings {
	return lint.SharedByRun(c.p, func() *bindings {
		all := &bindings{after: map[string][]string{}, before: map[string][]boundRole{}, alike: map[string]string{}, bound: map[[2]string]bool{}}
		bound, had := map[[2]string]bool{}, map[[2]string]bool{}
		for _, kind := range []string{"RoleBinding." + access.Group, "ClusterRoleBinding." + access.Group} {
			for b := range c.ofKind(kind) {
				role := roleOf(b.source.Namespace, tree.Map(b.after, "roleRef"))
				id := roleID(role.Kind, role.Namespace, role.Name)
				for _, s := range subjects(b.after) {
					if key := [2]string{id, s}; !bound[key] {
						bound[key] = true
						all.after[id] = append(all.after[id], s)
					}
				}
				was := roleOf(b.source.Namespace, tree.Map(b.before, "roleRef"))
				for _, s := range subjects(b.before) {
					all.before[s] = append(all.before[s], boundRole{b.source.Namespace, was})
					had[[2]string{roleID(was.Kind, was.Namespace, was.Name), s}] = true
				}
			}
		}
		for o := range c.changed() {
			role := roleOf(o.Manifest.Namespace, tree.Map(o.Result, "roleRef")) // of a binding
			for _, s := range subjects(o.Result) {
				if key := [2]string{roleID(role.Kind, role.Namespace, role.Name), s}; !had[key] {
					all.bound[key] = true
				}
			}
		}
		for s, roles := range all.before {
			all.alike[s] = fmt.Sprint(roles)
		}
		return all
	})
}

func setOf(list []string) map[string]bool {
	set := map[string]bool{}
	for _, x := range list {
		set[x] = true
	}
	return set
}

func roleID(kind, namespace, name string) string { return kind + " " + namespace + "/" + name }

// subjects names those of a binding: "ServiceAccount shop/api". A ServiceAccount without
// namespace is one of the binding's (plugin/pkg/auth/authorizer/rbac appliesToUser).
func subjects(binding tree.Object) (list []string) {
	for _, s := range tree.List(binding, "subjects") {
		name, ns := tree.String(s, "name"), tree.String(s, "namespace")
		if ns == "" && tree.String(s, "kind") == "ServiceAccount" {
			ns = tree.String(binding, "metadata", "namespace")
		}
		if ns != "" {
			name = ns + "/" + name
		}
		list = append(list, tree.String(s, "kind")+" "+name)
	}
	return list
}
