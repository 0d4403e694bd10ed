package warnings

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// PersistentVolumeClaim follows GetWarningsForPersistentVolumeClaim of
// pkg/api/persistentvolumeclaim/util.go.
func PersistentVolumeClaim(w *texts, r Request) {
	w.annotations(tree.Map(r.Object, "metadata"), nil, volumeAnnotations[:1])
	w.claimSpec(tree.Map(r.Object, "spec"), field.NewPath("spec"))
}

// claimSpec follows GetWarningsForPersistentVolumeClaimSpec of the same file.
func (w *texts) claimSpec(spec tree.Object, p *field.Path) {
	for _, list := range []string{"requests", "limits"} {
		w.fractional(tree.Map(spec, "resources", list), p.Child("resources", list), "storage")
	}
}

// volumeAnnotations are the annotations of volumes out of use, of which claims
// have the first.
//
// Source: deprecatedAnnotations of pkg/api/persistentvolume/util.go.
var volumeAnnotations = []note{
	{"volume.beta.kubernetes.io/storage-class", `deprecated since v1.8; use "storageClassName" attribute instead`},
	{"volume.beta.kubernetes.io/mount-options", `deprecated since v1.31; use "mountOptions" attribute instead`},
}

// volumeSources are the fields of a PersistentVolume's spec whose plugins are
// gone.
//
// Source: warningsForPersistentVolumeSpecAndMeta of
// pkg/api/persistentvolume/util.go.
var volumeSources = []struct{ field, shown, text string }{
	{"cephfs", "cephfs", "deprecated in v1.28, non-functional in v1.31+"},
	{"photonPersistentDisk", "photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"},
	{"scaleIO", "scaleIO", "deprecated in v1.16, non-functional in v1.22+"},
	{"storageos", "storageOS", "deprecated in v1.22, non-functional in v1.25+"},
	{"glusterfs", "glusterfs", "deprecated in v1.25, non-functional in v1.26+"},
	{"rbd", "rbd", "deprecated in v1.28, non-functional in v1.31+"},
}

// PersistentVolume follows GetWarningsForPersistentVolume of
// pkg/api/persistentvolume/util.go.
func PersistentVolume(w *texts, r Request) {
	p, spec := field.NewPath("spec"), tree.Map(r.Object, "spec")
	notes := volumeAnnotations
	if !minors.WarnMountOptions.In(r.Minor) {
		notes = notes[:1]
	}
	w.annotations(tree.Map(r.Object, "metadata"), nil, notes)
	if tree.String(spec, "persistentVolumeReclaimPolicy") == "Recycle" {
		w.at(p.Child("persistentVolumeReclaimPolicy"), "The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.")
	}
	terms := p.Child("nodeAffinity", "required", "nodeSelectorTerms")
	for i, t := range tree.List(spec, "nodeAffinity", "required", "nodeSelectorTerms") {
		w.selectorTerm(t, false, terms.Index(i))
	}
	for _, s := range volumeSources {
		if tree.Has(spec, s.field) {
			w.at(p.Child(s.shown), "%s", s.text)
		}
	}
}

// StorageClass follows GetWarningsForStorageClass of pkg/api/storage/util.go.
func StorageClass(w *texts, r Request) {
	p := field.NewPath("allowedTopologies")
	for i, topology := range tree.List(r.Object, "allowedTopologies") {
		for j, e := range tree.List(topology, "matchLabelExpressions") {
			if text, ok := w.outOfUse(tree.String(e, "key")); ok {
				w.at(p.Index(i).Child("matchLabelExpressions").Index(j).Child("key"), "%s", text)
			}
		}
	}
}

// CSIStorageCapacity follows GetWarningsForCSIStorageCapacity of the same file,
// and GetWarningsForNodeSelector of pkg/api/node/util.go.
func CSIStorageCapacity(w *texts, r Request) {
	p, selector := field.NewPath("nodeTopology"), tree.Map(r.Object, "nodeTopology")
	for i, e := range tree.List(selector, "matchExpressions") {
		w.nodeLabel(tree.String(e, "key"), p.Child("matchExpressions").Index(i).Child("key"))
	}
	for _, label := range sorted(tree.Map(selector, "matchLabels")) {
		if text, ok := w.outOfUse(label); ok {
			w.at(p.Child("matchLabels").Child(label), "%s", text)
		}
	}
}

// CSIDriver warns of tokens in volume attributes where they are asked for, or
// asked for differently (pkg/registry/storage/csidriver/strategy.go). The gate
// CSIServiceAccountTokenSecrets is on since 1.35.
func CSIDriver(w *texts, r Request) {
	tokens := tree.List(r.Object, "spec", "tokenRequests")
	if !minors.WarnDriverTokens.In(r.Minor) || len(tokens) == 0 || tree.Has(r.Object, "spec", "serviceAccountTokenInSecrets") ||
		r.Old != nil && tree.Equal(tokens, tree.List(r.Old, "spec", "tokenRequests")) {
		return
	}
	w.say("", "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes")
}

// DeviceTaintRule follows pkg/registry/resource/devicetaintrule/strategy.go.
func DeviceTaintRule(w *texts, r Request) {
	selector := tree.Map(r.Object, "spec", "deviceSelector")
	if selector != nil && !tree.Has(selector, "driver") && !tree.Has(selector, "pool") && !tree.Has(selector, "device") && minors.WarnTaintsAll.In(r.Minor) {
		w.at(field.NewPath("spec", "deviceSelector"), "an empty selector matches every device from every driver in the cluster")
	}
}
