package rules

import (
	"fmt"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/access"
	"threeway/merge/manifest"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

// rightsOf are the changes of rights in one direction: of who may do in has what it may
// not in the other state of the cluster.
type rightsOf struct {
	has               *access.Roles
	byBinding, byRole map[access.Ref][]access.Gain
}

// rights are what the apply gives subjects, and what it takes from them.
type rights struct{ gained, lost *rightsOf }

func (c *cluster) rights() rights {
	return lint.SharedByRun(c.p, func() rights {
		var live, put []tree.Object
		var gone []access.Ref
		differ := map[access.Ref]bool{}
		for _, kind := range access.Kinds {
			for k := range c.ofKind(kind) {
				id := k.source.ID()
				if k.before != nil {
					live = append(live, inNamespace(id, k.before))
				}
				ref := access.Ref{Kind: id.Kind, Namespace: id.Namespace, Name: id.Name}
				_, inSet := c.set[id]
				switch {
				case k.after == nil && k.before != nil:
					gone = append(gone, ref)
				case !inSet || k.before != nil && tree.Equal(k.before, k.after):
					continue
				default:
					put = append(put, inNamespace(id, k.after))
				}
				differ[ref] = true
			}
		}
		before := access.New(c.p.Plan.Minor, live, func(string) bool { return true })
		after := before.With(put, gone)
		return rights{newRightsOf(after, before, differ), newRightsOf(before, after, differ)}
	})
}

// inNamespace is an object with its namespace, which a manifest need not have.
func inNamespace(id manifest.Identity, obj tree.Object) tree.Object {
	if tree.String(obj, "metadata", "namespace") != id.Namespace {
		obj = tree.CopyObject(obj)
		tree.Set(obj, id.Namespace, "metadata", "namespace")
	}
	return obj
}

func newRightsOf(has, other *access.Roles, differ map[access.Ref]bool) *rightsOf {
	of := &rightsOf{has, map[access.Ref][]access.Gain{}, map[access.Ref][]access.Gain{}}
	for _, g := range has.Gains(other, differ) {
		if g.Bound {
			of.byBinding[g.Binding] = append(of.byBinding[g.Binding], g)
		} else { // a binding is reported with all that it gives
			of.byRole[g.Role] = append(of.byRole[g.Role], g)
		}
	}
	return of
}

// by is the change that one object makes, with what it is in the state where they have the
// rights, and in the other one.
func (of *rightsOf) by(id manifest.Identity, is, other tree.Object) (x rightsChange) {
	ref := access.Ref{Kind: id.Kind, Namespace: id.Namespace, Name: id.Name}
	for _, g := range of.byBinding[ref] {
		x.add(g, g.Rules, "")
	}
	if tree.Has(is, "aggregationRule") && tree.Equal(is["aggregationRule"], other["aggregationRule"]) {
		return x // what it gathers is reported where that changes
	}
	for _, g := range of.byRole[ref] {
		x.add(g, g.Rules, "")
	}
	if id.Kind != "ClusterRole" {
		return x
	}
	labels, others := tree.Map(is, "metadata", "labels"), tree.Map(other, "metadata", "labels")
	wholes := of.has.Gatherers(labels)
	had := wholes
	if !tree.Equal(labels, others) {
		had = of.has.Gatherers(others)
	}
	for _, whole := range wholes {
		from := other
		if !slices.Contains(had, whole) {
			from = nil
		}
		rules := addedRights(access.RulesOf(from), access.Split(access.RulesOf(is)))
		for _, g := range of.byRole[whole] {
			x.add(g, g.Among(rules), ", which gathers the rules of ClusterRole "+id.Name)
		}
	}
	return x
}

// rightsChange is what some subjects may do that they could not do before, or no longer.
type rightsChange struct {
	holders              []string
	holds                map[string]bool // the same
	rights               []access.Rule
	namespaces, bindings []string
	role                 access.Ref
	more                 string // said of the role
}

// add adds a subject, if it has some of the rights by a binding, or if those are not known.
func (x *rightsChange) add(g access.Gain, rights []access.Rule, more string) {
	holder := holderName(g.Subject)
	if len(rights) == 0 && g.Rules != nil || x.holds[holder] {
		return
	}
	if len(x.holders) == 0 {
		x.role, x.more, x.holds = g.Role, more, map[string]bool{}
	}
	x.holds[holder] = true
	x.holders, x.namespaces, x.bindings = append(x.holders, holder), append(x.namespaces, g.Binding.Namespace), append(x.bindings, placedText(g.Binding))
	x.rights = append(x.rights, access.NewHeld(x.rights...).Lacking("", rights)...)
}

// why is what the rights lead to, "" if to no other right.
func (x *rightsChange) why() string { return powerOf(x.rights) }

// so is that behind the rights in a message, which say it themselves if they are all.
func (x *rightsChange) so() string {
	if why := x.why(); why != "" && why != powers[0].why {
		return ": " + why
	}
	return ""
}

// what says the rights, the worst first, and where.
func (x *rightsChange) what() string {
	byPower := make([][]access.Rule, len(powers)+1)
	for _, r := range x.rights {
		p := power(r)
		byPower[p] = append(byPower[p], r)
	}
	what := access.Words(slices.Concat(byPower...))
	switch {
	case byPower[0] != nil:
		what = "everything"
	case what == "":
		what = "all that the role allows"
	}
	scope := "everywhere"
	if !slices.Contains(x.namespaces, "") {
		scope = "in " + phrase.Some(phrase.Distinct(x.namespaces))
	}
	return what + " " + scope
}

// text says who gains or loses what, and how.
func (x *rightsChange) text(verb string) string {
	return fmt.Sprintf("%s %s: %s (through %s → %s%s)", phrase.Some(x.holders), verb, x.what(), phrase.Some(phrase.Distinct(x.bindings)), placedText(x.role), x.more)
}

// holderName names a subject: "ServiceAccount shop/api".
func holderName(subject string) string {
	if account, is := strings.CutPrefix(subject, "User system:serviceaccount:"); is {
		return "ServiceAccount " + strings.Replace(account, ":", "/", 1)
	}
	return subject
}

// placedText names a role or binding: "RoleBinding shop/web".
func placedText(ref access.Ref) string {
	if ref.Namespace != "" {
		return ref.Kind + " " + ref.Namespace + "/" + ref.Name
	}
	return ref.Kind + " " + ref.Name
}

// move is the change of the ServiceAccount as which pods run, also of those that get other images
// or no token.
type move struct {
	namespace, from, to string
	retooled, tokenless bool
}

// moved reports what a move means for each workload that makes it, unless there is no message.
func (c *cluster) moved(p *lint.Pass, means func(move) lint.Report) {
	known := map[move]lint.Report{}
	for o, created := range c.changed() {
		_, before := podSpec(o.Kind, o.Before)
		at, after := podSpec(o.Kind, o.Result)
		m := move{namespace: o.Manifest.Namespace, from: accountOf(before), to: accountOf(after), retooled: images(before) != images(after)}
		if created || before == nil || after == nil || m.from == m.to {
			continue
		}
		account, asks := c.after(manifest.Identity{Kind: "ServiceAccount", Namespace: m.namespace, Name: m.to}), after["automountServiceAccountToken"]
		m.tokenless = asks == false || asks == nil && account["automountServiceAccountToken"] == false
		r, done := known[m]
		if !done {
			r = means(m)
			known[m] = r
		}
		if r.Path, r.LivePath = at.Child("serviceAccountName"), at.Child("serviceAccountName"); r.Message != "" {
			p.Report(o, r)
		}
	}
}

// beyond is what a ServiceAccount may do and another one of its namespace may not.
func (c *cluster) beyond(namespace string, roles *access.Roles, account, other string) (x rightsChange) {
	users, held := "User system:serviceaccount:"+namespace+":", access.NewHeld()
	for _, g := range roles.Beyond(users+account, users+other) {
		more := held.Lacking("", g.Rules)
		held.Add("", more)
		x.role, x.rights = g.Role, append(x.rights, more...)
		x.namespaces, x.bindings = append(x.namespaces, g.Binding.Namespace), append(x.bindings, placedText(g.Binding))
	}
	return x
}

// running says which pods of the cluster run as one of the subjects, and whether some of
// them stay as they are.
func (c *cluster) running(subjects []string) (notes []string, stay bool) {
	for _, s := range subjects {
		account, isAccount := strings.CutPrefix(s, "ServiceAccount ")
		namespace, name, _ := strings.Cut(account, "/")
		if !isAccount {
			continue
		}
		var names []string
		for _, t := range c.templates(namespace) {
			_, was := t.before()
			_, is := t.after()
			if is != nil && accountOf(is) == name {
				names = append(names, t.source.ID().String())
				stay = stay || tree.Equal(was, is)
			}
		}
		if len(names) > 0 && len(notes) < 3 {
			notes = append(notes, fmt.Sprintf("%s runs as %s", phrase.Abbreviated(names, 3), s))
		}
	}
	return notes, stay
}

// accountOf is the name of the ServiceAccount that a pod runs as.
func accountOf(spec tree.Object) string {
	if name := tree.String(spec, "serviceAccountName"); name != "" {
		return name
	}
	return "default"
}
