package validation

import (
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// sysctls checks the kernel parameters of a pod.
//
// Source: validateSysctls of pkg/apis/core/validation.
func sysctls(spec tree.Object, p *field.Path, opts podOptions) field.ErrorList {
	const segment = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?"
	const format = "^(" + segment + "[\\./])*" + segment + "$"
	list := tree.List(spec, "securityContext", "sysctls")
	if len(list) == 0 {
		return nil
	}
	var errs field.ErrorList
	valid := regexp.MustCompile(format)
	seen := map[string]bool{}
	for i, s := range list {
		name, at := tree.String(s, "name"), p.Index(i).Child("name")
		switch {
		case name == "":
			errs = append(errs, field.Required(at, ""))
		case len(name) > 253 || !valid.MatchString(name):
			errs = append(errs, field.Invalid(at, name, "must have at most 253 characters and match regex "+format))
		case seen[name]:
			errs = append(errs, field.Duplicate(at, name))
		}
		if !opts.allowHostSysctls {
			errs = append(errs, hostSysctl(spec, name, at)...)
		}
		seen[name] = true
	}
	return errs
}

// hostSysctl forbids parameters of namespaces that the pod shares with its
// host.
//
// Source: ValidateHostSysctl of pkg/apis/core/validation.
func hostSysctl(spec tree.Object, name string, p *field.Path) field.ErrorList {
	switch namespace := sysctlNamespace(name); {
	case namespace == "net" && tree.Bool(spec, "hostNetwork"):
		return field.ErrorList{field.Invalid(p, name, "may not be specified when 'hostNetwork' is true")}
	case namespace == "ipc" && tree.Bool(spec, "hostIPC"):
		return field.ErrorList{field.Invalid(p, name, "may not be specified when 'hostIPC' is true")}
	}
	return nil
}

// sysctlNamespace is the kernel namespace of a parameter: "net", "ipc" or "".
//
// Source: k8s.io/component-helpers/node/util/sysctl.
func sysctlNamespace(name string) string {
	// Of "." and "/" the first separates; the other stands for itself.
	if i := strings.IndexAny(name, "./"); i >= 0 && name[i] == '/' {
		name = strings.NewReplacer("/", ".", ".", "/").Replace(name)
	}
	name, _, _ = strings.Cut(name, "*")
	switch name {
	case "kernel.sem", "kernel.shmall", "kernel.shmmax", "kernel.shmmni", "kernel.shm_rmid_forced", "kernel.shm",
		"kernel.msgmax", "kernel.msgmnb", "kernel.msgmni", "kernel.msg":
		return "ipc"
	}
	switch {
	case strings.HasPrefix(name, "net."):
		return "net"
	case strings.HasPrefix(name, "fs.mqueue."):
		return "ipc"
	}
	return ""
}
