package validation

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/fault"
	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// volumes checks the volumes of a pod and returns those that are valid, by
// name: only these can be mounted. The metadata of a pod (nil in a template)
// tells which claims its ephemeral volumes will create.
//
// Source: ValidateVolumes of pkg/apis/core/validation.
func volumes(spec, meta tree.Object, p *field.Path, opts podOptions) (map[string]tree.Object, field.ErrorList) {
	var errs field.ErrorList
	valid := map[string]tree.Object{}
	list := tree.List(spec, "volumes")
	created := createdClaims(list, meta)
	for i, v := range list {
		at, name := p.Index(i), tree.String(v, "name")
		found := volumeSources(v, meta, at, opts)
		if name == "" {
			found = append(found, field.Required(at.Child("name"), ""))
		} else {
			found = append(found, dns1123Label(name, at.Child("name"))...)
		}
		if _, ok := valid[name]; ok {
			found = append(found, field.Duplicate(at.Child("name"), name))
		}
		if len(found) == 0 {
			valid[name], _ = v.(map[string]any)
		}
		errs = append(errs, found...)
		if claim := tree.String(v, "persistentVolumeClaim", "claimName"); claim != "" && slices.Contains(created, claim) {
			errs = append(errs, field.Invalid(at.Child("persistentVolumeClaim", "claimName"), claim,
				"must not reference a PVC that gets created for an ephemeral volume"))
		}
	}
	return valid, errs
}

func createdClaims(volumes []any, meta tree.Object) []string {
	var names []string
	pod := tree.String(meta, "name")
	for _, v := range volumes {
		if pod != "" && tree.Has(v, "ephemeral") {
			names = append(names, pod+"-"+tree.String(v, "name"))
		}
	}
	return names
}

// A sourceRule says how a volume of one type is checked. Upstream does not
// always use the field's name in its paths.
type sourceRule struct {
	key     string
	path    string // of the errors within, if not key
	surplus string // of the error when it is a second source, if not key
	check   func(src any, p *field.Path, opts podOptions) field.ErrorList
}

// sourceRules lists the volume types in the order in which they are checked.
//
// Source: validateVolumeSource of pkg/apis/core/validation.
var sourceRules = sync.OnceValue(func() []sourceRule {
	return []sourceRule{
		{key: "emptyDir", check: ofSource(emptyDir)},
		{key: "hostPath", check: ofSource(hostPath)},
		{key: "gitRepo", check: ofSource(gitRepo)},
		{key: "gcePersistentDisk", path: "persistentDisk", check: ofSource(gcePersistentDisk)},
		{key: "awsElasticBlockStore", check: ofSource(awsElasticBlockStore)},
		{key: "secret", check: ofSource(secretVolume)},
		{key: "nfs", check: ofSource(nfs)},
		{key: "iscsi", check: ofSource(iscsi)},
		{key: "glusterfs", check: needs("endpoints", "path")},
		{key: "flocker", check: ofSource(flocker)},
		{key: "persistentVolumeClaim", check: needs("claimName")},
		{key: "rbd", check: ofSource(rbd)},
		{key: "cinder", check: ofSource(cinder)},
		{key: "cephfs", surplus: "cephFS", check: ofSource(cephfs)},
		{key: "quobyte", check: ofSource(quobyte)},
		{key: "downwardAPI", surplus: "downwarAPI", check: ofSource(downwardAPI)},
		{key: "fc", check: ofSource(fibreChannel)},
		{key: "flexVolume", check: ofSource(flexVolume)},
		{key: "configMap", check: ofSource(configMapVolume)},
		{key: "azureFile", check: needs("secretName", "shareName")},
		{key: "vsphereVolume", check: needs("volumePath")},
		{key: "photonPersistentDisk", check: needs("pdID")},
		{key: "portworxVolume", check: needs("volumeID")},
		{key: "azureDisk", check: ofSource(azureDisk)},
		{key: "storageos", check: ofSource(storageOS)},
		{key: "projected", check: projected},
		{key: "scaleIO", check: needs("gateway", "system", "volumeName")},
		{key: "csi", check: ofSource(csiVolume)},
		{key: "ephemeral", check: ephemeralVolume},
		{key: "image", check: imageVolume},
	}
})

// volumeSources checks that a volume has one source only, and that one. By
// default it has an emptyDir.
func volumeSources(v any, meta tree.Object, p *field.Path, opts podOptions) field.ErrorList {
	var errs field.ErrorList
	name, found := tree.String(v, "name"), false
	for _, rule := range sourceRules() {
		if !tree.Has(v, rule.key) {
			continue
		}
		src := tree.Map(v, rule.key)
		if found {
			errs = append(errs, coded(fault.OneOf, field.Forbidden(p.Child(orElse(rule.surplus, rule.key)), "may not specify more than 1 volume type")))
		} else {
			errs = append(errs, rule.check(src, p.Child(orElse(rule.path, rule.key)), opts)...)
		}
		if rule.key == "iscsi" && tree.Has(src, "initiatorName") && len(name+":"+tree.String(src, "targetPortal")) > 64 {
			errs = append(errs, field.Invalid(p.Child("name"), name, iscsiTooLong))
		}
		if pod := tree.String(meta, "name"); rule.key == "ephemeral" && !found && pod != "" && name != "" {
			for _, msg := range isDNS1123Subdomain(pod + "-" + name) {
				errs = append(errs, field.Invalid(p.Child("name"), name, fmt.Sprintf("PVC name %q: %v", pod+"-"+name, msg)))
			}
		}
		found = true
	}
	return errs
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// ofSource is for checks that depend on nothing but the source.
func ofSource(check func(any, *field.Path) field.ErrorList) func(any, *field.Path, podOptions) field.ErrorList {
	return func(src any, p *field.Path, _ podOptions) field.ErrorList { return check(src, p) }
}

// needs is for sources that have to have some fields and no other rule.
func needs(keys ...string) func(any, *field.Path, podOptions) field.ErrorList {
	return func(src any, p *field.Path, _ podOptions) field.ErrorList { return required(src, p, keys...) }
}

func ephemeralVolume(src any, p *field.Path, opts podOptions) field.ErrorList {
	at := p.Child("volumeClaimTemplate")
	if !tree.Has(src, "volumeClaimTemplate") {
		return field.ErrorList{field.Required(at, "")}
	}
	template := tree.Map(src, "volumeClaimTemplate")
	errs := templateMeta(tree.Map(template, "metadata"), at.Child("metadata"))
	of := claimOptions{allowAttributesClass: !minors.TemplateAttributes.In(opts.minor)}
	return append(errs, claimSpec(tree.Map(template, "spec"), of, at.Child("spec"))...)
}

// templateMeta checks the metadata of a claim template: labels and
// annotations, and nothing else.
//
// Source: ValidateTemplateObjectMeta of pkg/apis/core/validation.
func templateMeta(meta tree.Object, p *field.Path) field.ErrorList {
	errs := annotations(tree.Map(meta, "annotations"), p.Child("annotations"))
	errs = append(errs, labelSet(tree.Map(meta, "labels"), p.Child("labels"))...)
	for _, key := range []string{"name", "generateName", "namespace", "selfLink", "uid", "resourceVersion", "generation",
		"creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "ownerReferences", "finalizers", "managedFields"} {
		if v := meta[key]; v != nil && v != "" {
			if key == "uid" {
				key = "uID"
			}
			errs = append(errs, notAllowed(p.Child(key), "cannot be set"))
		}
	}
	return errs
}

func imageVolume(src any, p *field.Path, opts podOptions) field.ErrorList {
	var errs field.ErrorList
	if opts.isPod || !opts.allowEmptyImageReference {
		errs = required(src, p, "reference")
	}
	return append(errs, pullPolicy(tree.String(src, "pullPolicy"), p.Child("pullPolicy"))...)
}

// csiVolume checks an inline CSI volume.
//
// Source: validateCSIVolumeSource of pkg/apis/core/validation.
func csiVolume(src any, p *field.Path) field.ErrorList {
	errs := csiDriverName(tree.String(src, "driver"), p.Child("driver"))
	if !tree.Has(src, "nodePublishSecretRef") {
		return errs
	}
	secret := tree.String(src, "nodePublishSecretRef", "name")
	if secret == "" {
		return append(errs, field.Required(p.Child("nodePublishSecretRef", "name"), ""))
	}
	return append(errs, dns1123Subdomain(secret, p.Child("name"))...)
}

// csiDriverName checks the name of a CSI driver; upper case is fine.
//
// Source: ValidateCSIDriverName of pkg/apis/core/validation.
func csiDriverName(name string, p *field.Path) field.ErrorList {
	if name == "" {
		return field.ErrorList{field.Required(p, "")}
	}
	var errs field.ErrorList
	if len(name) > 63 {
		errs = append(errs, field.TooLong(p, "", 63))
	}
	return append(errs, invalidEach(p, name, isDNS1123Subdomain(strings.ToLower(name)))...)
}
