package flux

import (
	"crypto/sha256"
	"fmt"

	"threeway/merge/applier"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// The kind of a HelmRelease, the prefix of the labels and annotations of helm-controller,
// and its field manager (helm-controller v1.6.3 api/v2, main.go).
const (
	HelmGroup      = "helm.toolkit.fluxcd.io"
	HelmGroupKind  = "HelmRelease." + HelmGroup
	HelmManager    = applier.HelmReleaseManager
	DriftDetection = HelmGroup + "/driftDetection" // disabled
)

// HelmRelease is what a HelmRelease says about how helm-controller, which is linked with
// Helm 4, applies its release (helm-controller v1.6.3 internal/action).
type HelmRelease struct {
	Namespace, Name string
	// Release and Target are the release and its namespace; Storage is the namespace of
	// its revisions.
	Release, Target, Storage string
	// ServiceAccount is the one that the controller applies as; "" if it is its own.
	ServiceAccount string
	// MaxHistory is how many revisions are kept, 0 for all.
	MaxHistory int
	// Suspended: Flux does nothing.
	Suspended                 bool
	Install, Upgrade, Restore HelmAction
	// Detects is the mode of drift detection: enabled, warn, or disabled.
	Detects string
	Ignored Ignored
	// Labels and Annotations are the commonMetadata.
	Labels, Annotations map[string]string
	// Values are spec.values.
	Values tree.Object
	// Definitions are the policies for crds/ of the chart in an install and an upgrade.
	Definitions [2]string
	// Renders are the fields of the spec that change what is rendered, and are not
	// simulated.
	Renders []string
}

// HelmAction are the settings of an install, an upgrade or a rollback.
type HelmAction struct {
	// ServerSide is true, false, or auto: as the release was applied last.
	ServerSide string
	// Adopts tells that live objects of others are taken into the release.
	Adopts bool
	// Replaces tells that a client-side apply replaces objects.
	Replaces bool
}

// String is NAMESPACE/NAME.
func (h *HelmRelease) String() string { return manifest.Placed(h.Namespace, h.Name) }

// Claim is that of the labels on its objects.
func (h *HelmRelease) Claim() applier.Claim {
	return applier.Claim{Program: applier.Flux, Kind: applier.HelmRelease, Namespace: h.Namespace, Name: h.Name}
}

// ReadHelmRelease reads a HelmRelease.
func ReadHelmRelease(o *manifest.Object) (*HelmRelease, error) {
	spec := tree.Map(o.Tree, "spec")
	h := &HelmRelease{
		Namespace: o.Namespace, Name: o.Name, Suspended: tree.Bool(spec, "suspend"), Values: tree.Map(spec, "values"),
		Release: tree.String(spec, "releaseName"), Target: tree.String(spec, "targetNamespace"), Storage: tree.String(spec, "storageNamespace"),
		Labels: texts(spec, "commonMetadata", "labels"), Annotations: texts(spec, "commonMetadata", "annotations"),
		Install: helmAction(tree.Map(spec, "install"), "true"), Upgrade: helmAction(tree.Map(spec, "upgrade"), "auto"), Restore: helmAction(tree.Map(spec, "rollback"), "auto"),
		ServiceAccount: tree.String(spec, "serviceAccountName"), MaxHistory: 5,
		Detects: orElse(tree.String(spec, "driftDetection", "mode"), "disabled"),
	}
	if most, set := tree.Int(spec, "maxHistory"); set {
		h.MaxHistory = int(most)
	}
	switch {
	case h.Release != "":
	case h.Target != "":
		h.Release = h.Target + "-" + h.Name
	default:
		h.Release = h.Name
	}
	h.Release = shortened(h.Release)
	h.Target, h.Storage = orElse(h.Target, h.Namespace), orElse(h.Storage, h.Namespace)
	for i, action := range []string{"install", "upgrade"} {
		h.Definitions[i] = orElse(tree.String(spec, action, "crds"), "Create")
	}
	for _, field := range []string{"postRenderers", "valuesFrom", "kubeConfig"} {
		if tree.Has(spec, field) {
			h.Renders = append(h.Renders, "spec."+field)
		}
	}
	var err error
	if h.Ignored, err = readIgnored(tree.List(spec, "driftDetection", "ignore")); err != nil {
		return nil, fmt.Errorf("%s: spec.driftDetection.ignore: %w", o.ID(), err)
	}
	return h, nil
}

// helmAction reads the settings of an action, server-side unless they say so being usual
// (internal/action/{install,upgrade,rollback,ssa}.go).
func helmAction(spec tree.Object, usual string) HelmAction {
	a := HelmAction{ServerSide: usual, Adopts: !tree.Bool(spec, "disableTakeOwnership"), Replaces: tree.Bool(spec, "force")}
	switch v := spec["serverSideApply"].(type) {
	case bool:
		a.ServerSide = fmt.Sprint(v)
	case string:
		a.ServerSide = orElse(map[string]string{"enabled": "true", "disabled": "false"}[v], v)
	}
	return a
}

// shortened is the name of a release, which has 53 characters at most
// (internal/release/name.go ShortenName).
func shortened(name string) string {
	if len(name) <= 53 {
		return name
	}
	return name[:40] + "-" + fmt.Sprintf("%x", sha256.Sum256([]byte(name)))[:12]
}

func orElse(text, usual string) string {
	if text == "" {
		return usual
	}
	return text
}

// Marks are the labels and annotations that the controller adds to what the chart renders,
// and which the revision keeps (internal/postrender/{build,common_renderer}.go).
func (h *HelmRelease) Marks() (labels, annotations map[string]string) {
	labels = map[string]string{}
	for key, v := range h.Labels {
		labels[key] = v
	}
	labels[HelmGroup+"/name"], labels[HelmGroup+"/namespace"] = h.Name, h.Namespace
	return labels, h.Annotations
}

// Skips is why drift detection leaves an object alone; "" if it compares it
// (fluxcd/pkg/ssa/jsondiff/unstructured.go Unstructured). live is nil if there is none.
func (h *HelmRelease) Skips(manifest, live tree.Object) string {
	for _, o := range []tree.Object{manifest, live} {
		if Says(o, DriftDetection, "disabled") {
			return DriftDetection + ": disabled"
		}
	}
	if h.Ignored.whole(manifest) {
		return "spec.driftDetection.ignore"
	}
	return ""
}

// Corrected is the live object as the correction of drift leaves it: what a forced dry run
// of the manifest differs in, applied as the JSON patch that the controller makes of it. It
// is the live object itself if they do not differ. Labels and annotations that the dry
// run removes stay (fluxcd/pkg/ssa/jsondiff/unstructured.go).
func (h *HelmRelease) Corrected(manifest, live, dryRun tree.Object) tree.Object {
	was, now := h.Ignored.Without(live, manifest), h.Ignored.Without(dryRun, manifest)
	ops := difference(marksOf(was), marksOf(now))
	kept := ops[:0]
	for _, o := range ops {
		if o.verb != removes {
			kept = append(kept, o)
		}
	}
	ops = append(kept, difference(contentOf(was), contentOf(now))...)
	if len(ops) == 0 {
		return live
	}
	return patched(live, ops)
}

// marksOf is an object's name, labels and annotations.
func marksOf(o tree.Object) tree.Object {
	metadata := tree.Object{}
	for _, field := range []string{"name", "labels", "annotations"} {
		if v, ok := tree.Get(o, "metadata", field); ok {
			metadata[field] = v
		}
	}
	return tree.Object{"metadata": metadata}
}

// contentOf is an object without metadata and status.
func contentOf(o tree.Object) tree.Object {
	content := tree.Object{}
	for key, v := range o {
		if key != "metadata" && key != "status" {
			content[key] = v
		}
	}
	return content
}

// Stored is a manifest of a revision as drift detection sends it: put through its Go type.
func (h *HelmRelease) Stored(o tree.Object, kind schema.Kind) tree.Object {
	return normal(tree.CopyObject(o), kind)
}
