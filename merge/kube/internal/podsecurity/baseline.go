package podsecurity

import (
	"slices"
	"strconv"
	"strings"

	"threeway/merge/tree"
)

func appArmorProfile(p pod) (reason, detail string) {
	setters, forbidden := p.profiles("appArmorProfile")
	list := forbidden.list()
	var annotations []string
	for _, key := range tree.Keys(p.annotations) {
		value := tree.String(p.annotations, key)
		if strings.HasPrefix(key, "container.apparmor.security.beta.kubernetes.io/") &&
			value != "" && value != "runtime/default" && !strings.HasPrefix(value, "localhost/") {
			annotations = append(annotations, text("%s=%q", key, value))
		}
	}
	if len(annotations) > 0 {
		slices.Sort(annotations)
		list = append(list, annotations...)
		setters = append(setters, plural("annotation", len(annotations)))
	}
	if len(setters) == 0 {
		return "", ""
	}
	return plural("forbidden AppArmor profile", len(list)), text("%s must not set AppArmor profile type to %s", and(setters), quote(list))
}

func addedCapabilities(p pod) (reason, detail string) {
	names, forbidden := p.adding(func(capability string) bool { return capabilities.in(0, capability) })
	if len(names) == 0 {
		return "", ""
	}
	return "non-default capabilities", mustNotAdd(names, forbidden)
}

// adding are the containers that add capabilities that they may not, and those.
func (p pod) adding(may func(capability string) bool) ([]string, values) {
	forbidden := values{}
	return p.where(func(c any) bool {
		bad := false
		for _, added := range tree.List(c, "securityContext", "capabilities", "add") {
			if name := tree.String(added); !may(name) {
				forbidden[name], bad = true, true
			}
		}
		return bad
	}), forbidden
}

func mustNotAdd(names []string, forbidden values) string {
	return text("%s must not include %s in securityContext.capabilities.add", containers(names), quote(forbidden.list()))
}

func hostNamespaces(p pod) (reason, detail string) {
	var shared []string
	for _, field := range []string{"hostNetwork", "hostPID", "hostIPC"} {
		if tree.Bool(p.spec, field) {
			shared = append(shared, field+"=true")
		}
	}
	if len(shared) == 0 {
		return "", ""
	}
	return "host namespaces", strings.Join(shared, ", ")
}

func hostPathVolumes(p pod) (reason, detail string) {
	var names []string
	for _, v := range tree.List(p.spec, "volumes") {
		if tree.Has(v, "hostPath") {
			names = append(names, tree.String(v, "name"))
		}
	}
	if len(names) == 0 {
		return "", ""
	}
	return "hostPath volumes", plural("volume", len(names)) + " " + quote(names)
}

func hostPorts(p pod) (reason, detail string) {
	ports := values{}
	names := p.where(func(c any) bool {
		bad := false
		for _, port := range tree.List(c, "ports") {
			if n, _ := tree.Int(port, "hostPort"); n != 0 {
				ports[strconv.FormatInt(n, 10)], bad = true, true
			}
		}
		return bad
	})
	if len(names) == 0 {
		return "", ""
	}
	return "hostPort", text("%s %s %s %s", containers(names), use(len(names)), plural("hostPort", len(ports)), strings.Join(ports.list(), ", "))
}

// hostHandlers are the places in a container that may name a host, each with a
// request of its own.
var hostHandlers = [][]string{{"livenessProbe"}, {"readinessProbe"}, {"startupProbe"}, {"lifecycle", "postStart"}, {"lifecycle", "preStop"}}

func hostProbes(p pod) (reason, detail string) {
	names, hosts := values{}, values{}
	for _, c := range p.containers() {
		for _, path := range hostHandlers {
			for _, request := range []string{"httpGet", "tcpSocket"} {
				if host := tree.String(tree.Map(c, path...), request, "host"); host != "" {
					names[tree.String(c, "name")], hosts[host] = true, true
				}
			}
		}
	}
	if len(names) == 0 {
		return "", ""
	}
	return "probe or lifecycle host", text("%s %s %s %s", containers(names.list()), use(len(names)),
		plural("probe or lifecycle host", len(hosts)), quote(hosts.list()))
}

func privileged(p pod) (reason, detail string) {
	names := p.where(func(c any) bool { return tree.Bool(c, "securityContext", "privileged") })
	if len(names) == 0 {
		return "", ""
	}
	return "privileged", containers(names) + " must not set securityContext.privileged=true"
}

func procMount(p pod) (reason, detail string) {
	forbidden := values{}
	names := p.where(func(c any) bool {
		kind := tree.String(c, "securityContext", "procMount")
		if !tree.Has(c, "securityContext", "procMount") || kind == "Default" {
			return false
		}
		forbidden[kind] = true
		return true
	})
	if len(names) == 0 {
		return "", ""
	}
	return "procMount", text("%s must not set securityContext.procMount to %s", containers(names), quote(forbidden.list()))
}

func seLinuxOptions(version int) function {
	return func(p pod) (reason, detail string) {
		types, user, role := values{}, false, false
		setters := p.setters(func(context tree.Object) bool {
			options := tree.Map(context, "seLinuxOptions")
			kind := tree.String(options, "type")
			badType := !seLinuxTypes.in(version, kind)
			if badType {
				types[kind] = true
			}
			badUser, badRole := tree.String(options, "user") != "", tree.String(options, "role") != ""
			user, role = user || badUser, role || badRole
			return badType || badUser || badRole
		})
		if len(setters) == 0 {
			return "", ""
		}
		var bad []string
		if len(types) > 0 {
			bad = append(bad, plural("type", len(types))+" "+quote(types.list()))
		}
		if user {
			bad = append(bad, "user may not be set")
		}
		if role {
			bad = append(bad, "role may not be set")
		}
		return "seLinuxOptions", text("%s set forbidden securityContext.seLinuxOptions: %s", and(setters), strings.Join(bad, "; "))
	}
}

// seccompAnnotations looks at the annotations that were there before the field.
func seccompAnnotations(p pod) (reason, detail string) {
	forbidden := values{}
	look := func(key string) {
		value, ok := p.annotations[key]
		profile := tree.String(value)
		if ok && profile != "runtime/default" && profile != "docker/default" && !strings.HasPrefix(profile, "localhost/") {
			forbidden[text("%s=%q", key, profile)] = true
		}
	}
	look("seccomp.security.alpha.kubernetes.io/pod")
	for _, c := range p.containers() {
		look("container.seccomp.security.alpha.kubernetes.io/" + tree.String(c, "name"))
	}
	if len(forbidden) == 0 {
		return "", ""
	}
	return "seccompProfile", text("forbidden %s %s", plural("annotation", len(forbidden)), strings.Join(forbidden.list(), ", "))
}

func seccompProfile(p pod) (reason, detail string) {
	setters, forbidden := p.profiles("seccompProfile")
	if len(setters) == 0 {
		return "", ""
	}
	return "seccompProfile", text("%s must not set securityContext.seccompProfile.type to %s", and(setters), quote(forbidden.list()))
}

func sysctls(version int) function {
	return func(p pod) (reason, detail string) {
		var names []string
		for _, s := range tree.List(p.spec, "securityContext", "sysctls") {
			if name := tree.String(s, "name"); !safeSysctls.in(version, name) {
				names = append(names, name)
			}
		}
		if len(names) == 0 {
			return "", ""
		}
		return "forbidden sysctls", strings.Join(names, ", ")
	}
}

func windowsHostProcess(p pod) (reason, detail string) {
	setters := p.setters(func(context tree.Object) bool { return tree.Bool(context, "windowsOptions", "hostProcess") })
	if len(setters) == 0 {
		return "", ""
	}
	return "hostProcess", and(setters) + " must not set securityContext.windowsOptions.hostProcess=true"
}
