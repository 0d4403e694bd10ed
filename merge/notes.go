package merge

import (
	"fmt"
	"strings"

	"threeway/merge/access"
	"threeway/merge/fault"
	"threeway/merge/gap"
	"threeway/merge/kube"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/mask"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

// notes adds what there is to say of the outcomes, and the gaps.
func (r *run) notes(p *Plan, after rehearsal.Aftermath) {
	note := func(texts ...string) {
		for _, text := range texts {
			if text != "" {
				p.Notes = append(p.Notes, text)
			}
		}
	}
	note(after.Notes...)
	p.Add(after.Gaps...)
	if !r.Assumed {
		p.Add(withoutUID(p.Outcomes)...)
	}
	note(placeholders(p.Outcomes, r.given.sealed), sealed(p))
	for _, o := range p.Outcomes {
		if o.Later != nil {
			note(fmt.Sprintf("%s: once its CustomResourceDefinition is applied, the next apply will reject it: %s",
				o.Identity(), strings.TrimPrefix(o.Later.OneLine(), "error: ")))
		}
	}
	note(r.definedHere(p.Outcomes))
	note(r.unauthorized(p.Outcomes)...)
	r.lacking(p)
	r.unfilled(p)
	for _, a := range p.Asked {
		if a.Ignored {
			note(a.String())
		} else {
			p.Add(a.Gap())
		}
	}
	r.converters(p)
	r.unbound(p)
	undecided(p)
	r.unlabelled(p)
	r.podless(p)
	r.limited(p)
}

// changing are the outcomes that change something.
func changing(outcomes []*rehearsal.Outcome) (list []*rehearsal.Outcome) {
	for _, o := range outcomes {
		if o.Action == rehearsal.Created || o.Action == rehearsal.Configured {
			list = append(list, o)
		}
	}
	return list
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

// withoutUID are the live objects that no server can have stored, and whose defaults were missing.
func withoutUID(outcomes []*rehearsal.Outcome) (list gap.List) {
	var names []string
	for _, o := range outcomes {
		if o.Live != nil && o.Before != nil && o.Live.Kind == o.Kind && tree.String(o.Live.Tree, "metadata", "uid") == "" && !tree.Equal(o.Live.Tree, o.Before) {
			names = append(names, o.Identity().String())
			list = append(list, gap.Gap{Code: gap.NotLive, Objects: []manifest.Identity{o.Identity()}, Needs: "an export of the cluster; manifests are for --base"})
		}
	}
	if list != nil {
		list[0].Note = fmt.Sprintf("%s no uid, which every object in a cluster has: %s; for manifests use --base instead of --live", phrase.Count(len(names), "live object has", "live objects have"), phrase.Some(names))
	}
	return list
}

// sealed names the objects that change and whose controllers write Secrets from
// values that are not in them; "" if there are none.
func sealed(p *Plan) string {
	var names []string
	for _, o := range changing(p.Outcomes) {
		switch o.Kind.GroupKind() {
		case "SealedSecret.bitnami.com", "ExternalSecret.external-secrets.io", "SopsSecret.isindir.github.com":
			names = append(names, o.Identity().String())
			p.Unseen = append(p.Unseen, gap.Unseen{Object: o.Identity(), Text: "its controller writes a Secret from values that are not in it"})
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
	var bare []manifest.Identity
	for _, o := range p.Outcomes {
		if o.Live != nil && !owners.Recorded(o.Live.Tree) {
			bare = append(bare, o.Identity())
		}
	}
	if bare == nil {
		return ""
	}
	return fmt.Sprintf("%s no managedFields, so conflicts and removals may differ from those in the cluster; export them with: %s", phrase.Count(len(bare), "live object has", "live objects have"), manifest.ExportManagers(bare...))
}

// placeholders names the Secrets of a config that was made of a redacted
// snapshot; "" if there are none.
func placeholders(outcomes []*rehearsal.Outcome, sealed map[*manifest.Object]tree.Object) string {
	var names []string
	for _, o := range outcomes {
		if o.Kind.GroupKind() != "Secret" || sealed[o.Manifest] != nil {
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

// converters adds the conversion webhooks that the server asks before it stores
// objects of this run.
func (r *run) converters(p *Plan) {
	for _, o := range changing(p.Outcomes) {
		if schema.Lookup(o.Kind) != nil {
			continue
		}
		d := r.Server.Definition(o.Kind)
		if d == nil {
			continue
		}
		if c, needed := d.Converter(o.Kind.Version); needed {
			p.Add(gap.Gap{
				Code: gap.Conversion, Objects: []manifest.Identity{o.Identity()}, Needs: fmt.Sprintf("what the conversion webhook of %s makes of %s", o.Kind.GroupKind(), o.Kind.Version),
				Note: fmt.Sprintf("not simulated: conversion webhook of %s at %s, which converts %s; it may change these objects, and the server rejects them if it cannot reach it",
					o.Kind.GroupKind(), c, o.Kind.Version),
			})
		}
	}
}

// unbound adds the policies that a snapshot has without any binding, by which
// alone the server evaluates them.
func (r *run) unbound(p *Plan) {
	const group = "admissionregistration.k8s.io"
	for _, kind := range []string{"MutatingAdmissionPolicy", "ValidatingAdmissionPolicy"} {
		policies := r.Catalog.Objects(kind + "." + group)
		if len(policies) == 0 || len(changing(p.Outcomes)) == 0 || r.Live.Covers(group, kind+"Binding") || r.Catalog.Complete() || r.Assumed {
			continue
		}
		var names []string
		for _, p := range policies {
			names = append(names, tree.String(p, "metadata", "name"))
		}
		binding := schema.Kind{Group: group, Kind: kind + "Binding"}
		p.Add(gap.Gap{
			Code: gap.NotExported, Objects: whole(binding), Needs: exportOf + binding.GroupKind(),
			Note: fmt.Sprintf("the snapshot has no %sBinding; these policies are evaluated only where one binds them: %s", kind, phrase.Some(phrase.Distinct(names))),
		})
	}
}

// unlabelled adds the namespaces that the snapshot lacks, so that the Pod
// Security of the Pods in them is unknown.
func (r *run) unlabelled(p *Plan) {
	if len(r.Live.Entries) == 0 || r.Assumed {
		return
	}
	in := map[string][]manifest.Identity{}
	var namespaces []string
	for _, o := range changing(p.Outcomes) {
		if r.Server.DependsOnNamespace(o.Kind, o.Result, o.Before) {
			namespaces, in[o.Manifest.Namespace] = append(namespaces, o.Manifest.Namespace), append(in[o.Manifest.Namespace], o.Identity())
		}
	}
	for _, namespace := range phrase.Distinct(namespaces) {
		p.Add(gap.Gap{
			Code: gap.PodSecurity, Objects: in[namespace], Needs: exportOf + "Namespace " + namespace,
			Note: fmt.Sprintf("the snapshot has no Namespace %s, whose labels set the Pod Security level; the server may reject Pods or warn of them", strings.Join(phrase.Distinct(namespaces), ", ")),
		})
	}
}

// podless adds the namespaces that get a stricter Pod Security level, if the
// snapshot has no Pods to hold to it.
func (r *run) podless(p *Plan) {
	if r.Assumed || r.Live.Covers("", "Pod") || r.Catalog.Complete() {
		return
	}
	for _, o := range changing(p.Outcomes) {
		if o.Kind.GroupKind() == "Namespace" && o.Action == rehearsal.Configured && kube.TightensPods(o.Result, o.Before) {
			p.Add(gap.Gap{
				Code: gap.PodSecurity, Objects: []manifest.Identity{o.Identity()}, Needs: exportOf + "Pod",
				Note: fmt.Sprintf("the snapshot has no Pods; the server warns of those that violate the new Pod Security level of namespace %s", o.Manifest.Name),
			})
		}
	}
}

// limited adds the quotas that do not say what they limit and what is used, as
// the controller would have counted it, so that new objects cannot be held to
// them.
func (r *run) limited(p *Plan) {
	created := map[string][]*rehearsal.Outcome{}
	for _, o := range p.Outcomes {
		if o.Action == rehearsal.Created {
			created[o.Manifest.Namespace] = append(created[o.Manifest.Namespace], o)
		}
	}
	var quotas []string
	var gaps []gap.Gap
	for _, e := range r.Live.EntriesOfKind("ResourceQuota") {
		if created[e.Namespace] == nil || tree.Map(e.Object().Tree, "status", "hard") != nil {
			continue
		}
		var counted []manifest.Identity
		for _, o := range created[e.Namespace] {
			if r.Server.QuotaCounts(e.Object().Tree, o.Kind, o.Result) {
				counted = append(counted, o.Identity())
			}
		}
		if counted != nil {
			quotas = append(quotas, e.Namespace+"/"+e.Name)
			gaps = append(gaps, gap.Gap{Code: gap.Undecided, Objects: counted, Needs: "the status of ResourceQuota " + e.Namespace + "/" + e.Name})
		}
	}
	for i := range gaps {
		gaps[i].Note = "not checked, because it has no status in the snapshot: ResourceQuota " + strings.Join(quotas, ", ") + "; it may reject new objects"
	}
	p.Add(gaps...)
}
