package rules

import (
	"fmt"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// reportNewWebhooks reports the webhooks that are created together with their
// Service, and that block objects which are applied after them.
func reportNewWebhooks(p *lint.Pass, c *cluster) {
	for o := range p.Accepted() {
		if o.Live != nil || !o.Is("ValidatingWebhookConfiguration.admissionregistration.k8s.io", "MutatingWebhookConfiguration.admissionregistration.k8s.io") {
			continue
		}
		for i, w := range tree.List(o.Result, "webhooks") {
			service := serviceOf(w)
			if tree.String(w, "failurePolicy") != "Fail" || service.Name == "" || !c.createdNow(service) {
				continue
			}
			blocked := c.blockedAfter(o, w)
			if blocked == nil {
				continue
			}
			var notes []string
			for _, b := range blocked[:min(5, len(blocked))] {
				notes = append(notes, b.At()+": "+b.ID().String())
			}
			p.Report(o, lint.Report{
				Path: o.Keyed(fieldpath.New("webhooks").Item(i), o.Result), Count: len(blocked), Notes: notes,
				Message: fmt.Sprintf("webhook %s is created together with its %s, which does not answer yet: the first apply rejects %s after it",
					tree.String(w, "name"), service, counted(len(blocked), "object")),
				Fix: "apply the configuration when the pods of the webhook run, or last",
			})
		}
	}
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func serviceOf(webhook any) manifest.Identity {
	ref := tree.Map(webhook, "clientConfig", "service")
	return manifest.Identity{Kind: "Service", Namespace: tree.String(ref, "namespace"), Name: tree.String(ref, "name")}
}

// createdNow reports whether an apply creates an object of the set that is known
// not to be live.
func (c *cluster) createdNow(id manifest.Identity) bool {
	m, ok := c.set[id]
	if !ok {
		return false
	}
	created, sure := c.changes(m.Object())
	return created && sure
}

// blockedAfter are the objects of the set that come after a webhook configuration
// and that the webhook is called for.
func (c *cluster) blockedAfter(o *lint.Object, webhook any) (list []*manifest.Object) {
	if len(tree.List(webhook, "matchConditions")) > 0 {
		return nil // CEL decides
	}
	passed := false
	for _, m := range c.p.Set() {
		if passed && c.calledFor(webhook, m) {
			list = append(list, m.Manifest)
		}
		passed = passed || m.Manifest.ID() == o.Identity()
	}
	return list
}

// calledFor reports whether a webhook is called when an object of the set is applied
// (k8s.io/apiserver/pkg/admission/plugin/webhook/predicates).
func (c *cluster) calledFor(webhook any, m lint.Member) bool {
	k := m.Manifest.Kind
	if k.Group == "admissionregistration.k8s.io" && strings.HasSuffix(k.Kind, "Configuration") {
		return false // webhooks are not called for webhooks
	}
	if !slices.ContainsFunc(tree.List(webhook, "rules"), func(rule any) bool { return inGroup(rule, k) }) {
		return false
	}
	out := m.Object()
	operation := map[rehearsal.Action]string{rehearsal.Created: "CREATE", rehearsal.Configured: "UPDATE"}[out.Action]
	if operation == "" || !slices.ContainsFunc(tree.List(webhook, "rules"), func(rule any) bool { return matchesRequest(rule, out, operation) }) {
		return false
	}
	return selectedBy(tree.Map(webhook, "objectSelector"), tree.Map(out.Result, "metadata", "labels")) && c.inSelectedNamespace(webhook, m.Manifest)
}

func inGroup(rule any, k schema.Kind) bool {
	groups := tree.List(rule, "apiGroups")
	return slices.Contains(groups, any("*")) || slices.Contains(groups, any(k.Group))
}

func matchesRequest(rule any, o *lint.Object, operation string) bool {
	has := func(field, value string) bool {
		list := tree.List(rule, field)
		return slices.Contains(list, any("*")) || slices.Contains(list, any(value))
	}
	scope, namespaced := tree.String(rule, "scope"), o.Manifest.Namespace != ""
	return inGroup(rule, o.Kind) && has("apiVersions", o.Kind.Version) && has("operations", operation) &&
		(has("resources", o.Resource) || slices.Contains(tree.List(rule, "resources"), any("*/*"))) &&
		(scope == "" || scope == "*" || scope == "Namespaced" && namespaced || scope == "Cluster" && !namespaced)
}

// selectedBy reports whether a label selector matches; an empty one does.
func selectedBy(labelSelectorOf tree.Object, labels tree.Object) bool {
	s, ok := impact.Selector(labelSelectorOf)
	return !ok && len(labelSelectorOf) == 0 || ok && s.Matches(labels)
}

// inSelectedNamespace reports whether a webhook's namespaceSelector matches the
// namespace of an object; without its labels it does if it is empty only.
func (c *cluster) inSelectedNamespace(webhook any, o *manifest.Object) bool {
	want := tree.Map(webhook, "namespaceSelector")
	name := o.Namespace
	if o.Kind.GroupKind() == "Namespace" {
		name = o.Name
	}
	if len(want) == 0 || name == "" {
		return true
	}
	namespace := c.after(manifest.Identity{Kind: "Namespace", Name: name})
	if namespace == nil {
		return false
	}
	labels := tree.CopyObject(tree.Map(namespace, "metadata", "labels"))
	if labels == nil {
		labels = tree.Object{}
	}
	labels["kubernetes.io/metadata.name"] = name
	return selectedBy(want, labels)
}
