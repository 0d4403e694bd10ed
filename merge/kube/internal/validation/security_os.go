package validation

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// operatingSystem checks that a pod that names its system has no fields that
// mean nothing there.
//
// Source: validateOS, validateLinux and validateWindows of
// pkg/apis/core/validation.
func operatingSystem(spec tree.Object, p *field.Path, opts podOptions) field.ErrorList {
	if !tree.Has(spec, "os") {
		return nil
	}
	switch name := tree.String(spec, "os", "name"); name {
	case "":
		return field.ErrorList{field.Required(p.Child("os", "name"), "")}
	case "linux":
		return linuxOnly(spec, p)
	case "windows":
		return windowsOnly(spec, p, opts)
	default:
		return oneOf(name, p.Child("os"), "linux", "windows")
	}
}

func linuxOnly(spec tree.Object, p *field.Path) field.ErrorList {
	const no = "windows options cannot be set for a linux pod"
	errs := forbidden(tree.Map(spec, "securityContext"), p.Child("securityContext"), no, "windowsOptions")
	eachContainer(spec, p, func(c any, p *field.Path) {
		errs = append(errs, forbidden(tree.Map(c, "securityContext"), p.Child("securityContext"), no, "windowsOptions")...)
	})
	return errs
}

func windowsOnly(spec tree.Object, p *field.Path, opts podOptions) field.ErrorList {
	const no = "cannot be set for a windows pod"
	sc, at := tree.Map(spec, "securityContext"), p.Child("securityContext")
	profiles := forbidden(sc, at, no, "appArmorProfile", "seLinuxOptions")
	ofHost := forbidden(spec, p, no, "hostUsers")
	for _, key := range []string{"hostPID", "hostIPC"} {
		if tree.Bool(spec, key) {
			ofHost = append(ofHost, notAllowed(p.Child(key), no))
		}
	}
	files := forbidden(sc, at, no, "seccompProfile", "fsGroup", "fsGroupChangePolicy")
	if len(tree.List(sc, "sysctls")) > 0 {
		files = append(files, notAllowed(at.Child("sysctls"), no))
	}
	shared := forbidden(spec, p, no, "shareProcessNamespace")
	users := forbidden(sc, at, no, "runAsUser", "runAsGroup", "supplementalGroups", "supplementalGroupsPolicy", "seLinuxChangePolicy")
	errs := slices.Concat(profiles, ofHost, files, shared, users)
	if minors.HostFieldsInSpec.In(opts.minor) {
		errs = slices.Concat(profiles, files, users, ofHost, shared)
	}
	eachContainer(spec, p, func(c any, p *field.Path) {
		errs = append(errs, forbidden(tree.Map(c, "securityContext"), p.Child("securityContext"), no,
			"appArmorProfile", "seLinuxOptions", "seccompProfile", "capabilities", "readOnlyRootFilesystem", "privileged",
			"allowPrivilegeEscalation", "procMount", "runAsUser", "runAsGroup")...)
	})
	return errs
}

// forbidden reports the keys of o that are set.
func forbidden(o tree.Object, p *field.Path, detail string, keys ...string) field.ErrorList {
	var errs field.ErrorList
	for _, key := range keys {
		if tree.Has(o, key) {
			errs = append(errs, notAllowed(p.Child(key), detail))
		}
	}
	return errs
}

// userNamespaces checks what a pod with users of its own may not share with
// its host. Upstream spells the paths of hostPID and hostIPC with a capital.
//
// Source: validateHostUsers of pkg/apis/core/validation.
func userNamespaces(spec tree.Object, p *field.Path, opts podOptions) field.ErrorList {
	const no = "when `hostUsers` is false"
	if !hasOwnUserNamespace(spec) {
		return nil
	}
	var errs field.ErrorList
	if tree.Bool(spec, "hostNetwork") && !opts.allowUserNamespaceOnHostNetwork {
		errs = append(errs, notAllowed(p.Child("hostNetwork"), no))
	}
	if tree.Bool(spec, "hostPID") {
		errs = append(errs, field.Forbidden(p.Child("HostPID"), no))
	}
	if tree.Bool(spec, "hostIPC") {
		errs = append(errs, field.Forbidden(p.Child("HostIPC"), no))
	}
	if opts.allowUserNamespaceWithDevices {
		return errs
	}
	eachContainer(spec, p, func(c any, p *field.Path) {
		if len(tree.List(c, "volumeDevices")) > 0 {
			errs = append(errs, notAllowed(p.Child("volumeDevices"), no))
		}
	})
	return errs
}
