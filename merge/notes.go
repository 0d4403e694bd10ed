package merge

import (
	"fmt"
	"strings"

	"threeway/merge/access"
	"threeway/merge/fault"
	"threeway/merge/kube"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/mask"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

// notes says, once each, what the rehearsal could not know. by is what the applier says.
func (r *run) notes(p *Plan, by []string) []string {
	var notes []string
	if p.ServerSide {
		if text := p.ownerless(); text != "" {
			notes = append(notes, text)
		}
	}
	notes = append(notes, by...)
	if text := handWritten(p.Outcomes); text != "" && !r.Assumed {
		notes = append(notes, text)
	}
	if text := placeholders(p.Outcomes, r.given.sealed); text != "" {
		notes = append(notes, text)
	}
	if text := sealed(p.Outcomes); text != "" {
		notes = append(notes, text)
	}
	for _, o := range p.Outcomes {
		if o.Later != nil {
			notes = append(notes, fmt.Sprintf("%s: once its CustomResourceDefinition is applied, the next apply will reject it: %s",
				o.Identity(), strings.TrimPrefix(o.Later.OneLine(), "error: ")))
		}
	}
	if text := r.definedHere(p.Outcomes); text != "" {
		notes = append(notes, text)
	}
	if kinds := p.kinds(func(o *rehearsal.Outcome) bool { return o.Undefined && !r.staysEqual(o) }); len(kinds) > 0 {
		notes = append(notes, fmt.Sprintf("no CustomResourceDefinition for %s in the manifests, the snapshot or --crd: objects are merged, but not pruned, defaulted or validated; pass --crd, or a snapshot with the definitions", strings.Join(kinds, ", ")))
	}
	notes = append(notes, r.unauthorized(p.Outcomes)...)
	return append(append(notes, r.uncovered(p.Outcomes)...), r.unsimulatedAdmission(p)...)
}

// unauthorized are the smallest roles with which the user may apply what is rejected
// because of its rights.
func (r *run) unauthorized(outcomes []*rehearsal.Outcome) (notes []string) {
	var lacks []tree.Object
	for _, o := range outcomes {
		if o.Rejection.Has(fault.NoRight) {
			lacks = append(lacks, o.Rejection.Faults[0].Lacks)
		}
	}
	for _, role := range access.SmallestRoles(lacks) {
		if text, err := tree.AppendJSON(nil, role); err == nil {
			notes = append(notes, fmt.Sprintf("User %s may apply what is forbidden here once it is bound to the role %s", r.User.Name, text))
		}
	}
	return notes
}

// definedHere names the objects that the first apply rejects if their definitions, which
// are among the manifests, are not in the cluster yet; "" if there are none.
func (r *run) definedHere(outcomes []*rehearsal.Outcome) string {
	var names []string
	for _, o := range outcomes {
		if o.Action == rehearsal.Created && !r.DefinesFirst && r.Catalog.MayServe(o.Kind) {
			names = append(names, o.Identity().String())
		}
	}
	if names == nil {
		return ""
	}
	then := "the first apply rejects %s, and a second one creates them"
	if !r.By.Claim().IsKubectl() { // Helm, which rejects all before it applies the definition
		then = "every " + r.By.Run() + " rejects %s"
	}
	return fmt.Sprintf("if the cluster does not have their CustomResourceDefinitions yet, which are in the same manifests, "+then+": %s; apply the definitions first, and wait until they are established",
		phrase.Count(len(names), "object"), phrase.Some(names))
}

// handWritten names the live objects that no server can have stored, and whose defaults
// were missing; "" if there are none.
func handWritten(outcomes []*rehearsal.Outcome) string {
	var names []string
	for _, o := range outcomes {
		if o.Live != nil && o.Before != nil && o.Live.Kind == o.Kind && tree.String(o.Live.Tree, "metadata", "uid") == "" && !tree.Equal(o.Live.Tree, o.Before) {
			names = append(names, o.Identity().String())
		}
	}
	if names == nil {
		return ""
	}
	return fmt.Sprintf("hand-written, because a server stores nothing without a uid: %s; compared with the defaults that a server sets when it reads them: %s", phrase.Count(len(names), "live object"), phrase.Some(names))
}

// sealed names the objects that change and whose controllers write Secrets from
// values that are not in them; "" if there are none.
func sealed(outcomes []*rehearsal.Outcome) string {
	var names []string
	for _, o := range outcomes {
		switch o.Kind.GroupKind() {
		case "SealedSecret.bitnami.com", "ExternalSecret.external-secrets.io", "SopsSecret.isindir.github.com":
			if o.Action == rehearsal.Created || o.Action == rehearsal.Configured {
				names = append(names, o.Identity().String())
			}
		}
	}
	if names == nil {
		return ""
	}
	return "controllers write Secrets for these objects; their values, and whether Pods are restarted for them, are unknown: " + strings.Join(names, ", ")
}

// ownerless is the sentence about live objects that were exported without their
// owners, which a server-side apply goes by; "" if there are none.
func (p *Plan) ownerless() string {
	n := 0
	for _, o := range p.Outcomes {
		if o.Live != nil && !owners.Recorded(o.Live.Tree) {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s no managedFields, so conflicts and removals may differ from those in the cluster; export them with: %s", phrase.Count(n, "live object has", "live objects have"), rehearsal.ExportManagers)
}

// placeholders names the Secrets of a config that was made of a redacted
// snapshot; "" if there are none.
func placeholders(outcomes []*rehearsal.Outcome, sealed map[*manifest.Object]bool) string {
	var names []string
	for _, o := range outcomes {
		if o.Kind.GroupKind() != "Secret" || sealed[o.Manifest] {
			continue
		}
		if n, _ := mask.Redacted(o.Manifest.Tree); n > 0 {
			names = append(names, o.Identity().String())
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "the manifest has redacted values, and an apply would replace the real ones with them: " + strings.Join(names, ", ")
}

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
			namespaces = append(namespaces, o.Manifest.Namespace)
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
		if o.Kind.GroupKind() == "Namespace" && o.Action == rehearsal.Configured && kube.TightensPods(o.Result, o.Before) {
			namespaces = append(namespaces, o.Manifest.Name)
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
			created[o.Manifest.Namespace] = true
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
