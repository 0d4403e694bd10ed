package rules

import (
	"fmt"

	"threeway/lint"
	"threeway/merge/impact"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
	"threeway/rules/reference"
)

var breaksReference = &lint.Rule{
	ID:    "breaks-reference",
	Title: "apply would remove something that is still in use",
	Text: "Apply removes a key of a ConfigMap or Secret, a port of a Service, or a pod label that a NetworkPolicy selects, or --prune would delete an object, and a pod template, an " +
		"Ingress, a webhook, a binding or an autoscaler still refers to it, in the manifests or the snapshot. Info: --prune would delete a ConfigMap or Secret that old pods read until their rollout ends.",
	Why: "Running pods keep running. But the next pod cannot start, the Ingress answers with an error, or the webhook " +
		"cannot be called.",
	Fix:      "Change the objects that refer to it first, and remove it with a later apply.",
	Links:    []string{"https://kubernetes.io/docs/concepts/configuration/configmap/", declarative + "#how-to-delete-objects"},
	Severity: lint.Error,
	Effect:   impact.Lacks,
	Run: func(p *lint.Pass) {
		c := clusterOf(p)
		taken := map[manifest.Identity]bool{} // what the apply takes from, or away
		var losing []*lint.Object
		for o := range p.Accepted() {
			for _, out := range c.shutOut(o) {
				p.Report(o, lint.Report{Path: out.path, LivePath: out.path, Severity: lint.Warning, Effect: impact.CutsTraffic,
					Message: "NetworkPolicy " + out.text + " no longer lets new pods connect: it asks for this label", Fix: "keep the label, or first let the policy admit the new one"})
			}
			if loses(o) {
				losing = append(losing, o)
				taken[o.Identity()] = true
			}
		}
		for _, d := range p.Plan.Prune.Pruned() {
			taken[d.Live.ID()] = true
		}
		if len(taken) == 0 {
			return
		}
		broken := c.broken(taken)
		for _, o := range losing {
			id := o.Identity()
			for _, b := range broken[id] {
				r := b.report("apply removes " + partName(b.ref))
				r.Path = partPath(id, b.ref)
				r.LivePath = r.Path
				p.Report(o, r)
			}
		}
		pruned := p.Plan.Prune.Pruned()
		var reading map[manifest.Identity][]string
		if len(pruned) > 0 {
			reading = readUntil(p)
		}
		for _, d := range pruned {
			for _, b := range broken[d.Live.ID()] {
				r := b.report(deleting(p) + d.Live.ID().String())
				r.Notes = append(r.Notes, d.Why)
				p.ReportAt(d.Live.Object(), r)
			}
			if names := reading[d.Live.ID()]; names != nil && !d.Last {
				p.ReportAt(d.Live.Object(), lint.Report{Severity: lint.Info, Effect: impact.Told,
					Message: fmt.Sprintf("%s%s, which the old pods of %s read: one that restarts before the rollout ends cannot start, nor one of kubectl rollout undo", deleting(p), d.Live.ID(), phrase.Some(names)),
					Notes:   []string{d.Why}, Fix: "delete it after the rollout"})
			}
		}
	},
}

// readUntil are the workloads of the set whose pods read a ConfigMap or Secret until their rollout ends,
// by what they read.
func readUntil(p *lint.Pass) map[manifest.Identity][]string {
	names := map[manifest.Identity][]string{}
	for _, m := range p.Set() {
		o := m.Object()
		if o.Before == nil || o.Result == nil {
			continue
		}
		reads := func(obj tree.Object) []manifest.Identity {
			return impact.Read(o.Manifest.Namespace, tree.Map(obj, "spec", "template", "spec"))
		}
		still := map[manifest.Identity]bool{}
		for _, id := range reads(o.Result) {
			still[id] = true
		}
		for _, id := range reads(o.Before) {
			if !still[id] {
				names[id], still[id] = append(names[id], o.Kind.Kind+" "+o.Manifest.Name), true
			}
		}
	}
	return names
}

// brokenUse is a reference to something that the apply takes away.
type brokenUse struct {
	from *manifest.Object
	ref  reference.Reference
}

func (b brokenUse) report(what string) lint.Report {
	from, effect := b.from.ID().String(), b.ref.Effect
	r := lint.Report{
		Fix:   "keep it until " + from + " no longer refers to it",
		Notes: []string{b.from.Place(b.ref.Path).String() + ": " + from + " refers to it at " + b.ref.Path.String()},
	}
	switch {
	case b.ref.Optional:
		r.Severity, effect = lint.Info, "it is optional, and new pods start without it"
	case b.ref.To.Kind == "Service":
		r.Effect = impact.CutsTraffic
	}
	r.Message = fmt.Sprintf("%s, which %s still uses: %s", what, from, effect)
	return r
}

// uses are the broken references by what they refer to.
type uses map[manifest.Identity][]brokenUse

// broken finds the references to what is there before the apply and not after it,
// among the objects that the apply takes from or deletes. An object of the set that
// gets the reference only now is missing-reference's.
func (c *cluster) broken(taken map[manifest.Identity]bool) uses {
	list := uses{}
	add := func(from *manifest.Object, obj tree.Object) {
		seen := map[string]bool{}
		for _, ref := range append(c.referencesOf(from.Kind, from.Namespace, obj), hostReferences(from.Kind, from.Namespace, obj)...) {
			if !taken[ref.To] {
				continue
			}
			if what := refName(ref); !seen[what] && c.resolve(ref, false) == isPresent && c.resolve(ref, true) == isAbsent {
				seen[what] = true
				list[ref.To] = append(list[ref.To], brokenUse{from, ref})
			}
		}
	}
	for _, m := range c.p.Set() {
		if c.refers(m.Manifest.Kind) {
			add(m.Manifest, afterApply(m.Object()))
		}
	}
	if c.p.Options.Live == nil {
		return list
	}
	reaches := c.reaching(taken)
	var kind schema.Kind // of the entry before; an export is mostly sorted
	refers := false
	for _, e := range c.p.Options.Live.Entries {
		if e.Kind != kind {
			kind, refers = e.Kind, c.refers(e.Kind)
		}
		if len(e.Owners) > 0 || !refers {
			continue // most, and looking up a name takes longer
		}
		id := e.ID()
		if _, inSet := c.set[id]; !inSet && !c.deleted[id] && reaches(e) {
			o := e.Object()
			add(o, o.Tree)
		}
	}
	return list
}

// reaching reports of a live object, without decoding it, whether it can refer to
// some others: most fields and names of hosts refer to what is in the same namespace
// or in none.
func (c *cluster) reaching(others map[manifest.Identity]bool) func(*manifest.Entry) bool {
	namespaces, hosts := map[string]bool{}, false
	for id := range others {
		namespaces[id.Namespace] = true
		hosts = hosts || id.Kind == "Service" && c.deleted[id]
	}
	return func(e *manifest.Entry) bool {
		return hosts || namespaces[""] || namespaces[e.Namespace] || reference.CrossesNamespaces(e.Kind)
	}
}

// loses reports whether a ConfigMap or Secret loses a key, or a Service a port.
func loses(o *lint.Object) bool {
	if o.Before == nil || !o.Is("ConfigMap", "Secret", "Service") {
		return false
	}
	for _, field := range []string{"data", "binaryData"} {
		after := tree.Map(o.Result, field)
		for key := range tree.Map(o.Before, field) {
			if _, kept := after[key]; !kept {
				return true
			}
		}
	}
	return o.Is("Service") && !tree.Equal(tree.List(o.Before, "spec", "ports"), tree.List(o.Result, "spec", "ports"))
}
