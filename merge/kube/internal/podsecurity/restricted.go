package podsecurity

import (
	"slices"
	"strings"

	"threeway/merge/tree"
)

func allowPrivilegeEscalation(p pod) (reason, detail string) {
	names := p.where(func(c any) bool {
		return !tree.Has(c, "securityContext", "allowPrivilegeEscalation") || tree.Bool(c, "securityContext", "allowPrivilegeEscalation")
	})
	if len(names) == 0 {
		return "", ""
	}
	return "allowPrivilegeEscalation != false", containers(names) + " must set securityContext.allowPrivilegeEscalation=false"
}

func keptCapabilities(p pod) (reason, detail string) {
	var faults []string
	keeping := p.where(func(c any) bool {
		return !slices.Contains(tree.List(c, "securityContext", "capabilities", "drop"), any("ALL"))
	})
	if len(keeping) > 0 {
		faults = append(faults, containers(keeping)+` must set securityContext.capabilities.drop=["ALL"]`)
	}
	if names, forbidden := p.adding(func(capability string) bool { return capability == "NET_BIND_SERVICE" }); len(names) > 0 {
		faults = append(faults, mustNotAdd(names, forbidden))
	}
	if len(faults) == 0 {
		return "", ""
	}
	return "unrestricted capabilities", strings.Join(faults, "; ")
}

func volumeTypes(p pod) (reason, detail string) {
	var names []string
	types := values{}
	for _, v := range tree.List(p.spec, "volumes") {
		if slices.ContainsFunc(tree.Keys(tree.Map(v)), func(kind string) bool { return freeVolumes.in(p.minor, kind) && tree.Has(v, kind) }) {
			continue
		}
		names = append(names, tree.String(v, "name"))
		kind := "unknown"
		if i := slices.IndexFunc(namedVolumes, func(kind string) bool { return tree.Has(v, kind) }); i >= 0 {
			kind = namedVolumes[i]
		}
		types[kind] = true
	}
	if len(names) == 0 {
		return "", ""
	}
	return "restricted volume types", text("%s %s %s %s %s", plural("volume", len(names)), quote(names), use(len(names)),
		plural("restricted volume type", len(types)), quote(types.list()))
}

func runAsNonRoot(p pod) (reason, detail string) {
	const why = "runAsNonRoot != true"
	setters := p.setters(func(context tree.Object) bool {
		return tree.Has(context, "runAsNonRoot") && !tree.Bool(context, "runAsNonRoot")
	})
	if len(setters) > 0 {
		return why, and(setters) + " must not set securityContext.runAsNonRoot=false"
	}
	names := p.where(func(c any) bool { return !tree.Has(c, "securityContext", "runAsNonRoot") })
	if len(names) == 0 || tree.Bool(p.spec, "securityContext", "runAsNonRoot") {
		return "", ""
	}
	return why, "pod or " + containers(names) + " must set securityContext.runAsNonRoot=true"
}

func runAsUser(p pod) (reason, detail string) {
	setters := p.setters(func(context tree.Object) bool {
		user, set := tree.Int(context, "runAsUser")
		return set && user == 0
	})
	if len(setters) == 0 {
		return "", ""
	}
	return "runAsUser=0", and(setters) + " must not set runAsUser=0"
}

// requiredSeccomp wants a profile everywhere; a bad one has been complained
// about as in the baseline.
func requiredSeccomp(p pod) (reason, detail string) {
	if reason, detail := seccompProfile(p); reason != "" {
		return reason, detail
	}
	names := p.where(func(c any) bool { return tree.Map(c, "securityContext", "seccompProfile") == nil })
	if len(names) == 0 || tree.Map(p.spec, "securityContext", "seccompProfile") != nil {
		return "", ""
	}
	return "seccompProfile", text(`pod or %s must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`, containers(names))
}
