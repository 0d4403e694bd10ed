package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/fault"
	"threeway/merge/tree"
)

// A volumeRule says how a PersistentVolume of one type is checked. Upstream
// does not always use the field's name in its paths.
type volumeRule struct {
	key     string
	path    string // of the errors within, if not key
	surplus string // of the error when it is a second source, if not key
	check   func(src any, p *field.Path) field.ErrorList
}

// volumeRules lists the volume types in the order in which they are checked.
//
// Source: ValidatePersistentVolumeSpec of pkg/apis/core/validation.
func volumeRules() []volumeRule {
	return []volumeRule{
		{key: "hostPath", check: hostPath},
		{key: "gcePersistentDisk", path: "persistentDisk", check: gcePersistentDisk},
		{key: "awsElasticBlockStore", check: awsElasticBlockStore},
		{key: "glusterfs", check: glusterfsVolume},
		{key: "flocker", check: flocker},
		{key: "nfs", check: nfs},
		{key: "rbd", check: rbd},
		{key: "quobyte", check: quobyte},
		{key: "cephfs", surplus: "cephFS", check: cephfs},
		{key: "iscsi", check: iscsiVolume},
		{key: "cinder", check: cinderVolume},
		{key: "fc", check: fibreChannel},
		{key: "flexVolume", check: flexVolume},
		{key: "azureFile", check: azureFileVolume},
		{key: "vsphereVolume", check: fields("volumePath")},
		{key: "photonPersistentDisk", check: fields("pdID")},
		{key: "portworxVolume", check: fields("volumeID")},
		{key: "azureDisk", check: azureDisk},
		{key: "scaleIO", check: fields("gateway", "system", "volumeName")},
		{key: "local", check: localVolume},
		{key: "storageos", check: storageOSVolume},
		{key: "csi", check: csiPersistentVolume},
	}
}

// volumeSource checks that there is exactly one source, and that one. A
// flexVolume is checked even as a second one.
func volumeSource(spec tree.Object, opts volumeOptions, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	found := false
	for _, rule := range volumeRules() {
		if !tree.Has(spec, rule.key) {
			continue
		}
		if found && rule.key != "flexVolume" {
			errs = append(errs, coded(fault.OneOf, field.Forbidden(p.Child(orElse(rule.surplus, rule.key)), "may not specify more than 1 volume type")))
			continue
		}
		found = true
		src := tree.Map(spec, rule.key)
		if rule.key == "iscsi" {
			errs = append(errs, iscsiPortalLength(src, opts.name, p.Child("iscsi"))...)
		}
		errs = append(errs, rule.check(src, p.Child(orElse(rule.path, rule.key)))...)
		if rule.key == "local" && (opts.inline || !tree.Has(spec, "nodeAffinity")) {
			errs = append(errs, field.Required(p.Child("nodeAffinity"), "Local volume requires node affinity"))
		}
	}
	if !found {
		errs = append(errs, field.Required(p, "must specify a volume type"))
	}
	return errs
}

// sourceOf is the part of a spec that names the volume: a copy.
func sourceOf(spec tree.Object) tree.Object {
	source := tree.Object{}
	for _, rule := range volumeRules() {
		if tree.Has(spec, rule.key) {
			source[rule.key] = tree.Copy(spec[rule.key])
		}
	}
	return source
}

// fields is for sources that have to have some fields and no other rule.
func fields(keys ...string) func(any, *field.Path) field.ErrorList {
	return func(src any, p *field.Path) field.ErrorList { return required(src, p, keys...) }
}

func glusterfsVolume(src any, p *field.Path) field.ErrorList {
	errs := required(src, p, "endpoints", "path")
	if !tree.Has(src, "endpointsNamespace") {
		return errs
	}
	namespace, at := tree.String(src, "endpointsNamespace"), p.Child("endpointsNamespace")
	if namespace == "" {
		return append(errs, field.Invalid(at, namespace, "if the endpointnamespace is set, it must be a valid namespace name"))
	}
	return append(errs, dns1123Label(namespace, at)...)
}

// iscsiVolume is like iscsi, the source of a Pod volume, but for two messages
// and the namespace of the secret.
func iscsiVolume(src any, p *field.Path) field.ErrorList {
	const bad = "must be valid format"
	var errs field.ErrorList
	if iqn := tree.String(src, "iqn"); iqn == "" {
		errs = append(errs, field.Required(p.Child("iqn"), ""))
	} else {
		errs = append(errs, iscsiName(iqn, bad, p.Child("iqn"))...)
	}
	lun, _ := tree.Int(src, "lun")
	errs = append(errs, invalidEach(p.Child("lun"), lun, isInRange(lun, 0, 255))...)
	if tree.Has(src, "secretRef") {
		errs = append(errs, required(tree.Map(src, "secretRef"), p.Child("secretRef"), "name")...)
	} else if tree.Bool(src, "chapAuthDiscovery") || tree.Bool(src, "chapAuthSession") {
		errs = append(errs, field.Required(p.Child("secretRef"), ""))
	}
	if tree.Has(src, "initiatorName") {
		errs = append(errs, iscsiName(tree.String(src, "initiatorName"), bad, p.Child("initiatorname"))...)
	}
	return errs
}

func iscsiPortalLength(src tree.Object, volume string, p *field.Path) field.ErrorList {
	errs := required(src, p, "targetPortal")
	if portal := tree.String(src, "targetPortal"); tree.Has(src, "initiatorName") && len(volume+":"+portal) > 64 {
		errs = append(errs, field.Invalid(p.Child("targetportal"), portal, iscsiTooLong))
	}
	return errs
}

func cinderVolume(src any, p *field.Path) field.ErrorList {
	return append(required(src, p, "volumeID"), secretInNamespace(src, p)...)
}

func secretInNamespace(src any, p *field.Path) field.ErrorList {
	if !tree.Has(src, "secretRef") {
		return nil
	}
	return required(tree.Map(src, "secretRef"), p.Child("secretRef"), "name", "namespace")
}

func azureFileVolume(src any, p *field.Path) field.ErrorList {
	errs := required(src, p, "secretName", "shareName")
	if tree.Has(src, "secretNamespace") {
		errs = append(errs, required(src, p, "secretNamespace")...)
	}
	return errs
}

func localVolume(src any, p *field.Path) field.ErrorList {
	path := tree.String(src, "path")
	if path == "" {
		return field.ErrorList{field.Required(p.Child("path"), "")}
	}
	return pathWithoutBacksteps(path, p.Child("path"))
}

func storageOSVolume(src any, p *field.Path) field.ErrorList {
	errs := required(src, p, "volumeName")
	for _, key := range []string{"volumeName", "volumeNamespace"} {
		if s := tree.String(src, key); s != "" {
			errs = append(errs, dns1123Label(s, p.Child(key))...)
		}
	}
	return append(errs, secretInNamespace(src, p)...)
}

func csiPersistentVolume(src any, p *field.Path) field.ErrorList {
	errs := csiDriverName(tree.String(src, "driver"), p.Child("driver"))
	errs = append(errs, required(src, p, "volumeHandle")...)
	for _, key := range []string{"controllerPublishSecretRef", "controllerExpandSecretRef", "nodePublishSecretRef", "nodeExpandSecretRef"} {
		if tree.Has(src, key) {
			errs = append(errs, secretReference(tree.Map(src, key), p.Child(key))...)
		}
	}
	return errs
}

func secretReference(ref tree.Object, p *field.Path) field.ErrorList {
	errs := required(ref, p, "name")
	if name := tree.String(ref, "name"); name != "" {
		errs = append(errs, dns1123Subdomain(name, p.Child("name"))...)
	}
	namespace := tree.String(ref, "namespace")
	if namespace == "" {
		return append(errs, field.Required(p.Child("namespace"), ""))
	}
	return append(errs, dns1123Label(namespace, p.Child("namespace"))...)
}
