package validation

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// Source of this file: pkg/apis/storage/validation.

// The name of the first path is upstream's.
func keepsCSIDriver(r *Request) field.ErrorList {
	spec, old, p := tree.Map(r.Object, "spec"), tree.Map(r.Old, "spec"), field.NewPath("spec")
	errs := immutable(spec["attachRequired"], old["attachRequired"], p.Child("attachRequired"))
	return append(errs, immutable(spec["volumeLifecycleModes"], old["volumeLifecycleModes"], p.Child("volumeLifecycleModes"))...)
}

func csiDriverSpec(r *Request) field.ErrorList {
	spec, p := tree.Map(r.Object, "spec"), field.NewPath("spec")
	errs := oneOfAt(spec, "fsGroupPolicy", p, "File", "None", "ReadWriteOnceWithFSType")
	errs = append(errs, tokenRequests(tree.List(spec, "tokenRequests"), p.Child("tokenRequests"))...)
	for _, mode := range stringsOf(tree.List(spec, "volumeLifecycleModes")) {
		errs = append(errs, oneOf(mode, p.Child("volumeLifecycleModes"), "Persistent", "Ephemeral")...)
	}
	if period, ok := tree.Int(spec, "nodeAllocatableUpdatePeriodSeconds"); ok && period < 10 {
		errs = append(errs, field.Invalid(p.Child("nodeAllocatableUpdatePeriodSeconds"), period, "must be greater than or equal to 10 seconds"))
	}
	if tree.Has(spec, "serviceAccountTokenInSecrets") && len(tree.List(spec, "tokenRequests")) == 0 {
		errs = append(errs, field.Invalid(p.Child("serviceAccountTokenInSecrets"), spec["serviceAccountTokenInSecrets"],
			"serviceAccountTokenInSecrets is set but no tokenRequests are specified"))
	}
	return errs
}

func tokenRequests(requests []any, p *field.Path) field.ErrorList {
	const leastSeconds, mostSeconds = 600, 1 << 32
	var errs field.ErrorList
	seen := map[string]bool{}
	for i, request := range requests {
		audience := tree.String(request, "audience")
		if seen[audience] {
			errs = append(errs, field.Duplicate(p.Index(i).Child("audience"), audience))
			continue
		}
		seen[audience] = true
		at := p.Index(i).Child("expirationSeconds")
		seconds, ok := tree.Int(request, "expirationSeconds")
		switch {
		case ok && seconds < leastSeconds:
			errs = append(errs, field.Invalid(at, seconds, "may not specify a duration less than 10 minutes"))
		case seconds > mostSeconds:
			errs = append(errs, field.Invalid(at, seconds, "may not specify a duration larger than 2^32 seconds"))
		}
	}
	return errs
}

func csiNode(r *Request) field.ErrorList {
	errs := clusterMeta(r, nameIsDNSSubdomain)
	seen := map[string]bool{}
	for i, driver := range tree.List(r.Object, "spec", "drivers") {
		errs = append(errs, csiNodeDriver(driver, seen, field.NewPath("spec", "drivers").Index(i))...)
	}
	return errs
}

func csiNodeDriver(driver any, seen map[string]bool, p *field.Path) field.ErrorList {
	const maxNodeID = 256
	name, node := tree.String(driver, "name"), tree.String(driver, "nodeID")
	errs := csiDriverName(name, p.Child("name"))
	errs = append(errs, required(driver, p, "nodeID")...)
	if len(node) > maxNodeID {
		errs = append(errs, field.Invalid(p.Child("nodeID"), node, "must be 256 characters or less"))
	}
	if count, ok := tree.Int(driver, "allocatable", "count"); ok {
		errs = append(errs, nonNegative(count, p.Child("allocatable", "count"))...)
	}
	if seen[name] {
		errs = append(errs, field.Duplicate(p.Child("name"), name))
	}
	seen[name] = true
	var keys []string
	for _, key := range stringsOf(tree.List(driver, "topologyKeys")) {
		if key == "" {
			errs = append(errs, field.Required(p, ""))
		}
		if slices.Contains(keys, key) {
			errs = append(errs, field.Duplicate(p, key))
		}
		keys = append(keys, key)
		errs = append(errs, qualifiedName(key, p)...)
	}
	return errs
}

// updateCSINode checks that a driver stays as it is, but for what it can
// allocate.
func updateCSINode(r *Request) field.ErrorList {
	errs := csiNode(r)
	for _, old := range tree.List(r.Old, "spec", "drivers") {
		for _, driver := range tree.List(r.Object, "spec", "drivers") {
			if tree.String(driver, "name") != tree.String(old, "name") {
				continue
			}
			was, now := tree.CopyObject(old.(tree.Object)), tree.CopyObject(driver.(tree.Object))
			if minors.MutableNodeAllocatable.In(r.Minor) {
				delete(was, "allocatable")
				delete(now, "allocatable")
			}
			errs = append(errs, immutableAs(now, was, schema.Internal("storage/v1.CSINodeDriver", now), field.NewPath("spec", "drivers"))...)
		}
	}
	return errs
}

func storageCapacity(r *Request) field.ErrorList {
	opts := selectorOptions{allowInvalidLabelValue: len(labelSelector(r.Old["nodeTopology"], selectorOptions{}, nil)) > 0}
	errs := namespacedMeta(r, nameIsDNSSubdomain)
	errs = append(errs, labelSelector(r.Object["nodeTopology"], opts, field.NewPath("nodeTopology"))...)
	switch class, at := tree.String(r.Object, "storageClassName"), field.NewPath("storageClassName"); {
	case class == "" && minors.CapacityClassRequired.In(r.Minor):
		errs = append(errs, field.Required(at, ""))
	default:
		errs = append(errs, dns1123Subdomain(class, at)...)
	}
	if tree.Has(r.Object, "capacity") {
		errs = append(errs, quantityNonNegative(r.Object["capacity"], field.NewPath("capacity"))...)
	}
	return errs
}

func keepsTopology(r *Request) field.ErrorList {
	return immutableOf("meta/v1.LabelSelector", r.Object["nodeTopology"], r.Old["nodeTopology"], field.NewPath("nodeTopology"))
}

func volumeAttachment(r *Request) field.ErrorList {
	errs := clusterMeta(r, nameIsDNSSubdomain)
	spec, p := tree.Map(r.Object, "spec"), field.NewPath("spec")
	attacher, at, inSpec := tree.String(spec, "attacher"), p.Child("attacher"), minors.AttacherInSpec.In(r.Minor)
	if inSpec {
		errs = append(errs, csiDriverName(attacher, at)...)
	} else if attacher == "" {
		errs = append(errs, field.Required(at, ""))
	}
	errs = append(errs, attachmentSource(tree.Map(spec, "source"), p.Child("source"))...)
	errs = append(errs, dns1123Subdomain(tree.String(spec, "nodeName"), p.Child("nodeName"))...)
	if !inSpec && r.Old == nil {
		errs = append(errs, csiDriverName(attacher, at)...)
		if attacher == "" && !minors.DriverNameOnce.In(r.Minor) {
			errs = append(errs, invalidEach(at, "", isDNS1123Subdomain(""))...)
		}
	}
	if tree.Has(spec, "source", "persistentVolumeName") && (inSpec || r.Old == nil) {
		errs = append(errs, dns1123Subdomain(tree.String(spec, "source", "persistentVolumeName"), field.NewPath("spec.source.persistentVolumeName"))...)
	}
	return errs
}

func attachmentSource(source tree.Object, p *field.Path) field.ErrorList {
	const exactlyOne = "must specify exactly one of inlineVolumeSpec and persistentVolumeName"
	hasInline, hasName := tree.Has(source, "inlineVolumeSpec"), tree.Has(source, "persistentVolumeName")
	switch {
	case !hasInline && !hasName:
		return field.ErrorList{field.Required(p, exactlyOne)}
	case hasInline && hasName:
		return field.ErrorList{field.Forbidden(p, exactlyOne)}
	case hasInline:
		return volumeSpec(tree.Map(source, "inlineVolumeSpec"), volumeOptions{inline: true}, p.Child("inlineVolumeSpec"))
	case tree.String(source, "persistentVolumeName") == "":
		return field.ErrorList{field.Required(p.Child("persistentVolumeName"), "must specify non empty persistentVolumeName")}
	}
	return nil
}

func updateVolumeAttachment(r *Request) field.ErrorList {
	return append(volumeAttachment(r), immutableOf("storage/v1.VolumeAttachmentSpec", r.Object["spec"], r.Old["spec"], field.NewPath("spec"))...)
}
