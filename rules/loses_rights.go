package rules

import (
	"fmt"
	"strings"

	"threeway/lint"
	"threeway/merge/access"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/manifest"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

var losesRights = &lint.Rule{
	ID:    "loses-rights",
	Title: "a program loses permissions",
	Text:  "After the apply, or a prune, a Role, ClusterRole or binding gives a subject less, and no other binding gives the rest. The finding says who loses what, where, through which binding, and which pods are affected. A warning if the pod template of one of them does not change, so that the same program keeps running, or only moves to a ServiceAccount that nothing is bound to. Other losses are hidden, unless the settings give the rule a severity.",
	Why:   "RBAC is checked at each request: a controller that lost its permissions logs errors, and no longer updates its objects.",
	Fix:   "Keep the rules until the new version of the program runs, or make sure that it does not need them.",
	Links: []string{"https://kubernetes.io/docs/reference/access-authn-authz/rbac/",
		"https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/"},
	Severity: lint.Warning,
	Effect:   impact.Says,
	Needs:    lint.Live,
	Run: func(p *lint.Pass) {
		c := clusterOf(p)
		for o, created := range c.changed() {
			if created || !o.Is(access.Kinds...) {
				continue
			}
			if r, loses := c.loss(o.Identity(), o.Before, o.Result); loses {
				if r.Path = fieldpath.New("rules"); strings.HasSuffix(o.Kind.Kind, "Binding") {
					r.Path = fieldpath.New("subjects")
				}
				r.LivePath = r.Path
				p.Report(o, r)
			}
		}
		c.moved(p, func(m move) (r lint.Report) {
			roles := c.rights().gained.has
			x := c.beyond(m.namespace, roles, m.from, m.to)
			if m.tokenless || len(x.rights) == 0 {
				return r
			}
			r.Message = fmt.Sprintf("its pods lose: %s (%s names ServiceAccount %s, and not %s)", x.what(), phrase.Some(phrase.Distinct(x.bindings)), m.from, m.to)
			r.Fix = "add ServiceAccount " + m.to + " to the subjects of " + x.bindings[0] + ", unless the program no longer needs the rights"
			if own := c.beyond(m.namespace, roles, m.to, ""); m.retooled || len(own.rights) > 0 {
				r.Severity = lint.Off
			}
			return r
		})
		for _, d := range p.Plan.Prune.Pruned() {
			if d.Live.Kind.Group != access.Group || d.Live.Kind.Kind == "Role" {
				continue
			}
			if r, loses := c.loss(d.Live.ID(), d.Live.Object().Tree, nil); loses {
				r.Message = deleting(p) + d.Live.ID().String() + ": " + r.Message
				r.Notes = append(r.Notes, d.Why)
				p.ReportAt(d.Live.Object(), r)
			}
		}
	},
}

// loss is what a change of an object takes from subjects.
func (c *cluster) loss(id manifest.Identity, before, after tree.Object) (r lint.Report, loses bool) {
	x := c.rights().lost.by(id, before, after)
	if len(x.holders) == 0 {
		return r, false
	}
	notes, stay := c.running(x.holders)
	r = lint.Report{Message: x.text("loses"), Notes: notes, Fix: "restore the permissions, unless the program no longer needs them"}
	if !stay {
		r.Severity = lint.Off
	}
	return r, true
}
