package validation

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// Rules of volumes, claims and the group storage.k8s.io.
var (
	PersistentVolume      = Rules{volume, inOrder(volume, volumeUpdate)}
	PersistentVolumeClaim = Rules{claim, inOrder(updatedMeta, claim, claimUpdate)}
	StorageClass          = Rules{storageClass, updateStorageClass}
	VolumeAttributesClass = Rules{attributesClass, updateAttributesClass}
	CSIDriver             = Rules{inOrder(cluster(nameIsDNSSubdomain), csiDriverSpec), inOrder(updatedMeta, csiDriverSpec, keepsCSIDriver)}
	CSINode               = Rules{csiNode, updateCSINode}
	CSIStorageCapacity    = Rules{storageCapacity, inOrder(storageCapacity, updatedMeta, keepsTopology, keepsText("storageClassName"))}
	VolumeAttachment      = Rules{volumeAttachment, updateVolumeAttachment}
)

// Source of the functions below: pkg/apis/storage/validation.
func storageClass(r *Request) field.ErrorList {
	errs := clusterMeta(r, nameIsDNSSubdomain)
	errs = append(errs, provisioner(tree.String(r.Object, "provisioner"), field.NewPath("provisioner"))...)
	errs = append(errs, classParameters(tree.Map(r.Object, "parameters"), field.NewPath("parameters"))...)
	if policy := tree.String(r.Object, "reclaimPolicy"); policy != "" {
		errs = append(errs, oneOf(policy, field.NewPath("reclaimPolicy"), "Delete", "Retain")...)
	}
	errs = append(errs, oneOf(tree.String(r.Object, "volumeBindingMode"), field.NewPath("volumeBindingMode"), "Immediate", "WaitForFirstConsumer")...)
	return append(errs, allowedTopologies(tree.List(r.Object, "allowedTopologies"), field.NewPath("allowedTopologies"))...)
}

// Source: ValidateUpdate of pkg/registry/storage/storageclass/strategy.go.
func updateStorageClass(r *Request) field.ErrorList {
	errs := append(storageClass(r), updatedMeta(r)...)
	errs = append(errs, immutableAs(orNull(r.Object, "parameters"), orNull(r.Old, "parameters"), r.Object["parameters"], field.NewPath("parameters"))...)
	errs = append(errs, immutable(tree.String(r.Object, "provisioner"), tree.String(r.Old, "provisioner"), field.NewPath("provisioner"))...)
	for _, key := range []string{"reclaimPolicy", "volumeBindingMode"} {
		errs = append(errs, immutableAt(r.Object, r.Old, key, nil)...)
	}
	return errs
}

// orNull is the object at key, or nil if it has no elements: to the server
// both are the same map.
func orNull(o tree.Object, key string) any {
	if m := tree.Map(o, key); len(m) > 0 {
		return m
	}
	return nil
}

func provisioner(name string, p *field.Path) field.ErrorList {
	if name == "" {
		return field.ErrorList{field.Required(p, "")}
	}
	return qualifiedName(strings.ToLower(name), p)
}

func classParameters(params tree.Object, p *field.Path) field.ErrorList {
	const most, mostBytes = 512, 256 << 10
	if len(params) > most {
		return field.ErrorList{field.TooLong(p, "", most)}
	}
	var errs field.ErrorList
	size := 0
	for k := range params {
		if k == "" {
			errs = append(errs, field.Invalid(p, k, "field can not be empty."))
		}
		size += len(k) + len(tree.String(params, k))
	}
	if size > mostBytes {
		errs = append(errs, field.TooLong(p, "", mostBytes))
	}
	return errs
}

// allowedTopologies checks that terms differ. A term without expressions
// counts as a repetition even when it stands alone.
func allowedTopologies(terms []any, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	var seen []map[string][]string
	for i, term := range terms {
		at := p.Index(i).Child("matchLabelExpressions")
		values := map[string][]string{}
		for j, req := range tree.List(term, "matchLabelExpressions") {
			key := tree.String(req, "key")
			set, bad := topologyValues(req, at.Index(j))
			errs = append(errs, bad...)
			if _, exists := values[key]; exists {
				errs = append(errs, field.Duplicate(at.Index(j).Child("key"), key))
			}
			values[key] = set
		}
		isRepeat := slices.ContainsFunc(seen, func(s map[string][]string) bool { return maps.EqualFunc(s, values, slices.Equal) })
		if isRepeat || len(values) == 0 {
			errs = append(errs, field.Duplicate(at, ""))
		}
		seen = append(seen, values)
	}
	return errs
}

// topologyValues checks a requirement and returns the values that it allows,
// sorted.
func topologyValues(req any, p *field.Path) ([]string, field.ErrorList) {
	var errs field.ErrorList
	var set []string
	values := stringsOf(tree.List(req, "values"))
	if len(values) == 0 {
		errs = append(errs, field.Required(p.Child("values"), ""))
	}
	for i, v := range values {
		if slices.Contains(set, v) {
			errs = append(errs, field.Duplicate(p.Child("values").Index(i), v))
		} else {
			set = append(set, v)
		}
	}
	slices.Sort(set)
	return set, append(errs, qualifiedName(tree.String(req, "key"), p.Child("key"))...)
}

func attributesClass(r *Request) field.ErrorList {
	errs := clusterMeta(r, nameIsDNSSubdomain)
	errs = append(errs, provisioner(tree.String(r.Object, "driverName"), field.NewPath("driverName"))...)
	params := tree.Map(r.Object, "parameters")
	errs = append(errs, classParameters(params, field.NewPath("parameters"))...)
	if len(params) == 0 {
		errs = append(errs, field.Required(field.NewPath("parameters"), "must contain at least one key/value pair"))
	}
	return errs
}

func updateAttributesClass(r *Request) field.ErrorList {
	var errs field.ErrorList
	if minors.AttributesClassFirst.In(r.Minor) {
		errs = attributesClass(r)
	}
	errs = append(errs, updatedMeta(r)...)
	for _, key := range []string{"driverName", "parameters"} {
		if !same(r.Object[key], r.Old[key]) {
			errs = append(errs, field.Forbidden(field.NewPath(key), "updates to "+key+" are forbidden."))
		}
	}
	return append(errs, attributesClass(r)...)
}
