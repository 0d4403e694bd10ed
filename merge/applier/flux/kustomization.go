// Package flux knows Flux: what a Kustomization says about how its objects are applied,
// which of them are skipped, in which order they come, and what the controller makes of a
// manifest before it sends it.
//
// It follows github.com/fluxcd/kustomize-controller/api v1.9.6 and the controller of that
// version (internal/controller/kustomization_controller.go), its library
// github.com/fluxcd/pkg/ssa v0.76.2, and github.com/fluxcd/helm-controller v1.6.3.
package flux

import (
	"fmt"
	"slices"
	"strings"

	"threeway/merge/applier"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// GroupKind is the kind of a Kustomization; Group is also the prefix of the labels and
// annotations of the controller.
const (
	Group     = "kustomize.toolkit.fluxcd.io"
	GroupKind = applier.KustomizationGroupKind
)

// Kustomization is what a Kustomization says about the apply of its objects.
type Kustomization struct {
	Namespace, Name string
	// Prune deletes what leaves the inventory; Force recreates objects of which the
	// server rejects a change.
	Prune, Force bool
	// Suspended: Flux does nothing.
	Suspended bool
	// Interval is the time between reconciliations.
	Interval string
	// TargetNamespace is the namespace of all objects; "" keeps theirs.
	TargetNamespace string
	// ServiceAccount is the one that the controller applies as; "" if it is its own.
	ServiceAccount string
	// Labels and Annotations are the commonMetadata.
	Labels, Annotations map[string]string
	Ignored             Ignored
	// Inventory are the objects that the last run has applied.
	Inventory []manifest.Identity
	// Build are the fields of the spec that change the manifests before they are applied.
	Build []string
}

// String is NAMESPACE/NAME.
func (k *Kustomization) String() string { return manifest.Placed(k.Namespace, k.Name) }

// Users are kustomize-controller itself, "" if the snapshot does not have it, and the user that
// it acts as.
func (k *Kustomization) Users(live *manifest.Snapshot) (own, other string) {
	return users(live, applier.KustomizationManager, k.Namespace, k.ServiceAccount)
}

// Users are helm-controller itself, "" if the snapshot does not have it, and the user that it
// acts as.
func (h *HelmRelease) Users(live *manifest.Snapshot) (own, other string) {
	return users(live, HelmManager, h.Namespace, h.ServiceAccount)
}

// users follows github.com/fluxcd/pkg/runtime/client/impersonator.go.
func users(live *manifest.Snapshot, controller, namespace, account string) (own, other string) {
	own, args := applier.Controller(live, controller)
	for i, arg := range args {
		if flag, value, _ := strings.Cut(arg, "="); account == "" && strings.TrimLeft(flag, "-") == "default-service-account" {
			if account = value; value == "" && i+1 < len(args) {
				account = args[i+1]
			}
		}
	}
	if account != "" {
		other = "system:serviceaccount:" + namespace + ":" + account
	}
	return own, other
}

// built are the fields of the spec that a build goes by (api/v1/kustomization_types.go).
var built = []string{"patches", "patchesStrategicMerge", "patchesJson6902", "images", "components", "postBuild", "namePrefix", "nameSuffix"}

// Read reads a Kustomization.
func Read(o *manifest.Object) (*Kustomization, error) {
	spec := tree.Map(o.Tree, "spec")
	k := &Kustomization{
		Namespace: o.Namespace, Name: o.Name,
		Prune: tree.Bool(spec, "prune"), Force: tree.Bool(spec, "force"), Suspended: tree.Bool(spec, "suspend"),
		TargetNamespace: tree.String(spec, "targetNamespace"), Interval: tree.String(spec, "interval"), ServiceAccount: tree.String(spec, "serviceAccountName"),
		Labels: texts(spec, "commonMetadata", "labels"), Annotations: texts(spec, "commonMetadata", "annotations"),
	}
	for _, field := range built {
		if tree.Has(spec, field) {
			k.Build = append(k.Build, "spec."+field)
		}
	}
	var err error
	if k.Ignored, err = readIgnored(tree.List(spec, "ignore")); err != nil {
		return nil, fmt.Errorf("%s: spec.ignore: %w", o.ID(), err)
	}
	for _, entry := range tree.List(o.Tree, "status", "inventory", "entries") {
		id, ok := applier.InventoryID(tree.String(entry, "id"))
		if !ok {
			return nil, fmt.Errorf("%s: status.inventory has %q, which is not NAMESPACE_NAME_GROUP_KIND", o.ID(), tree.String(entry, "id"))
		}
		k.Inventory = append(k.Inventory, id)
	}
	return k, nil
}

// texts are the entries of a map that are text.
func texts(spec tree.Object, path ...string) map[string]string {
	list := map[string]string{}
	for key, v := range tree.Map(spec, path...) {
		if text, ok := v.(string); ok {
			list[key] = text
		}
	}
	return list
}

// The policies of one object, which a label or an annotation of it sets.
const (
	Reconcile = Group + "/reconcile" // disabled
	SSA       = Group + "/ssa"       // Merge, IfNotPresent, Ignore
	Force     = Group + "/force"     // enabled
	PruneMark = Group + "/prune"     // disabled
)

// Says reports whether a label or annotation of an object has a value, in any case of
// letters (ssa/utils/meta.go AnyInMetadata).
func Says(o tree.Object, key, value string) bool {
	return slices.ContainsFunc([]string{"labels", "annotations"}, func(field string) bool {
		return strings.EqualFold(tree.String(o, "metadata", field, key), value)
	})
}

// Skipped is the policy because of which Flux applies nothing over an object, and keeps
// it in the inventory; "" if it applies it (ssa/manager_apply.go shouldSkipApply). live is
// nil if there is none.
func Skipped(manifest, live tree.Object) string {
	for _, o := range []tree.Object{manifest, live} {
		switch {
		case Says(o, Reconcile, "disabled"):
			return Reconcile + ": disabled"
		case Says(o, SSA, "Ignore"):
			return SSA + ": Ignore"
		}
	}
	if live != nil && Says(manifest, SSA, "IfNotPresent") {
		return SSA + ": IfNotPresent"
	}
	return ""
}

// Kept is why Flux does not delete a live object that has left the inventory of the
// Kustomization; "" if it deletes it (ssa/manager_delete.go Delete).
func (k *Kustomization) Kept(live tree.Object) string {
	if tree.String(live, "metadata", "labels", Group+"/name") != k.Name || tree.String(live, "metadata", "labels", Group+"/namespace") != k.Namespace {
		return "the live object does not have the labels of Kustomization " + k.String()
	}
	for _, policy := range [][2]string{{PruneMark, "disabled"}, {Reconcile, "disabled"}, {SSA, "Ignore"}} {
		if Says(live, policy[0], policy[1]) {
			return "the live object has " + policy[0] + ": " + policy[1]
		}
	}
	return ""
}
