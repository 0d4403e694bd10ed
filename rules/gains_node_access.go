package rules

import (
	"fmt"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

var gainsNodeAccess = &lint.Rule{
	ID:    "gains-node-access",
	Title: "pods gain rights on their node or lose their confinement",
	Text: "Apply gives the pods of a workload the network, processes or memory of the node, a privileged container, more Linux " +
		"capabilities, or a directory of the node; or it turns off a confinement: runAsNonRoot, allowPrivilegeEscalation: false, " +
		"readOnlyRootFilesystem, the seccomp or AppArmor profile. Not reported: access that the live object has already, and anything beside a privileged container. A new workload is info.",
	Why: "An attacker in such a container controls the node with all its pods and their Secrets, or is one step closer.",
	Fix: "Remove the field, unless the workload is part of the node's own software.",
	Links: []string{"https://kubernetes.io/docs/concepts/security/pod-security-standards/",
		"https://kubernetes.io/docs/tasks/configure-pod-container/security-context/"},
	Severity: lint.Warning,
	Effect:   impact.Widens,
	Run: func(p *lint.Pass) {
		for o, created := range clusterOf(p).changed() {
			list := slices.DeleteFunc(gained(o), func(g gain) bool { return departed(p, o, g.path) })
			if len(list) == 0 {
				continue
			}
			r := lint.Report{
				Path:    list[0].path,
				Message: gainText("the pods gain access to the node: ", list),
				Fix:     "restore what the live object has, unless the pods need more",
			}
			for _, g := range list[1:] {
				r.Also = append(r.Also, g.path)
			}
			if created {
				r.Severity, r.Message = lint.Info, gainText("the new pods have access to the node: ", list)
				r.Fix = "remove " + list[0].path.String() + " if the pods do not need it"
			} else {
				r.LivePath = r.Path
			}
			p.Report(o, r)
		}
	},
}

// gain is one right on the node, or the loss of a confinement as a clause.
type gain struct {
	what string // the same for every container that has it
	path fieldpath.Path
	free bool // a clause
}

func gainText(begin string, list []gain) string {
	var rights, clauses []string
	for _, g := range list {
		if g.free {
			clauses = append(clauses, g.what)
		} else {
			rights = append(rights, g.what)
		}
	}
	if rights != nil {
		clauses = append([]string{begin + strings.Join(rights, ", ")}, clauses...)
	}
	return strings.Join(clauses, "; ")
}

// gained are the rights that the pods of an object have after the apply and did
// not have before.
func gained(o *lint.Object) (list []gain) {
	had := map[string]bool{}
	for _, g := range rightsOnNode(o, o.Before) {
		had[g.what] = true
	}
	_, before := podSpec(o.Kind, o.Before)
	if namespaced, _ := tree.Get(before, "hostUsers"); had[privileged] && namespaced != false {
		return unconfined(o) // root of the node can have the rest
	}
	for _, g := range rightsOnNode(o, o.Result) {
		if !had[g.what] {
			had[g.what] = true // once, whatever containers have it
			list = append(list, g)
		}
	}
	return append(list, unconfined(o)...)
}

const privileged = "its devices and its kernel (privileged)"

// rightsOnNode are those of the pods of an object (the checks of the Pod Security
// Standard "baseline": k8s.io/pod-security-admission/policy).
func rightsOnNode(o *lint.Object, obj tree.Object) (list []gain) {
	at, spec := podSpec(o.Kind, obj)
	add := func(path fieldpath.Path, what string) {
		list = append(list, gain{what: what, path: o.Keyed(path, obj)})
	}
	for _, f := range []struct{ field, what string }{
		{"hostNetwork", "its network"},
		{"hostPID", "its processes"},
		{"hostIPC", "its shared memory"},
	} {
		if tree.Bool(spec, f.field) {
			add(at.Child(f.field), f.what+" ("+f.field+")")
		}
	}
	for i, v := range tree.List(spec, "volumes") {
		if path := tree.String(v, "hostPath", "path"); path != "" {
			add(at.Child("volumes").Item(i).Child("hostPath"), path+" (hostPath)")
		}
	}
	for _, c := range containers(at, spec) {
		context := c.path.Child("securityContext")
		if tree.Bool(c.tree, "securityContext", "privileged") {
			add(context.Child("privileged"), privileged)
			continue
		}
		for _, capability := range tree.List(c.tree, "securityContext", "capabilities", "add") {
			if name := capabilityName(capability); !slices.Contains(usualCapabilities, name) {
				add(context.Child("capabilities", "add"), "capability "+name)
			}
		}
		if tree.String(c.tree, "securityContext", "procMount") == "Unmasked" {
			add(context.Child("procMount"), "all of /proc (procMount)")
		}
	}
	return list
}

// usualCapabilities are those that a container has unless it drops them
// (containerd pkg/oci/spec.go defaultUnixCaps), so that to add one says nothing.
var usualCapabilities = []string{"CHOWN", "DAC_OVERRIDE", "FSETID", "FOWNER", "MKNOD", "NET_RAW", "SETGID", "SETUID", "SETFCAP", "SETPCAP",
	"NET_BIND_SERVICE", "SYS_CHROOT", "KILL", "AUDIT_WRITE"}

func capabilityName(v any) string { return strings.TrimPrefix(fmt.Sprint(v), "CAP_") }

// regained are the usual capabilities that a container dropped and has again.
func regained(was, now tree.Object) (names []string) {
	has := func(c tree.Object, name string) bool {
		in := func(field string) bool {
			return slices.ContainsFunc(tree.List(c, "securityContext", "capabilities", field), func(v any) bool {
				return capabilityName(v) == name || capabilityName(v) == "ALL"
			})
		}
		return in("add") || !in("drop")
	}
	for _, name := range usualCapabilities {
		if has(now, name) && !has(was, name) {
			names = append(names, name)
		}
	}
	return names
}

// confinements are the fields that keep a process of a container in, with the
// values that do and those that do not.
var confinements = []struct {
	field     []string
	on, off   any
	what      string
	podSpecIs bool // the field is also one of the pod, for containers that have none
}{
	{[]string{"runAsNonRoot"}, true, false, "may run as root (runAsNonRoot)", true},
	{[]string{"allowPrivilegeEscalation"}, false, true, "may gain more privileges than its parent process (allowPrivilegeEscalation)", false},
	{[]string{"readOnlyRootFilesystem"}, true, false, "may write to its own files (readOnlyRootFilesystem)", false},
	{[]string{"seccompProfile", "type"}, nil, "Unconfined", "may make every system call (seccompProfile)", true},
	{[]string{"appArmorProfile", "type"}, nil, "Unconfined", "has no AppArmor profile (appArmorProfile)", true},
}

// unconfined are the confinements that the apply switches off in a container that
// is live. One that leaves the manifest is told as such.
func unconfined(o *lint.Object) (list []gain) {
	at, before := podSpec(o.Kind, o.Before)
	_, after := podSpec(o.Kind, o.Result)
	had := map[string]tree.Object{}
	for _, c := range containers(at, before) {
		had[c.name] = c.tree
	}
	check := func(path fieldpath.Path, was, now tree.Object, who string, pod bool) {
		for _, f := range confinements {
			fields := append([]string{"securityContext"}, f.field...)
			x, _ := tree.Get(was, fields...)
			y, _ := tree.Get(now, fields...)
			if pod && !f.podSpecIs || y != f.off || x == f.off || f.on != nil && x != f.on {
				continue
			}
			list = append(list, gain{who + " " + f.what, o.Keyed(path.Child(fields...), o.Result), true})
		}
	}
	if before != nil {
		check(at, before, after, "each container without a value of its own", true)
	}
	for _, c := range containers(at, after) {
		if was := had[c.name]; was != nil {
			check(c.path, was, c.tree, "container "+c.name, false)
			if names := regained(was, c.tree); names != nil {
				list = append(list, gain{"container " + c.name + " keeps capabilities that it drops today: " + phrase.Some(names),
					o.Keyed(c.path.Child("securityContext", "capabilities", "drop"), o.Result), true})
			}
		}
	}
	return list
}
