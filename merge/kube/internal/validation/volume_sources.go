package validation

import (
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// Source of this file: the validate…VolumeSource functions of
// pkg/apis/core/validation.

func emptyDir(src any, p *field.Path) field.ErrorList {
	if q := quantity(tree.String(src, "sizeLimit")); q.Sign() < 0 {
		return field.ErrorList{field.Forbidden(p.Child("sizeLimit"), "SizeLimit field must be a valid resource quantity")}
	}
	return nil
}

func hostPath(src any, p *field.Path) field.ErrorList {
	path := tree.String(src, "path")
	if path == "" {
		return field.ErrorList{field.Required(p.Child("path"), "")}
	}
	errs := pathWithoutBacksteps(path, p.Child("path"))
	return append(errs, oneOfAt(src, "type", p, "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket")...)
}

func gitRepo(src any, p *field.Path) field.ErrorList {
	return append(required(src, p, "repository"), localPath(tree.String(src, "directory"), p.Child("directory"))...)
}

func nfs(src any, p *field.Path) field.ErrorList {
	errs := required(src, p, "server", "path")
	if path := tree.String(src, "path"); !strings.HasPrefix(path, "/") {
		errs = append(errs, field.Invalid(p.Child("path"), path, "must be an absolute path"))
	}
	return errs
}

func gcePersistentDisk(src any, p *field.Path) field.ErrorList {
	return append(required(src, p, "pdName"), partition(src, p)...)
}

func awsElasticBlockStore(src any, p *field.Path) field.ErrorList {
	return append(required(src, p, "volumeID"), partition(src, p)...)
}

// partition allows 0 to 255, whatever the message says.
func partition(src any, p *field.Path) field.ErrorList {
	if n, _ := tree.Int(src, "partition"); len(isInRange(n, 0, 255)) > 0 {
		return invalidEach(p.Child("partition"), n, []string{"must be between 1 and 255, inclusive"})
	}
	return nil
}

const iscsiTooLong = "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified."

func iscsi(src any, p *field.Path) field.ErrorList {
	const badPrefix = "must be valid format starting with iqn, eui, or naa"
	errs := required(src, p, "targetPortal", "iqn")
	if iqn := tree.String(src, "iqn"); iqn != "" {
		errs = append(errs, iscsiName(iqn, badPrefix, p.Child("iqn"))...)
	}
	lun, _ := tree.Int(src, "lun")
	errs = append(errs, invalidEach(p.Child("lun"), lun, isInRange(lun, 0, 255))...)
	if (tree.Bool(src, "chapAuthDiscovery") || tree.Bool(src, "chapAuthSession")) && !tree.Has(src, "secretRef") {
		errs = append(errs, field.Required(p.Child("secretRef"), ""))
	}
	if tree.Has(src, "initiatorName") {
		errs = append(errs, iscsiName(tree.String(src, "initiatorName"), badPrefix, p.Child("initiatorname"))...)
	}
	return errs
}

// iscsiName checks the name of an iSCSI node; badPrefix is the message for
// one of unknown type.
func iscsiName(name, badPrefix string, p *field.Path) field.ErrorList {
	var format string
	switch {
	case strings.HasPrefix(name, "iqn"):
		format = `iqn\.\d{4}-\d{2}\.([[:alnum:]-.]+)(:[^,;*&$|\s]+)$`
	case strings.HasPrefix(name, "eui"):
		format = `^eui.[[:alnum:]]{16}$`
	case strings.HasPrefix(name, "naa"):
		format = `^naa.[[:alnum:]]{32}$`
	default:
		return field.ErrorList{field.Invalid(p, name, badPrefix)}
	}
	if regexp.MustCompile(format).MatchString(name) {
		return nil
	}
	return field.ErrorList{field.Invalid(p, name, "must be valid format")}
}

func fibreChannel(src any, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	wwns, wwids := tree.List(src, "targetWWNs"), tree.List(src, "wwids")
	if len(wwns) == 0 && len(wwids) == 0 {
		errs = append(errs, field.Required(p.Child("targetWWNs"), "must specify either targetWWNs or wwids, but not both"))
	}
	if len(wwns) > 0 && len(wwids) > 0 {
		errs = append(errs, field.Invalid(p.Child("targetWWNs"), wwns, "targetWWNs and wwids can not be specified simultaneously"))
	}
	if len(wwns) == 0 {
		return errs
	}
	lun, ok := tree.Int(src, "lun")
	if !ok {
		return append(errs, field.Required(p.Child("lun"), "lun is required if targetWWNs is specified"))
	}
	return append(errs, invalidEach(p.Child("lun"), lun, isInRange(lun, 0, 255))...)
}

func flocker(src any, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	name, uuid := tree.String(src, "datasetName"), tree.String(src, "datasetUUID")
	if name == "" && uuid == "" {
		errs = append(errs, field.Required(p, "one of datasetName and datasetUUID is required"))
	}
	if name != "" && uuid != "" {
		errs = append(errs, field.Invalid(p, "resource", "datasetName and datasetUUID can not be specified simultaneously"))
	}
	if strings.Contains(name, "/") {
		errs = append(errs, field.Invalid(p.Child("datasetName"), name, "must not contain '/'"))
	}
	return errs
}

func rbd(src any, p *field.Path) field.ErrorList {
	return append(cephfs(src, p), required(src, p, "image")...)
}

func cephfs(src any, p *field.Path) field.ErrorList {
	if len(tree.List(src, "monitors")) == 0 {
		return field.ErrorList{field.Required(p.Child("monitors"), "")}
	}
	return nil
}

func cinder(src any, p *field.Path) field.ErrorList {
	return append(required(src, p, "volumeID"), secretRefName(src, p)...)
}

func secretRefName(src any, p *field.Path) field.ErrorList {
	if !tree.Has(src, "secretRef") {
		return nil
	}
	return required(tree.Map(src, "secretRef"), p.Child("secretRef"), "name")
}

func quobyte(src any, p *field.Path) field.ErrorList {
	const pairs = "must be a host:port pair or multiple pairs separated by commas"
	var errs field.ErrorList
	registry := tree.String(src, "registry")
	switch {
	case registry == "":
		errs = append(errs, field.Required(p.Child("registry"), pairs))
	case len(tree.String(src, "tenant")) > 64:
		errs = append(errs, field.Required(p.Child("tenant"), "must be a UUID and may not exceed a length of 64 characters"))
	default:
		for _, pair := range strings.Split(registry, ",") {
			if !isHostPort(pair) {
				errs = append(errs, field.Invalid(p.Child("registry"), registry, pairs))
			}
		}
	}
	return append(errs, required(src, p, "volume")...)
}

// isHostPort reports whether Go's net.SplitHostPort takes s.
func isHostPort(s string) bool {
	i := strings.LastIndex(s, ":")
	if i < 0 {
		return false
	}
	host := s[:i]
	if strings.HasPrefix(s, "[") {
		host = strings.TrimPrefix(strings.TrimSuffix(host, "]"), "[")
		if !strings.HasSuffix(s[:i], "]") {
			return false
		}
	} else if strings.Contains(host, ":") {
		return false
	}
	return !strings.ContainsAny(host, "[]") && !strings.ContainsAny(s[i:], "[]")
}

func flexVolume(src any, p *field.Path) field.ErrorList {
	errs := required(src, p, "driver")
	for _, k := range sortedKeys(tree.Map(src, "options")) {
		namespace, _, _ := strings.Cut(k, "/")
		namespace = "." + strings.ToLower(namespace)
		if strings.HasSuffix(namespace, ".kubernetes.io") || strings.HasSuffix(namespace, ".k8s.io") {
			errs = append(errs, field.Invalid(p.Child("options").Key(k), k, "kubernetes.io and k8s.io namespaces are reserved"))
		}
	}
	return errs
}

func azureDisk(src any, p *field.Path) field.ErrorList {
	errs := required(src, p, "diskName", "diskURI")
	errs = append(errs, oneOfAt(src, "cachingMode", p, "None", "ReadOnly", "ReadWrite")...)
	errs = append(errs, oneOfAt(src, "kind", p, "Dedicated", "Managed", "Shared")...)
	prefix, example := "https://", "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"
	if tree.String(src, "kind") == "Managed" {
		prefix, example = "/subscriptions/", "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"
	}
	if uri := tree.String(src, "diskURI"); !strings.HasPrefix(uri, prefix) {
		errs = append(errs, field.NotSupported(p.Child("diskURI"), uri, []string{example}))
	}
	return errs
}

func storageOS(src any, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	if name := tree.String(src, "volumeName"); name == "" {
		errs = append(errs, field.Required(p.Child("volumeName"), ""))
	} else {
		errs = append(errs, dns1123Label(name, p.Child("volumeName"))...)
	}
	if ns := tree.String(src, "volumeNamespace"); ns != "" {
		errs = append(errs, dns1123Label(ns, p.Child("volumeNamespace"))...)
	}
	return append(errs, secretRefName(src, p)...)
}
