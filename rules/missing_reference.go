package rules

import (
	"fmt"
	"slices"

	"threeway/lint"
	"threeway/merge/impact"
	"threeway/merge/manifest"
	"threeway/merge/text/phrase"
	"threeway/rules/reference"
)

var missingReference = &lint.Rule{
	ID:    "missing-reference",
	Title: "an object that a manifest refers to is missing",
	Text: "After the apply an object newly refers to another one, or to its key or port, that is in no manifest and not in the snapshot: a " +
		"ConfigMap, Secret, ServiceAccount or claim of a pod, a class, the Service and port of an Ingress or webhook, the role of a " +
		"binding, the target of an autoscaler. An error if the server rejects the Pods for it; info if the snapshot may lack objects of " +
		"that kind and namespace, unless the name differs by one letter from that of a manifest, or, with --base, takes the place of one. Not " +
		"reported: optional references, and objects that a controller creates. Fields of other kinds: references in .threeway.yaml.",
	Why: "Until the other object exists, new pods do not start, the claim stays Pending, the Ingress answers with an error, or the " +
		"binding grants nothing.",
	Fix: "Add the missing object to the manifests, or correct the name.",
	Links: []string{"https://kubernetes.io/docs/concepts/configuration/configmap/", "https://kubernetes.io/docs/concepts/configuration/secret/",
		"https://kubernetes.io/docs/concepts/services-networking/ingress/"},
	Severity: lint.Warning,
	Effect:   impact.Lacks,
	Run: func(p *lint.Pass) {
		c := clusterOf(p)
		if p.Options.Live == nil && !p.Options.EmptyCluster {
			return
		}
		for o := range p.Accepted() {
			for _, ref := range c.missing(o) {
				r := lint.Report{Path: o.Keyed(ref.Path, o.Result), Fix: "add it to the manifests, or correct the name"}
				switch {
				case ref.Minor:
					r.Severity = lint.Info
				case isClass(ref) && rejectedForClass(o):
					r.Severity = lint.Error
				}
				name, names := ref.To.Name, c.names(ref.To)
				if to := c.after(ref.To); to != nil {
					name, names = fmt.Sprint(ref.Part), partNames(ref, to)
					r.Path = o.Keyed(ref.At, o.Result)
					r.Message = fmt.Sprintf("%s has no %s: %s", ref.To, partName(ref), ref.Effect)
					r.Fix = fmt.Sprintf("add %s to %s, or correct the reference", partName(ref), ref.To)
				} else {
					r.Message = fmt.Sprintf("%s is in no manifest and not in the snapshot: %s", ref.To, ref.Effect)
					r.Notes = c.elsewhere(ref.To)
				}
				if meant := phrase.Nearest(name, names); meant != "" {
					r.Fix = "did you mean " + meant + "?"
				}
				p.Report(o, r)
			}
			for _, m := range c.mayBeMissing(o) {
				r := lint.Report{Path: o.Keyed(m.Path, o.Result), Severity: lint.Info, Effect: impact.None, Fix: "correct the name, or export all objects of that kind and namespace"}
				where := ", and the snapshot may not have all of its kind and namespace"
				switch {
				case p.Options.Base != nil:
					where = ""
				case len(p.Options.Live.Entries) == 0:
					where = ", and there is no snapshot"
				}
				r.Message, r.Notes = fmt.Sprintf("%s may be missing: it is in no manifest%s: %s", m.To, where, m.Effect), c.elsewhere(m.To)
				switch {
				case m.likely != "":
					r.Severity, r.Effect, r.Fix = lint.Warning, impact.Lacks, "did you mean "+m.likely+"?"
				case r.Notes != nil && o.Before != nil:
					r.Severity, r.Effect, r.Fix = lint.Warning, impact.Lacks, "add it to this namespace too: a reference leads to none in another"
				case m.replaces != nil:
					r.Severity, r.Effect, r.Fix = lint.Warning, impact.Lacks, "refer to "+m.replaces.Name+" as before, or add "+m.To.Name+" to the manifests"
				}
				p.Report(o, r)
			}
		}
	},
}

// names are those of the objects of a kind in a namespace, of the manifests and the snapshot.
func (c *cluster) names(of manifest.Identity) (list []string) {
	for _, m := range c.byKind[groupKind(of)] {
		if m.Manifest.Namespace == of.Namespace {
			list = append(list, m.Manifest.Name)
		}
	}
	if c.p.Options.Live != nil {
		for _, e := range c.p.Options.Live.EntriesOfKind(groupKind(of)) {
			if e.Namespace == of.Namespace && !c.deleted[e.ID()] {
				list = append(list, e.Name)
			}
		}
	}
	return list
}

// doubtful is a reference of which nothing tells whether it leads to an object, and the name
// in the manifests that it is one letter from. replaces is the object of the manifests that it led to,
// and leads to no more.
type doubtful struct {
	reference.Reference
	likely   string
	replaces *manifest.Identity
}

// mayBeMissing are the references that an object gets by the apply and that lead to an object
// in no manifest and not in the snapshot, which may not have all. With a base, they are those
// that are one letter from an object that they led to, or that led to one.
func (c *cluster) mayBeMissing(o *lint.Object) (list []doubtful) {
	had, led, has := map[manifest.Identity]bool{}, map[manifest.Identity]bool{}, map[manifest.Identity]bool{}
	for _, ref := range c.referencesOf(o.Kind, o.Manifest.Namespace, o.Before) {
		had[ref.To], led[ref.To] = true, c.before(ref.To) != nil
	}
	refs, said := c.referencesOf(o.Kind, o.Manifest.Namespace, o.Result), map[manifest.Identity]bool{}
	for _, ref := range refs {
		has[ref.To] = true
	}
	for _, ref := range refs {
		if ref.Optional || had[ref.To] || said[ref.To] || c.after(ref.To) != nil || c.resolve(ref, true) != isUnknown || c.cover.has(ref.To) || c.madeByOthers(ref.To) {
			continue
		}
		if _, inSet := c.set[ref.To]; inSet {
			continue // its rejection is told
		}
		var names []string
		d := doubtful{Reference: ref}
		for _, m := range c.byKind[groupKind(ref.To)] {
			id := m.Manifest.ID()
			if id.Namespace != ref.To.Namespace {
				continue
			}
			if c.p.Options.Base == nil || o.Before == nil || led[id] {
				names = append(names, id.Name)
			}
			if led[id] && !has[id] {
				d.replaces = &id
			}
		}
		said[ref.To] = true
		if d.likely = phrase.Nearest(ref.To.Name, names); d.likely != "" || c.p.Options.Base == nil || d.replaces != nil || o.Before != nil && c.elsewhere(ref.To) != nil {
			list = append(list, d)
		}
	}
	return list
}

// missing are the references that an object gets by the apply and that lead to
// nothing, each once.
func (c *cluster) missing(o *lint.Object) (list []reference.Reference) {
	had := map[reference.Need]bool{}
	for _, ref := range c.referencesOf(o.Kind, o.Manifest.Namespace, o.Before) {
		had[ref.Need()] = true
	}
	said := map[string]bool{}
	for _, ref := range c.referencesOf(o.Kind, o.Manifest.Namespace, o.Result) {
		if ref.Optional || c.deleted[ref.To] || had[ref.Need()] || c.resolve(ref, true) != isAbsent {
			continue
		}
		what := refName(ref)
		if c.after(ref.To) == nil {
			what = ref.To.String() // whichever key of it
		}
		if !said[what] {
			said[what] = true
			list = append(list, ref)
		}
	}
	return list
}

// isClass reports whether a reference leads to a class without which admission
// rejects a Pod.
func isClass(ref reference.Reference) bool {
	return ref.To.Kind == "PriorityClass" || ref.To.Kind == "RuntimeClass"
}

// rejectedForClass reports whether the server rejects the Pods of a workload because
// a class is missing.
func rejectedForClass(o *lint.Object) bool {
	_, ok := workload(o)
	return ok && slices.ContainsFunc(reference.Of(o.Kind, o.Manifest.Namespace, o.Result, nil), func(ref reference.Reference) bool { return misses(o, ref) })
}

// misses reports whether a reference is to a class because of which the server rejects the Pods of a
// workload.
func misses(o *lint.Object, ref reference.Reference) bool {
	by := o.RejectedPods().By
	return isClass(ref) && by.Name == ref.To.Name && by.GroupKind == groupKind(ref.To)
}

// elsewhere says where the set has an object of the name in another namespace.
func (c *cluster) elsewhere(id manifest.Identity) []string {
	for _, m := range c.byKind[groupKind(id)] {
		if m.Manifest.Name == id.Name {
			return []string{m.Manifest.At() + " has it in another namespace: " + m.Manifest.ID().String()}
		}
	}
	return nil
}
