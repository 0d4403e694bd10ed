package rehearsal

import (
	"cmp"
	"strings"
	"sync"

	"threeway/merge/fault"
	"threeway/merge/manifest"
	"threeway/merge/schema"
	"threeway/merge/server/quota"
	"threeway/merge/tree"
)

// Denied is an object and why the server rejects it, or its next Pod.
type Denied struct {
	Object *manifest.Object
	Why    fault.Text
}

// World answers requests about objects as they stand in a snapshot, of users that are not
// known: what the server would say to those who write them later.
type World struct {
	*Run
	quotas sync.Map // settled, by namespace
}

// NewWorld is the cluster of a snapshot, with the options of a rehearsal.
func NewWorld(opts Options, live *manifest.Snapshot) *World {
	opts.Manifests, opts.Live, opts.User, opts.ServerSide, opts.Beside, opts.LastApplied = &manifest.Set{}, live, nil, nil, nil, nil
	opts.Diff, opts.Lenient = false, true
	return &World{Run: Alone(opts)}
}

// Update is why the server rejects an update of an object that changes nothing, nil if it
// accepts: it validates it and asks admission all the same. An object in a version that is
// not served is updated in one that is.
func (w *World) Update(o *manifest.Object) *fault.Rejection {
	k, served := w.served(o.Kind)
	if !served || w.Server.Unread(k, o.Tree) != nil {
		return nil
	}
	as := w.InVersion(o, k)
	return w.Server.Update(k, as, as).Rejection
}

// served is a version in which the server has objects of a kind.
func (w *World) served(k schema.Kind) (schema.Kind, bool) {
	if serves, known := w.Catalog.Serves(k); serves || !known {
		return k, true
	}
	if d := w.Catalog.definition(k); d != nil {
		for _, version := range d.Versions() {
			if d.Served(version) {
				k.Version = version
				_, webhook := d.Converter(version)
				return k, !webhook
			}
		}
	}
	return k, false
}

// NextPod is why the server rejects a Pod that the controller of a workload makes in place
// of one that ends, or the first if it has none; empty if it does not.
func (w *World) NextPod(o *manifest.Object) fault.Text {
	if why := w.Server.RejectedPods(o.Kind, o.Tree); !why.Empty() {
		return why
	}
	read, _ := w.quotas.LoadOrStore(o.Namespace, sync.OnceValue(func() quota.Ledger {
		limits := w.Catalog.objectsIn("ResourceQuota", o.Namespace)
		if len(limits) == 0 {
			return nil
		}
		return quota.Settled(limits, w.Catalog.objectsIn("Pod", o.Namespace), w.Minor)
	}))
	if ledger := read.(func() quota.Ledger)(); ledger != nil {
		if why := w.Server.NextPodOverQuota(ledger, o.Kind, o.Tree); why != "" {
			return fault.Words("%s", why)
		}
	}
	return fault.Text{}
}

// PolicyKinds are the kinds of admission policies.
var PolicyKinds = []string{"ValidatingAdmissionPolicy.admissionregistration.k8s.io", "MutatingAdmissionPolicy.admissionregistration.k8s.io"}

// Policies are the admission policies of the snapshot.
func (w *World) Policies() (list []AdmissionPolicy) {
	for _, groupKind := range PolicyKinds {
		kind, group, _ := strings.Cut(groupKind, ".")
		bindings := map[string][]tree.Object{}
		for _, b := range w.Catalog.Objects(kind + "Binding." + group) {
			name := tree.String(b, "spec", "policyName")
			bindings[name] = append(bindings[name], b)
		}
		for _, p := range w.Catalog.Objects(groupKind) {
			name := tree.String(p, "metadata", "name")
			list = append(list, AdmissionPolicy{kind, name, tree.Map(p, "spec"), bindings[name]})
		}
	}
	return list
}

// AdmissionPolicy is a ValidatingAdmissionPolicy or MutatingAdmissionPolicy with its bindings.
type AdmissionPolicy struct {
	Kind, Name string
	Spec       tree.Object
	Bindings   []tree.Object
}

// Asks reports whether the policy may be asked about a resource, in any version and namespace.
func (p AdmissionPolicy) Asks(group, plural string) bool {
	has := func(list []any, value string) bool {
		for _, x := range list {
			if text, _ := x.(string); text == "*" || text == value || text == value+"/*" || text == "*/*" {
				return true
			}
		}
		return false
	}
	rules := tree.List(p.Spec, "matchConstraints", "resourceRules")
	for _, rule := range rules {
		if has(tree.List(rule, "resources"), plural) && (plural == "events" || has(tree.List(rule, "apiGroups"), group)) {
			return true
		}
	}
	return len(rules) == 0
}

// ParamKind is the kind (Kind.group) of the parameters; "" if there are none.
func (p AdmissionPolicy) ParamKind() string {
	of := tree.Map(p.Spec, "paramKind")
	return schema.ParseKind(tree.String(of, "apiVersion"), tree.String(of, "kind")).GroupKind()
}

// Reads reports whether a binding names an object of the kind of the parameters.
func (p AdmissionPolicy) Reads(o *manifest.Object) bool {
	for _, b := range p.Bindings {
		ref := tree.Map(b, "spec", "paramRef")
		if name := tree.String(ref, "name"); ref != nil && (name == "" || name == o.Name) && cmp.Or(tree.String(ref, "namespace"), o.Namespace) == o.Namespace {
			return true
		}
	}
	return false
}

// Denies reports whether a text is a rejection by the policy.
func (p AdmissionPolicy) Denies(text string) bool {
	return strings.Contains(text, p.Kind+" '"+p.Name+"'") || strings.Contains(text, "policy '"+p.Name+"'")
}
