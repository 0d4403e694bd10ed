package validation

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// volumeMounts checks the mounts of a container. Upstream reports some
// faults at the list instead of the mount.
//
// Source: ValidateVolumeMounts of pkg/apis/core/validation.
func volumeMounts(c any, pod *podContext, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	devices := pathsByName(tree.List(c, "volumeDevices"), "devicePath")
	paths := map[string]bool{}
	for i, mount := range tree.List(c, "volumeMounts") {
		at := p.Index(i)
		name, path := tree.String(mount, "name"), tree.String(mount, "mountPath")
		errs = append(errs, required(mount, at, "name")...)
		if _, ok := pod.volumes[name]; !ok {
			errs = append(errs, field.NotFound(at.Child("name"), name))
		}
		errs = append(errs, required(mount, at, "mountPath")...)
		if paths[path] {
			errs = append(errs, field.Invalid(at.Child("mountPath"), path, "must be unique"))
		}
		paths[path] = true
		if _, ok := devices[name]; ok {
			errs = append(errs, field.Invalid(at.Child("name"), name, "must not already exist in volumeDevices"))
		}
		if hasValue(devices, path) {
			errs = append(errs, field.Invalid(at.Child("mountPath"), path, "must not already exist as a path in volumeDevices"))
		}
		errs = append(errs, subPaths(mount, p, at)...)
		errs = append(errs, mountPropagation(mount, c, p.Child("mountPropagation"))...)
		errs = append(errs, recursiveReadOnly(mount, p.Child("recursiveReadOnly"))...)
	}
	return errs
}

// volumeDevices checks the block devices of a container.
//
// Source: ValidateVolumeDevices of pkg/apis/core/validation.
func volumeDevices(c any, pod *podContext, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	mounts := pathsByName(tree.List(c, "volumeMounts"), "mountPath")
	var names, paths []string
	for i, device := range tree.List(c, "volumeDevices") {
		at := p.Index(i)
		name, path := tree.String(device, "name"), tree.String(device, "devicePath")
		errs = append(errs, required(device, at, "name")...)
		if slices.Contains(names, name) {
			errs = append(errs, field.Invalid(at.Child("name"), name, "must be unique"))
		}
		volume, found := pod.volumes[name]
		if found && !tree.Has(volume, "persistentVolumeClaim") && !tree.Has(volume, "ephemeral") {
			errs = append(errs, field.Invalid(at.Child("name"), name,
				"can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode"))
		}
		if !found {
			errs = append(errs, field.NotFound(at.Child("name"), name))
		}
		errs = append(errs, required(device, at, "devicePath")...)
		if slices.Contains(paths, path) {
			errs = append(errs, field.Invalid(at.Child("devicePath"), path, "must be unique"))
		}
		if path != "" && len(pathWithoutBacksteps(path, p)) > 0 {
			errs = append(errs, field.Invalid(at.Child("devicePath"), path, "can not contain backsteps ('..')"))
		} else {
			paths = append(paths, path)
		}
		if _, ok := mounts[name]; ok {
			errs = append(errs, field.Invalid(at.Child("name"), name, "must not already exist in volumeMounts"))
		}
		if hasValue(mounts, path) {
			errs = append(errs, field.Invalid(at.Child("devicePath"), path, "must not already exist as a path in volumeMounts"))
		}
		if name != "" {
			names = append(names, name)
		}
	}
	return errs
}

func subPaths(mount any, list, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	path, expr := tree.String(mount, "subPath"), tree.String(mount, "subPathExpr")
	if path != "" {
		errs = append(errs, localPath(path, list.Child("subPath"))...)
	}
	if expr != "" {
		if path != "" {
			errs = append(errs, field.Invalid(p.Child("subPathExpr"), expr, "subPathExpr and subPath are mutually exclusive"))
		}
		errs = append(errs, localPath(expr, list.Child("subPathExpr"))...)
	}
	return errs
}

func mountPropagation(mount, c any, p *field.Path) field.ErrorList {
	if !tree.Has(mount, "mountPropagation") {
		return nil
	}
	mode := tree.String(mount, "mountPropagation")
	errs := oneOf(mode, p, "Bidirectional", "HostToContainer", "None")
	if mode == "Bidirectional" && !tree.Bool(c, "securityContext", "privileged") {
		errs = append(errs, field.Forbidden(p, "Bidirectional mount propagation is available only to privileged containers"))
	}
	return errs
}

func recursiveReadOnly(mount any, p *field.Path) field.ErrorList {
	if !tree.Has(mount, "recursiveReadOnly") {
		return nil
	}
	var errs field.ErrorList
	switch mode := tree.String(mount, "recursiveReadOnly"); mode {
	case "Disabled":
	case "Enabled", "IfPossible":
		if !tree.Bool(mount, "readOnly") {
			errs = append(errs, notAllowed(p, "may only be specified when readOnly is true"))
		}
		if tree.Has(mount, "mountPropagation") && tree.String(mount, "mountPropagation") != "None" {
			errs = append(errs, notAllowed(p, "may only be specified when mountPropagation is None or not specified"))
		}
	default:
		return oneOf(mode, p, "Disabled", "Enabled", "IfPossible")
	}
	return errs
}

func pathsByName(list []any, key string) map[string]string {
	paths := map[string]string{}
	for _, x := range list {
		paths[tree.String(x, "name")] = tree.String(x, key)
	}
	return paths
}

func hasValue(m map[string]string, value string) bool {
	return slices.Contains(slices.Collect(maps.Values(m)), value)
}
