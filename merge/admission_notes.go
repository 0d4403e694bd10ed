package merge

import (
	"fmt"
	"strings"

	"threeway/merge/rehearsal"
	"threeway/merge/schema"
	"threeway/merge/server/podsecurity"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

// unsimulatedAdmission names what is in the snapshot and would have a say in the outcomes,
// but cannot be asked.
func (r *run) unsimulatedAdmission(p *Plan) []string {
	outcomes := p.Outcomes
	var notes []string
	for _, a := range p.Asked {
		notes = append(notes, a.String())
	}
	notes = append(append(append(notes, r.converters(outcomes)...), r.unbound()...), undecided(outcomes)...)
	if text := r.unlabelled(outcomes); text != "" {
		notes = append(notes, text)
	}
	if text := r.podless(outcomes); text != "" {
		notes = append(notes, text)
	}
	return append(notes, r.limited(outcomes)...)
}

// converters names the conversion webhooks that the server asks before it stores
// objects of this run.
func (r *run) converters(outcomes []*rehearsal.Outcome) []string {
	var notes []string
	for _, o := range outcomes {
		if o.Action != rehearsal.Created && o.Action != rehearsal.Configured || schema.Lookup(o.Kind) != nil {
			continue
		}
		d := r.Server.Definition(o.Kind)
		if d == nil {
			continue
		}
		if c, needed := d.Converter(o.Kind.Version); needed {
			notes = append(notes, fmt.Sprintf("not simulated: conversion webhook of %s at %s, which converts %s; it may change these objects, and the server rejects them if it cannot reach it",
				o.Kind.GroupKind(), c, o.Kind.Version))
		}
	}
	return phrase.Distinct(notes)
}

// unbound names the policies that a snapshot has without any binding, by which
// alone the server evaluates them.
func (r *run) unbound() []string {
	const group = "admissionregistration.k8s.io"
	var notes []string
	for _, kind := range []string{"MutatingAdmissionPolicy", "ValidatingAdmissionPolicy"} {
		policies := r.Catalog.Objects(kind + "." + group)
		if len(policies) == 0 || r.Live.Covers(group, kind+"Binding") || r.Catalog.Complete() || r.Assumed {
			continue
		}
		var names []string
		for _, p := range policies {
			names = append(names, tree.String(p, "metadata", "name"))
		}
		notes = append(notes, fmt.Sprintf("the snapshot has no %sBinding; these policies are evaluated only where one binds them: %s", kind, phrase.Some(phrase.Distinct(names))))
	}
	return notes
}

// unlabelled names the namespaces that the snapshot lacks, so that the Pod
// Security of the Pods in them is unknown; "" if there are none, or no snapshot.
func (r *run) unlabelled(outcomes []*rehearsal.Outcome) string {
	if len(r.Live.Entries) == 0 || r.Assumed {
		return ""
	}
	var namespaces []string
	for _, o := range outcomes {
		if (o.Action == rehearsal.Created || o.Action == rehearsal.Configured) && r.Server.DependsOnNamespace(o.Kind, o.Result, o.Before) {
			namespaces = append(namespaces, o.Config.Namespace)
		}
	}
	if len(namespaces) == 0 {
		return ""
	}
	return fmt.Sprintf("the snapshot has no Namespace %s, whose labels set the Pod Security level; the server may reject Pods or warn of them", strings.Join(phrase.Distinct(namespaces), ", "))
}

// podless names the namespaces that get a stricter Pod Security level, if the
// snapshot has no Pods to hold to it; "" if there are none.
func (r *run) podless(outcomes []*rehearsal.Outcome) string {
	if r.Assumed || r.Live.Covers("", "Pod") || r.Catalog.Complete() {
		return ""
	}
	var namespaces []string
	for _, o := range outcomes {
		if o.Kind.GroupKind() == "Namespace" && o.Action == rehearsal.Configured &&
			podsecurity.Tightened(tree.Map(o.Result, "metadata", "labels"), tree.Map(o.Before, "metadata", "labels")) {
			namespaces = append(namespaces, o.Config.Name)
		}
	}
	if len(namespaces) == 0 {
		return ""
	}
	return fmt.Sprintf("the snapshot has no Pods; the server warns of those that violate the new Pod Security level of namespace %s", strings.Join(namespaces, ", "))
}

// limited names the quotas that do not say what they limit and what is used, as
// the controller would have counted it, so that new objects cannot be held to
// them.
func (r *run) limited(outcomes []*rehearsal.Outcome) []string {
	created := map[string]bool{}
	for _, o := range outcomes {
		if o.Action == rehearsal.Created {
			created[o.Config.Namespace] = true
		}
	}
	var quotas []string
	for _, e := range r.Live.EntriesOfKind("ResourceQuota") {
		if created[e.Namespace] && tree.Map(e.Object().Tree, "status", "hard") == nil {
			quotas = append(quotas, e.Namespace+"/"+e.Name)
		}
	}
	if len(quotas) == 0 {
		return nil
	}
	return []string{"not checked, because it has no status in the snapshot: ResourceQuota " + strings.Join(quotas, ", ") + "; it may reject new objects"}
}
