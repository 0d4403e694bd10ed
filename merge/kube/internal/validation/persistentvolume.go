package validation

import (
	"fmt"
	"path"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

const (
	mountOptionsKey = "volume.beta.kubernetes.io/mount-options"
	notInline       = "may not be specified in the context of inline volumes"
)

// volumeOptions says how a PersistentVolumeSpec is checked.
type volumeOptions struct {
	minor                  int
	name                   string // of the PersistentVolume
	inline                 bool   // part of a VolumeAttachment
	allowInvalidLabelValue bool   // in the node affinity
}

// Source of the functions below: pkg/apis/core/validation.
func volume(r *Request) field.ErrorList {
	opts := volumeOptions{minor: r.Minor, name: tree.String(r.Object, "metadata", "name"),
		allowInvalidLabelValue: hasInvalidNodeLabelValue(tree.Map(r.Old, "spec", "nodeAffinity", "required"))}
	errs := clusterMeta(r, nameIsDNSSubdomain)
	errs = append(errs, volumeSpec(tree.Map(r.Object, "spec"), opts, field.NewPath("spec"))...)
	return append(errs, volumeMountOptions(r.Object)...)
}

// volumeMountOptions checks that a volume with the annotation that came
// before spec.mountOptions is of a type that can be mounted with options.
//
// Source: pkg/volume/validation/pv_validation.go.
func volumeMountOptions(volume tree.Object) field.ErrorList {
	for _, key := range []string{"gcePersistentDisk", "awsElasticBlockStore", "glusterfs", "nfs", "rbd", "quobyte", "iscsi", "cinder",
		"cephfs", "azureFile", "vsphereVolume", "azureDisk", "photonPersistentDisk"} {
		if tree.Has(volume, "spec", key) {
			return nil
		}
	}
	if !tree.Has(volume, "metadata", "annotations", mountOptionsKey) {
		return nil
	}
	return field.ErrorList{field.Forbidden(field.NewPath("metadata").Child("annotations", mountOptionsKey),
		"may not specify mount options for this volume type")}
}

// volumeSpec checks the spec of a PersistentVolume or, inline, of a
// VolumeAttachment.
//
// Source: ValidatePersistentVolumeSpec.
func volumeSpec(spec tree.Object, opts volumeOptions, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	if opts.inline {
		errs = append(errs, inlineVolumeSpec(spec, p)...)
	}
	modes := tree.List(spec, "accessModes")
	if len(modes) == 0 {
		errs = append(errs, field.Required(p.Child("accessModes"), ""))
	}
	errs = append(errs, accessModes(modes, p.Child("accessModes"))...)
	if !opts.inline {
		errs = append(errs, volumeCapacity(tree.Map(spec, "capacity"), p.Child("capacity"), opts.minor)...)
	}
	reclaim := tree.String(spec, "persistentVolumeReclaimPolicy")
	errs = append(errs, volumeReclaimPolicy(reclaim, opts, p.Child("persistentVolumeReclaimPolicy"))...)
	errs = append(errs, volumeNodeAffinity(spec, opts, p.Child("nodeAffinity"))...)
	errs = append(errs, volumeSource(spec, opts, p)...)
	if tree.Has(spec, "hostPath") && path.Clean(tree.String(spec, "hostPath", "path")) == "/" && reclaim == "Recycle" {
		errs = append(errs, field.Forbidden(p.Child("persistentVolumeReclaimPolicy"), "may not be 'recycle' for a hostPath mount of '/'"))
	}
	if opts.inline {
		return append(errs, inlineVolumeClassAndMode(spec, p)...)
	}
	errs = append(errs, className(spec, "storageClassName", p)...)
	errs = append(errs, volumeMode(spec, p)...)
	return append(errs, volumeAttributesClassOf(spec, p)...)
}

func inlineVolumeSpec(spec tree.Object, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	if tree.Has(spec, "claimRef") {
		errs = append(errs, notAllowed(p.Child("claimRef"), notInline))
	}
	if len(tree.Map(spec, "capacity")) > 0 {
		errs = append(errs, notAllowed(p.Child("capacity"), notInline))
	}
	if !tree.Has(spec, "csi") {
		errs = append(errs, field.Required(p.Child("csi"), "has to be specified in the context of inline volumes"))
	}
	return errs
}

func inlineVolumeClassAndMode(spec tree.Object, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	if tree.String(spec, "storageClassName") != "" {
		errs = append(errs, notAllowed(p.Child("storageClassName"), notInline))
	}
	if tree.Has(spec, "volumeMode") && spec["volumeMode"] != "Filesystem" {
		errs = append(errs, field.Forbidden(p.Child("volumeMode"), "may not specify volumeMode other than Filesystem in the context of inline volumes"))
	}
	return errs
}

func volumeCapacity(capacity tree.Object, p *field.Path, minor int) field.ErrorList {
	var errs field.ErrorList
	if len(capacity) == 0 {
		errs = append(errs, field.Required(p, ""))
	}
	if _, ok := capacity["storage"]; !ok || len(capacity) > 1 {
		errs = append(errs, field.NotSupported(p, capacity, []string{"storage"}))
	}
	for _, name := range sortedKeys(capacity) {
		switch q := quantity(capacity[name]); {
		case q.Sign() < 0 && minors.CapacitySign.In(minor):
			errs = append(errs, field.Invalid(p.Key(name), q.String(), "must be a valid resource quantity"))
		case q.Value() < 0:
			errs = append(errs, field.Invalid(p.Key(name), q.Value(), "must be a valid resource quantity"))
		}
		errs = append(errs, quantityPositive(capacity[name], p.Key(name))...)
	}
	return errs
}

func volumeReclaimPolicy(policy string, opts volumeOptions, p *field.Path) field.ErrorList {
	switch {
	case policy == "", opts.inline && policy == "Retain":
		return nil
	case opts.inline:
		return field.ErrorList{field.Forbidden(p, "may only be Retain in the context of inline volumes")}
	}
	return oneOf(policy, p, "Delete", "Recycle", "Retain")
}

func volumeNodeAffinity(spec tree.Object, opts volumeOptions, p *field.Path) field.ErrorList {
	switch {
	case !tree.Has(spec, "nodeAffinity"):
		return nil
	case opts.inline:
		return field.ErrorList{notAllowed(p, notInline)}
	case !tree.Has(spec, "nodeAffinity", "required"):
		return field.ErrorList{field.Required(p.Child("required"), "must specify required node constraints")}
	}
	return nodeSelector(tree.Map(spec, "nodeAffinity", "required"), opts.allowInvalidLabelValue, p.Child("required"))
}

func volumeAttributesClassOf(spec tree.Object, p *field.Path) field.ErrorList {
	if !tree.Has(spec, "volumeAttributesClassName") {
		return nil
	}
	errs := className(spec, "volumeAttributesClassName", p)
	if tree.String(spec, "volumeAttributesClassName") == "" {
		errs = append(errs, field.Required(p.Child("volumeAttributesClassName"), "an empty string is disallowed"))
	}
	if !tree.Has(spec, "csi") {
		errs = append(errs, field.Required(p.Child("csi"), "has to be specified when using volumeAttributesClassName"))
	}
	return errs
}

// Source: ValidateUpdate of pkg/registry/core/persistentvolume/strategy.go.
func volumeUpdate(r *Request) (errs field.ErrorList) {
	spec, old := tree.Map(r.Object, "spec"), tree.Map(r.Old, "spec")
	source, was := sourceOf(spec), sourceOf(old)
	if !tree.Has(was, "csi", "controllerExpandSecretRef") && tree.Has(was, "csi") {
		tree.Delete(source, "csi", "controllerExpandSecretRef")
	}
	const goType = "core/v1.PersistentVolumeSource"
	if !sameAs(goType, source, was) {
		errs = append(errs, fixed(field.Forbidden(field.NewPath("spec", "persistentvolumesource"), fmt.Sprintf(
			"spec.persistentvolumesource is immutable after creation\n%v", specDiff(r.Minor, goType, was, source)))))
	}
	errs = append(errs, immutableAt(spec, old, "volumeMode", nil)...)
	if affinity := old["nodeAffinity"]; affinity != nil && !same(spec["nodeAffinity"], withGALabels(affinity, spec["nodeAffinity"])) {
		errs = append(errs, fixed(field.Invalid(field.NewPath("nodeAffinity"), internalOrNull("core/v1.VolumeNodeAffinity", spec["nodeAffinity"]),
			isImmutable+", except for updating from beta label to GA")))
	}
	if old["volumeAttributesClassName"] != nil && spec["volumeAttributesClassName"] == nil {
		errs = append(errs, field.Forbidden(field.NewPath("spec", "volumeAttributesClassName"), "update from non-nil value to nil is forbidden"))
	}
	return errs
}

// withGALabels copies an old node affinity; a requirement on a beta label that
// the new one has on the label's successor in the same place takes that key.
// (Like upstream's, the successor of any other label is "".)
func withGALabels(old, new any) any {
	old = tree.Copy(old)
	newTerms := tree.List(new, "required", "nodeSelectorTerms")
	for i, term := range tree.List(old, "required", "nodeSelectorTerms") {
		for _, key := range []string{"matchExpressions", "matchFields"} {
			for j, req := range tree.List(term, key) {
				if i >= len(newTerms) || j >= len(tree.List(newTerms[i], key)) {
					continue
				}
				ga := gaLabel(tree.String(req, "key"))
				if ga == tree.String(tree.List(newTerms[i], key)[j], "key") {
					req.(tree.Object)["key"] = ga
				}
			}
		}
	}
	return old
}

func gaLabel(beta string) string {
	switch beta {
	case "failure-domain.beta.kubernetes.io/zone":
		return "topology.kubernetes.io/zone"
	case "failure-domain.beta.kubernetes.io/region":
		return "topology.kubernetes.io/region"
	case "beta.kubernetes.io/os":
		return "kubernetes.io/os"
	case "beta.kubernetes.io/arch":
		return "kubernetes.io/arch"
	case "beta.kubernetes.io/instance-type":
		return "node.kubernetes.io/instance-type"
	}
	return ""
}
