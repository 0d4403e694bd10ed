package validation

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// Source of this file: pkg/apis/core/validation.

// localPath checks for a relative path without "..".
func localPath(path string, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	if strings.HasPrefix(path, "/") {
		errs = append(errs, field.Invalid(p, path, "must be a relative path"))
	}
	return append(errs, pathWithoutBacksteps(path, p)...)
}

// pathWithoutBacksteps checks that no element of a path is "..".
func pathWithoutBacksteps(path string, p *field.Path) field.ErrorList {
	if slices.Contains(strings.Split(path, "/"), "..") {
		return field.ErrorList{field.Invalid(p, path, "must not contain '..'")}
	}
	return nil
}

// localFilePath is localPath for files that are laid down by the kubelet,
// which keeps names that start with ".." to itself.
func localFilePath(path string, p *field.Path) field.ErrorList {
	errs := localPath(path, p)
	if strings.HasPrefix(path, "..") && !strings.HasPrefix(path, "../") {
		errs = append(errs, field.Invalid(p, path, "must not start with '..'"))
	}
	return errs
}

// fileMode checks the mode at key, if there is one.
func fileMode(o any, key string, p *field.Path) field.ErrorList {
	mode, ok := tree.Int(o, key)
	if !ok || 0 <= mode && mode <= 0o777 {
		return nil
	}
	return field.ErrorList{field.Invalid(p.Child(key), mode, "must be a number between 0 and 0777 (octal), both inclusive")}
}

// keyToPath checks an item of a ConfigMap or Secret volume.
func keyToPath(item any, p *field.Path) field.ErrorList {
	errs := required(item, p, "key", "path")
	errs = append(errs, localFilePath(tree.String(item, "path"), p.Child("path"))...)
	return append(errs, fileMode(item, "mode", p)...)
}

func secretVolume(src any, p *field.Path) field.ErrorList {
	return append(required(src, p, "secretName"), volumeItems(src, p)...)
}

func configMapVolume(src any, p *field.Path) field.ErrorList {
	return append(required(src, p, "name"), volumeItems(src, p)...)
}

func volumeItems(src any, p *field.Path) field.ErrorList {
	errs := fileMode(src, "defaultMode", p)
	return append(errs, each(tree.List(src, "items"), p.Child("items"), keyToPath)...)
}

// downwardAPI checks a volume of fields of the pod. Upstream reports faults
// of its files at the volume.
func downwardAPI(src any, p *field.Path) field.ErrorList {
	errs := fileMode(src, "defaultMode", p)
	for _, file := range tree.List(src, "items") {
		errs = append(errs, downwardAPIFile(file, p)...)
	}
	return errs
}

func downwardAPIFile(file any, p *field.Path) field.ErrorList {
	errs := required(file, p, "path")
	errs = append(errs, localFilePath(tree.String(file, "path"), p.Child("path"))...)
	hasField, hasResource := tree.Has(file, "fieldRef"), tree.Has(file, "resourceFieldRef")
	switch {
	case hasField:
		errs = append(errs, fieldRef(tree.Map(file, "fieldRef"), p.Child("fieldRef"),
			"metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid")...)
		if hasResource {
			errs = append(errs, field.Invalid(p, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously"))
		}
	case hasResource:
		errs = append(errs, resourceFieldRef(tree.Map(file, "resourceFieldRef"), true, p.Child("resourceFieldRef"))...)
	default:
		errs = append(errs, field.Required(p, "one of fieldRef and resourceFieldRef is required"))
	}
	return append(errs, fileMode(file, "mode", p)...)
}
