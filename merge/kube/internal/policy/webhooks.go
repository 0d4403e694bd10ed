package policy

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"threeway/merge/fault"
	"threeway/merge/tree"
)

// The kinds that configure webhooks.
const (
	MutatingWebhooks   = "MutatingWebhookConfiguration"
	ValidatingWebhooks = "ValidatingWebhookConfiguration"
)

// Webhook is one webhook of a configuration.
type Webhook struct {
	// Kind and Configuration are those of the object that it is in.
	Kind, Configuration, Name string
	// Ignored tells that a request passes if the webhook does not answer:
	// failurePolicy: Ignore.
	Ignored bool
}

// Mutates reports whether the webhook may change objects.
func (w Webhook) Mutates() bool { return w.Kind == MutatingWebhooks }

// Call is a request that a webhook is asked about.
type Call struct {
	Webhook
	// Needs are what it depends on whether it is asked, if that is not known.
	Needs []string
	// Failure is why the server rejects the request without asking: an error in
	// matchConditions. Empty if there is none.
	Failure fault.Text
}

// Webhooks are the admission webhooks of a cluster, in the server's order of asking.
type Webhooks struct {
	all  Policies
	list []hook
}

type hook struct {
	Webhook
	constraints tree.Object // as policies have them
	*Policy                 // its matchConditions
}

// ReadWebhooks makes webhooks of configurations of a kind, complete with defaults. The
// server asks the configurations by name (sorted in configuration/*_webhook_manager.go).
func ReadWebhooks(kind string, configurations []tree.Object, world World, minor int) *Webhooks {
	w := &Webhooks{all: Policies{world: world}}
	for _, config := range configurations {
		for _, spec := range tree.List(config, "webhooks") {
			h := hook{Webhook: Webhook{kind, tree.String(config, "metadata", "name"), tree.String(spec, "name"), tree.String(spec, "failurePolicy") == "Ignore"}}
			rules := tree.List(spec, "rules")
			if len(rules) == 0 {
				continue // never asked
			}
			h.constraints = tree.Object{"resourceRules": rules}
			for _, key := range []string{"namespaceSelector", "objectSelector", "matchPolicy"} {
				if v, there := tree.Get(spec, key); there {
					h.constraints[key] = v
				}
			}
			h.Policy = &Policy{kind: kind, name: h.Name, ignore: h.Ignored, spec: tree.Object{"matchConditions": tree.List(spec, "matchConditions")}}
			p := h.Policy
			p.compile = sync.OnceValue(func() *compiled { return compile(p, minor) })
			w.list = append(w.list, h)
		}
	}
	slices.SortStableFunc(w.list, func(a, b hook) int { return cmp.Compare(a.Configuration, b.Configuration) })
	return w
}

// Calls lists the webhooks that the server asks about a request.
//
// Source: ShouldCallHook of webhook/generic/webhook.go.
func (w *Webhooks) Calls(r *Request) (calls []Call) {
	if len(w.list) == 0 || Exempt(r.Kind) || r.Group == "admissionregistration.k8s.io" && strings.HasSuffix(r.Kind.Kind, "WebhookConfiguration") {
		return nil
	}
	v := versions{Request: r, convert: w.all.world.Convert}
	for _, h := range w.list {
		m := w.all.matches(h.constraints, r)
		if !m.yes {
			continue
		}
		call := Call{Webhook: h.Webhook}
		if m.needs != "" {
			call.Needs = []string{m.needs}
		}
		if len(tree.List(h.spec, "matchConditions")) > 0 {
			in := w.all.prepare(h.Policy, v.at(m.at.Kind).as(m.at), r.Resource, param{})
			applies, why, unless := in.conditions(h.Policy)
			if !applies && why.Empty() {
				continue
			}
			call.Failure = why
			for _, u := range unless {
				call.Needs = append(call.Needs, u.Needs...)
			}
		}
		calls = append(calls, call)
	}
	return calls
}
