// Package quota counts what objects use of the ResourceQuotas of their
// namespace, and words what the server rejects, as the admission plugin
// ResourceQuota does. It goes by status.hard and status.used of a quota, not by
// its spec: a quota without a status limits nothing.
//
// Source: k8s.io/apiserver/pkg/admission/plugin/resourcequota, and the
// evaluators in pkg/quota/v1/evaluator/core of Kubernetes.
package quota

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"threeway/merge/format"
	"threeway/merge/tree"
)

// Amounts are quantities by the names that a quota has for them.
type Amounts map[string]resource.Quantity

// Request is an object on its way into the store: decoded, defaulted, and past
// the other plugins.
type Request struct {
	Resource    string // plural, with the group: deployments.apps
	Object, Old tree.Object
	Minor       int
}

// Ledger is what the quotas of a cluster allow and what has been used so far.
type Ledger map[string][]*quota // by namespace

// quota is one ResourceQuota.
type quota struct {
	name       string
	hard, used Amounts
	scopes     []scope
}

// Read opens a ledger with the ResourceQuotas of a snapshot.
func Read(quotas []tree.Object) Ledger {
	l := Ledger{}
	for _, obj := range quotas {
		namespace := tree.String(obj, "metadata", "namespace")
		l[namespace] = append(l[namespace], &quota{
			name: tree.String(obj, "metadata", "name"),
			hard: amounts(tree.Map(obj, "status", "hard")), used: amounts(tree.Map(obj, "status", "used")),
			scopes: scopesOf(tree.Map(obj, "spec")),
		})
	}
	for _, list := range l {
		slices.SortFunc(list, func(a, b *quota) int { return cmp.Compare(a.name, b.name) })
	}
	return l
}

// Copy is a ledger of its own with the same amounts.
func (l Ledger) Copy() Ledger {
	c := Ledger{}
	for namespace, list := range l {
		for _, q := range list {
			copied := *q
			copied.used = maps.Clone(q.used)
			c[namespace] = append(c[namespace], &copied)
		}
	}
	return c
}

// Unused is a ledger of the same quotas in which nothing is used.
func (l Ledger) Unused() Ledger {
	c := l.Copy()
	for _, list := range c {
		for _, q := range list {
			for name := range q.used {
				q.used[name] = number(0)
			}
		}
	}
	return c
}

// Settled opens a ledger with quotas as their controller leaves them after a change: with
// the limits of their specs. What their statuses do not count yet, the Pods do.
func Settled(quotas, pods []tree.Object, minor int) Ledger {
	l := Read(quotas)
	e := evaluatorOf("pods", minor)
	for _, obj := range quotas {
		list := l[tree.String(obj, "metadata", "namespace")]
		q := list[slices.IndexFunc(list, func(q *quota) bool { return q.name == tree.String(obj, "metadata", "name") })]
		q.hard = amounts(tree.Map(obj, "spec", "hard"))
		counted := Amounts{}
		for _, pod := range pods {
			if e.inScope(q, pod) {
				counted.add(e.usage(pod))
			}
		}
		for name := range q.hard {
			if _, known := q.used[name]; !known {
				q.used[name] = counted[name]
			}
		}
	}
	return l
}

// Without is a copy of a ledger without what an object uses.
func (l Ledger) Without(r Request) Ledger {
	l = l.Copy()
	e := evaluatorOf(r.Resource, r.Minor)
	for _, q := range l[tree.String(r.Object, "metadata", "namespace")] {
		if !e.inScope(q, r.Object) {
			continue
		}
		for name, amount := range e.usage(r.Object) {
			if used, known := q.used[name]; known {
				used = used.DeepCopy()
				if used.Sub(amount); used.Sign() < 0 { // nothing tells what is used
					used = number(0)
				}
				q.used[name] = used
			}
		}
	}
	return l
}

// Admit is why the server rejects a request, "" if it accepts, and the quota by which. The ledger is
// charged with what an accepted one uses, unless dry: a dry run uses nothing.
// If several quotas reject it, the first by name is the answer; the server's
// own order is random.
//
// Source: CheckRequest of resourcequota/controller.go.
func (l Ledger) Admit(r Request, dry bool) (why, by string) {
	quotas := l[tree.String(r.Object, "metadata", "namespace")]
	e := evaluatorOf(r.Resource, r.Minor)
	if len(quotas) == 0 || e == nil || !e.handles(r) {
		return "", ""
	}
	var concerned []*quota
	for _, q := range quotas {
		names := e.matching(q.hard)
		if len(names) == 0 || !e.inScope(q, r.Object) {
			continue
		}
		if why := e.constraints(names, r.Object); why != "" {
			return fmt.Sprintf("failed quota: %s: %s", q.name, why), q.name
		}
		if slices.ContainsFunc(names, func(name string) bool { _, known := q.used[name]; return !known }) {
			return fmt.Sprintf("status unknown for quota: %s, resources: %s", q.name, strings.Join(names, ",")), q.name
		}
		concerned = append(concerned, q)
	}
	usage := e.usage(r.Object)
	if negative := usage.where(func(q resource.Quantity) bool { return q.Sign() < 0 }); len(negative) > 0 {
		return "quota usage is negative for resource(s): " + strings.Join(slices.Sorted(maps.Keys(negative)), ","), ""
	}
	charged := make([]Amounts, len(concerned))
	for i, q := range concerned {
		delta := usage
		if tree.String(r.Old, "metadata", "resourceVersion") != "" && e.inScope(q, r.Old) {
			delta = usage.growth(e.usage(r.Old))
		}
		if why, charged[i] = q.over(delta); why != "" {
			return why, q.name
		}
	}
	if !dry {
		for i, q := range concerned {
			q.used.add(charged[i])
		}
	}
	return "", ""
}

// Counts reports whether a ResourceQuota, by its spec, limits objects like the one of a request.
func Counts(quota tree.Object, r Request) bool {
	e := evaluatorOf(r.Resource, r.Minor)
	return e != nil && len(e.matching(amounts(tree.Map(quota, "spec", "hard")))) > 0
}

// over is what of delta is charged, or why that is too much.
func (q *quota) over(delta Amounts) (why string, requested Amounts) {
	requested, exceeded := Amounts{}, Amounts{}
	for name, amount := range delta {
		most, limited := q.hard[name]
		if !limited || amount.IsZero() {
			continue
		}
		requested[name] = amount
		used := q.used[name].DeepCopy()
		if used.Add(amount); used.Cmp(most) > 0 {
			exceeded[name] = amount
		}
	}
	if len(exceeded) == 0 {
		return "", requested
	}
	among := func(name string) bool { _, ok := exceeded[name]; return ok }
	return fmt.Sprintf("exceeded quota: %s, requested: %s, used: %s, limited: %s", q.name, exceeded, q.used.named(among), q.hard.named(among)), nil
}

// String lists the amounts as the server's messages do.
func (a Amounts) String() string {
	texts := make([]string, 0, len(a))
	for _, name := range slices.Sorted(maps.Keys(a)) {
		q := a[name]
		texts = append(texts, name+"="+q.String())
	}
	return strings.Join(texts, ",")
}

// Object are the amounts as an object has them.
func (a Amounts) Object() tree.Object {
	obj := tree.Object{}
	for name, q := range a {
		obj[name] = q.String()
	}
	return obj
}

func (a Amounts) named(keep func(name string) bool) Amounts {
	kept := Amounts{}
	for name, q := range a {
		if keep(name) {
			kept[name] = q
		}
	}
	return kept
}

func (a Amounts) where(keep func(resource.Quantity) bool) Amounts {
	return a.named(func(name string) bool { return keep(a[name]) })
}

func (a Amounts) plus(b Amounts) Amounts {
	sum := Amounts{}
	sum.add(a)
	sum.add(b)
	return sum
}

func (a Amounts) add(b Amounts) {
	for name, q := range b {
		total, ok := a[name]
		if total = total.DeepCopy(); !ok {
			total = q.DeepCopy()
		} else {
			total.Add(q)
		}
		a[name] = total
	}
}

// growth is what there is more than before, zero where there is less
// (SubtractWithNonNegativeResult).
func (a Amounts) growth(before Amounts) Amounts {
	more := Amounts{}
	for name, q := range a {
		q = q.DeepCopy()
		q.Sub(before[name])
		if q.Sign() > 0 {
			more[name] = q
		}
	}
	return more
}

// atLeast raises the amounts to those of b.
func (a Amounts) atLeast(b Amounts) {
	for name, q := range b {
		if have, ok := a[name]; !ok || q.Cmp(have) > 0 {
			a[name] = q.DeepCopy()
		}
	}
}

// amounts reads a list of quantities; what does not parse is left out.
func amounts(list tree.Object) Amounts {
	a := Amounts{}
	for name, v := range list {
		if q, err := format.Quantity(fmt.Sprint(v)); err == nil {
			a[name] = q
		}
	}
	return a
}
