package rehearsal

import (
	"threeway/merge/fault"
	"threeway/merge/kube"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/memo"
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
	quotas memo.Table[string, kube.Ledger] // settled, by namespace
}

// NewWorld is the cluster of a snapshot, with the options of a rehearsal.
func NewWorld(opts Options, live *manifest.Snapshot) *World {
	opts.Manifests, opts.Live, opts.User, opts.ServerSide, opts.Sibling, opts.LastApplied = &manifest.Set{}, live, nil, nil, nil, nil
	opts.Diff, opts.FieldValidation = false, Warn
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

// Next is why the server rejects what the controller of a workload makes next, and who
// decides it (Server.Next).
func (w *World) Next(o *manifest.Object) (fault.Text, fault.Decider) {
	settled := w.quotas.Get(o.Namespace, func() kube.Ledger {
		limits := w.Catalog.objectsIn("ResourceQuota", o.Namespace)
		if len(limits) == 0 {
			return nil
		}
		return w.Server.SettledQuotas(limits, w.Catalog.objectsIn("Pod", o.Namespace))
	})
	return w.Server.Next(settled, o.Kind, o.Tree)
}

// PolicyKinds are the kinds of admission policies.
var PolicyKinds = []string{"ValidatingAdmissionPolicy.admissionregistration.k8s.io", "MutatingAdmissionPolicy.admissionregistration.k8s.io"}

// Policies are the admission policies of the snapshot that have bindings.
func (w *World) Policies() []*kube.Policy { return w.Server.Policies() }

// Asks reports whether a policy may be asked about objects of a kind.
func (w *World) Asks(p *kube.Policy, k schema.Kind) bool {
	return p.Asks(k, w.Catalog.Plural(k))
}
