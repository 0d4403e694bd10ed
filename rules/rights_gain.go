package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"threeway/merge/access"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

// rightsGain is what some subjects may do that they could not do before.
type rightsGain struct {
	c       *cluster
	holders []string
	has     map[string]bool
	rights  []access.Rule
	by      []grant // of the holders
	role    access.Ref
	more    string                      // said of the role
	known   map[[2]string][]access.Rule // what is lacking, by what subjects have and the namespace
}

// through adds those who have a role.
func (g *rightsGain) through(role access.Ref, rights []access.Rule, more string) {
	if len(rights) == 0 {
		return
	}
	g.known = nil
	for _, by := range g.c.bindings().after[role] {
		if !g.c.bindings().bound[by] { // else the binding is reported, with all that the role grants
			g.add(by, role, rights, more)
		}
	}
}

// add adds a subject, if it gains some of the rights, or if those are not known.
func (g *rightsGain) add(by grant, role access.Ref, rights []access.Rule, more string) {
	lacking, first := g.lacks(by, rights)
	if len(lacking) == 0 && len(rights) > 0 || g.has[by.subject] {
		return
	}
	if g.has == nil {
		g.has = map[string]bool{}
	}
	g.has[by.subject] = true
	if len(g.holders) == 0 {
		g.role, g.more = role, more
	}
	g.holders, g.by = append(g.holders, by.subject), append(g.by, by)
	if first {
		g.rights = append(g.rights, access.NewHeld(g.rights...).Lacking("", lacking)...)
	}
}

// why is what the gain leads to, "" if to no other right.
func (g *rightsGain) why() string { return powerOf(g.rights) }

// String says who gains what, the worst first, and how.
func (g *rightsGain) String() string {
	worst := slices.Clone(g.rights)
	slices.SortStableFunc(worst, func(a, b access.Rule) int { return power(a) - power(b) })
	what := rightsText(worst)
	if what == "" {
		what = "all that the role allows"
	}
	var namespaces, bindings []string
	for _, by := range g.by {
		namespaces, bindings = append(namespaces, by.binding.Namespace), append(bindings, placedText(by.binding))
	}
	scope := "everywhere"
	if !slices.Contains(namespaces, "") {
		scope = "in " + phrase.Some(phrase.Distinct(namespaces))
	}
	text := fmt.Sprintf("%s gains: %s %s (through %s → %s%s)", phrase.Some(g.holders), what, scope, phrase.Some(phrase.Distinct(bindings)), placedText(g.role), g.more)
	if why := g.why(); why != "" {
		text += ": " + why
	}
	return text
}

// placedText names a role or binding: "RoleBinding shop/web".
func placedText(ref access.Ref) string {
	if ref.Namespace != "" {
		return ref.Kind + " " + ref.Namespace + "/" + ref.Name
	}
	return ref.Kind + " " + ref.Name
}

// running says which pods of the cluster run as one of the subjects that a text names.
func (c *cluster) running(subjects []string) (notes []string) {
	for _, s := range subjects[:min(3, len(subjects))] {
		account, isAccount := strings.CutPrefix(s, "ServiceAccount ")
		namespace, name, _ := strings.Cut(account, "/")
		if !isAccount {
			continue
		}
		var names []string
		for _, t := range c.templates(namespace) {
			if _, spec := t.after(); spec != nil && cmp.Or(tree.String(spec, "serviceAccountName"), "default") == name {
				names = append(names, t.source.ID().String())
			}
		}
		if len(names) > 0 {
			notes = append(notes, fmt.Sprintf("%s runs as %s", phrase.Abbreviated(names, 3), s))
		}
	}
	return notes
}

// lacks finds those of some split rights that a subject has by no binding before the
// apply: in the whole cluster, or, for a namespace, there. It tells whether it is the
// first subject with its bindings that is asked for.
func (g *rightsGain) lacks(by grant, rights []access.Rule) ([]access.Rule, bool) {
	all := g.c.bindings()
	alike := all.alike[by.subject]
	key := [2]string{alike, by.binding.Namespace}
	lacking, done := g.known[key]
	if !done {
		held, _ := all.held.LoadOrStore(alike, sync.OnceValue(func() *access.Held {
			h := access.NewHeld()
			for _, b := range all.before[by.subject] {
				h.Add(b.namespace, access.RulesOf(g.c.roleBefore(b.role)))
			}
			return h
		}))
		lacking = held.(func() *access.Held)().Lacking(by.binding.Namespace, rights)
		if g.known == nil {
			g.known = map[[2]string][]access.Rule{}
		}
		g.known[key] = lacking
	}
	return lacking, !done
}
