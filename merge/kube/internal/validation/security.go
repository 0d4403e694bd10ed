package validation

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// securityContext checks the security context of a container. Privileged
// containers are allowed: every cluster that runs its network in pods has
// --allow-privileged.
//
// Source: ValidateSecurityContext of pkg/apis/core/validation.
func securityContext(sc tree.Object, hostUsers, allowSysAdmin bool, p *field.Path) field.ErrorList {
	if sc == nil {
		return nil
	}
	errs := unixID(sc, "runAsUser", p)
	errs = append(errs, unixID(sc, "runAsGroup", p)...)
	errs = append(errs, oneOfAt(sc, "procMount", p, "Default", "Unmasked")...)
	if hostUsers && tree.String(sc, "procMount") == "Unmasked" {
		errs = append(errs, field.Invalid(p.Child("procMount"), named("Unmasked"), "`hostUsers` must be false to use `Unmasked`"))
	}
	errs = append(errs, seccompProfile(sc, p)...)
	if tree.Has(sc, "allowPrivilegeEscalation") && !tree.Bool(sc, "allowPrivilegeEscalation") {
		shown := schema.Internal("core/v1.SecurityContext", sc)
		if tree.Bool(sc, "privileged") {
			errs = append(errs, field.Invalid(p, shown, "cannot set `allowPrivilegeEscalation` to false and `privileged` to true"))
		}
		for _, capability := range tree.List(sc, "capabilities", "add") {
			if capability == sysAdmin && !allowSysAdmin {
				errs = append(errs, field.Invalid(p, shown, "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN"))
			}
		}
	}
	errs = append(errs, windowsOptions(sc, p)...)
	return append(errs, appArmorProfile(sc, p)...)
}

const sysAdmin = "CAP_SYS_ADMIN"

// hasSysAdmin reports whether a container has the capability and does not say that it may
// escalate, which an update may then forbid (hasSysAdminAndPrivilegeEscalationFalse of pkg/api/pod).
func hasSysAdmin(c any) bool {
	return !tree.Bool(c, "securityContext", "allowPrivilegeEscalation") && slices.Contains(tree.List(c, "securityContext", "capabilities", "add"), any(sysAdmin))
}

// podSecurityContext checks what is about security in a pod spec; p is the
// path of the security context, which upstream also uses for
// shareProcessNamespace.
//
// Source: validatePodSpecSecurityContext of pkg/apis/core/validation.
func podSecurityContext(spec tree.Object, p *field.Path, opts podOptions) field.ErrorList {
	sc := tree.Map(spec, "securityContext")
	errs := unixID(sc, "fsGroup", p)
	errs = append(errs, unixID(sc, "runAsUser", p)...)
	errs = append(errs, unixID(sc, "runAsGroup", p)...)
	for i, gid := range tree.List(sc, "supplementalGroups") {
		n, _ := gid.(int64)
		errs = append(errs, invalidEach(p.Child("supplementalGroups").Index(i), n, isUnixID(n))...)
	}
	if tree.Bool(spec, "shareProcessNamespace") && tree.Bool(spec, "hostPID") {
		errs = append(errs, field.Invalid(p.Child("shareProcessNamespace"), true, "ShareProcessNamespace and HostPID cannot both be enabled"))
	}
	errs = append(errs, sysctls(spec, p.Child("sysctls"), opts)...)
	errs = append(errs, oneOfAt(sc, "fsGroupChangePolicy", p, "Always", "OnRootMismatch")...)
	errs = append(errs, seccompProfile(sc, p)...)
	errs = append(errs, windowsOptions(sc, p)...)
	errs = append(errs, appArmorProfile(sc, p)...)
	errs = append(errs, oneOfAt(sc, "supplementalGroupsPolicy", p, "Merge", "Strict")...)
	if opts.allowSELinuxMountOption {
		return append(errs, oneOfAt(sc, "seLinuxChangePolicy", p, "MountOption", "Recursive")...)
	}
	return append(errs, oneOfAt(sc, "seLinuxChangePolicy", p, "Recursive")...)
}

// unixID checks the user or group at key, if there is one.
func unixID(sc tree.Object, key string, p *field.Path) field.ErrorList {
	n, ok := tree.Int(sc, key)
	if !ok {
		return nil
	}
	return invalidEach(p.Child(key), n, isUnixID(n))
}

// isUnixID returns why n is not a user or group id of Linux.
func isUnixID(n int64) []string { return isInRange(n, 0, 1<<31-1) }

// seccompProfile checks the profile of a security context, if it has one.
//
// Source: validateSeccompProfileField of pkg/apis/core/validation.
func seccompProfile(sc tree.Object, p *field.Path) field.ErrorList {
	if !tree.Has(sc, "seccompProfile") {
		return nil
	}
	p = p.Child("seccompProfile")
	profile := tree.Map(sc, "seccompProfile")
	var errs field.ErrorList
	kind := tree.String(profile, "type")
	if kind == "" {
		errs = append(errs, field.Required(p.Child("type"), "type is required when seccompProfile is set"))
	} else {
		errs = append(errs, oneOf(kind, p.Child("type"), "Localhost", "RuntimeDefault", "Unconfined")...)
	}
	at, has := p.Child("localhostProfile"), tree.Has(profile, "localhostProfile")
	switch {
	case kind != "Localhost" && has:
		errs = append(errs, field.Invalid(at, schema.Internal("core/v1.SeccompProfile", profile), "can only be set when seccomp type is Localhost"))
	case kind == "Localhost" && !has:
		errs = append(errs, field.Required(at, "must be set when seccomp type is Localhost"))
	case kind == "Localhost":
		errs = append(errs, localPath(tree.String(profile, "localhostProfile"), at)...)
	}
	return errs
}

// appArmorProfile checks the profile of a security context, if it has one.
//
// Source: ValidateAppArmorProfileField of pkg/apis/core/validation.
func appArmorProfile(sc tree.Object, p *field.Path) field.ErrorList {
	if !tree.Has(sc, "appArmorProfile") {
		return nil
	}
	p = p.Child("appArmorProfile")
	profile := tree.Map(sc, "appArmorProfile")
	at, name := p.Child("localhostProfile"), tree.String(profile, "localhostProfile")
	switch kind := tree.String(profile, "type"); kind {
	case "Localhost":
		return localhostAppArmorProfile(name, at)
	case "RuntimeDefault", "Unconfined":
		if tree.Has(profile, "localhostProfile") {
			return field.ErrorList{field.Invalid(at, named(name), "can only be set when AppArmor type is Localhost")}
		}
		return nil
	case "":
		return field.ErrorList{field.Required(p.Child("type"), "type is required when appArmorProfile is set")}
	default:
		return oneOf(kind, p.Child("type"), "Localhost", "RuntimeDefault", "Unconfined")
	}
}

func localhostAppArmorProfile(name string, p *field.Path) field.ErrorList {
	const pathMax = 4095
	var errs field.ErrorList
	if name == "" {
		errs = append(errs, field.Required(p, "must be set when AppArmor type is Localhost"))
	} else if strings.TrimSpace(name) != name {
		errs = append(errs, field.Invalid(p, name, "must not be padded with whitespace"))
	}
	if len(name) > pathMax {
		errs = append(errs, field.TooLong(p, "", pathMax))
	}
	return errs
}
