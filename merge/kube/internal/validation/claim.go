package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

const betaStorageClass = "volume.beta.kubernetes.io/storage-class"

// claimOptions loosens the check of a claim for what it had before.
type claimOptions struct {
	selectors            selectorOptions
	allowInvalidAPIGroup bool // of the data source
	allowAttributesClass bool // any name
}

// Source of the functions below: pkg/apis/core/validation.
func claim(r *Request) field.ErrorList {
	old := tree.Map(r.Old, "spec")
	opts := claimOptions{allowInvalidAPIGroup: tree.Has(old, "dataSource", "apiGroup") || tree.Has(old, "dataSourceRef", "apiGroup")}
	opts.selectors.allowInvalidLabelValue = len(labelSelector(old["selector"], selectorOptions{}, nil)) > 0
	errs := namespacedMeta(r, nameIsDNSSubdomain)
	return append(errs, claimSpec(tree.Map(r.Object, "spec"), opts, field.NewPath("spec"))...)
}

// claimSpec checks the spec of a PersistentVolumeClaim or of a template for
// one.
//
// Source: ValidatePersistentVolumeClaimSpec.
func claimSpec(spec tree.Object, opts claimOptions, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	modes := tree.List(spec, "accessModes")
	if len(modes) == 0 {
		errs = append(errs, field.Required(p.Child("accessModes"), "at least 1 access mode is required"))
	}
	errs = append(errs, labelSelector(spec["selector"], opts.selectors, p.Child("selector"))...)
	errs = append(errs, accessModes(modes, p.Child("accessModes"))...)

	at := p.Child("resources").Key("storage")
	if size, ok := tree.Get(spec, "resources", "requests", "storage"); ok {
		errs = append(errs, quantityPositive(size, at)...)
	} else {
		errs = append(errs, field.Required(at, ""))
	}
	errs = append(errs, className(spec, "storageClassName", p)...)
	errs = append(errs, volumeMode(spec, p)...)
	errs = append(errs, dataSources(spec, opts, p)...)
	if opts.allowAttributesClass {
		return errs
	}
	return append(errs, className(spec, "volumeAttributesClassName", p)...)
}

func accessModes(modes []any, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	var ofOnePod, ofMany bool
	for _, v := range modes {
		mode, _ := v.(string)
		bad := oneOf(mode, p, "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod")
		errs = append(errs, bad...)
		if mode == "ReadWriteOncePod" {
			ofOnePod = true
		} else if len(bad) == 0 {
			ofMany = true
		}
	}
	if ofOnePod && ofMany {
		errs = append(errs, field.Forbidden(p, "may not use ReadWriteOncePod with other access modes"))
	}
	return errs
}

// className checks the name of a class; "" stands for none.
func className(spec tree.Object, key string, p *field.Path) field.ErrorList {
	if class := tree.String(spec, key); class != "" {
		return dns1123Subdomain(class, p.Child(key))
	}
	return nil
}

func volumeMode(spec tree.Object, p *field.Path) field.ErrorList {
	return oneOfAt(spec, "volumeMode", p, "Block", "Filesystem")
}

func dataSources(spec tree.Object, opts claimOptions, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	source, ref := tree.Map(spec, "dataSource"), tree.Map(spec, "dataSourceRef")
	if source != nil {
		errs = append(errs, dataSource(source, opts, p.Child("dataSource"))...)
	}
	if ref == nil {
		return errs
	}
	errs = append(errs, dataSource(ref, opts, p.Child("dataSourceRef"))...)
	namespace := tree.String(ref, "namespace")
	if namespace != "" {
		errs = append(errs, dns1123Label(namespace, p.Child("dataSourceRef", "namespace"))...)
	}
	if source == nil {
		return errs
	}
	path := tree.Object{} // the server shows a Path, which has no exported fields
	if namespace != "" {
		errs = append(errs, field.Invalid(p, path, "may not be specified when dataSourceRef.namespace is specified"))
	} else if source["apiGroup"] != ref["apiGroup"] || tree.String(source, "kind") != tree.String(ref, "kind") ||
		tree.String(source, "name") != tree.String(ref, "name") {
		errs = append(errs, field.Invalid(p, path, "must match dataSourceRef"))
	}
	return errs
}

func dataSource(ref tree.Object, opts claimOptions, p *field.Path) field.ErrorList {
	errs := required(ref, p, "name", "kind")
	group, kind := tree.String(ref, "apiGroup"), tree.String(ref, "kind")
	if group == "" && kind != "PersistentVolumeClaim" {
		errs = append(errs, field.Invalid(p, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"))
	}
	if group != "" && !opts.allowInvalidAPIGroup {
		errs = append(errs, dns1123Subdomain(group, p.Child("apiGroup"))...)
	}
	return errs
}

// Source: ValidatePersistentVolumeClaimUpdate.
func claimUpdate(r *Request) field.ErrorList {
	spec, old := tree.Map(r.Object, "spec"), tree.Map(r.Old, "spec")
	errs := fixedClaimSpec(r, spec, old)
	size, was := quantity(requestedStorage(spec)), quantity(requestedStorage(old))
	capacity, _ := tree.Get(r.Old, "status", "capacity", "storage")
	recovers := minors.ShrinkResize.In(r.Minor) || tree.Has(r.Old, "status", "allocatedResources") || tree.Has(r.Old, "status", "allocatedResourceStatuses")
	switch {
	case size.Cmp(was) >= 0:
	case !recovers:
		errs = append(errs, field.Forbidden(field.NewPath("spec", "resources", "requests", "storage"), "field can not be less than previous value"))
	case size.Cmp(quantity(capacity)) <= 0:
		errs = append(errs, field.Forbidden(field.NewPath("spec", "resources", "requests", "storage"), "field can not be less than status.capacity"))
	}
	errs = append(errs, immutableAt(spec, old, "volumeMode", nil)...)
	if same(spec["volumeAttributesClassName"], old["volumeAttributesClassName"]) || !tree.Has(r.Old, "status", "currentVolumeAttributesClassName") {
		return errs
	}
	p := field.NewPath("spec", "volumeAttributesClassName")
	switch class := spec["volumeAttributesClassName"]; class {
	case nil:
		errs = append(errs, field.Forbidden(p, "update to nil is forbidden when status.currentVolumeAttributesClassName is not nil"))
	case "":
		errs = append(errs, field.Forbidden(p, "update to empty string is forbidden when status.currentVolumeAttributesClassName is not nil"))
	}
	return errs
}

func requestedStorage(spec tree.Object) any {
	v, _ := tree.Get(spec, "resources", "requests", "storage")
	return v
}

// fixedClaimSpec checks that nothing changes but what may: the name of the
// volume once, the class where there was none, and for a bound claim its size
// and its attributes class.
func fixedClaimSpec(r *Request, spec, old tree.Object) field.ErrorList {
	var errs field.ErrorList
	spec, old = tree.CopyObject(spec), tree.CopyObject(old)
	if tree.String(old, "volumeName") == "" {
		copyKey(old, spec, "volumeName")
	}
	annotation, annotated := tree.Get(r.Old, "metadata", "annotations", betaStorageClass)
	current, stillAnnotated := tree.Get(r.Object, "metadata", "annotations", betaStorageClass)
	fromNone := old["storageClassName"] == nil && spec["storageClassName"] != nil
	agrees := spec["storageClassName"] == annotation
	if fromNone && annotated && agrees && (!stillAnnotated || current == annotation) {
		delete(spec, "storageClassName")
	} else {
		now, was := tree.String(r.Object, "metadata", "annotations", betaStorageClass), tree.String(r.Old, "metadata", "annotations", betaStorageClass)
		errs = append(errs, immutable(now, was, field.NewPath("metadata").Child("annotations", betaStorageClass))...)
		if fromNone && (!annotated || agrees) {
			delete(spec, "storageClassName")
		}
	}
	if tree.String(r.Object, "status", "phase") == "Bound" {
		if size := requestedStorage(old); tree.Has(spec, "resources", "requests") && size != nil {
			tree.Set(spec, size, "resources", "requests", "storage")
		}
		copyKey(spec, old, "volumeAttributesClassName")
	}
	if sameAs("core/v1.PersistentVolumeClaimSpec", spec, old) {
		return errs
	}
	const goType = "core/v1.PersistentVolumeClaimSpec"
	return append(errs, fixed(field.Forbidden(field.NewPath("spec"),
		"spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n"+
			specDiff(r.Minor, goType, old, spec))))
}

// copyKey makes the value at key the same in to as in from.
func copyKey(to, from tree.Object, key string) {
	if v, ok := from[key]; ok {
		to[key] = v
	} else {
		delete(to, key)
	}
}
