package impact

import (
	"path"
	"slices"
	"strings"

	"threeway/merge/impact/setting"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// unmounted tells of the programs that read ConfigMaps which their pods do not mount.
type unmounted struct {
	// told are the names that arguments or variables have, allowed those that a Role names, of a ClusterRole
	// without a namespace.
	told    map[string]bool
	allowed map[manifest.Identity]bool
	// collected are labels with their values, "" if any: a container writes what has one into files, as the
	// sidecars of Grafana do (github.com/kiwigrid/k8s-sidecar, variables LABEL and FOLDER).
	collected map[[2]string]bool
	// run are the names of the files that commands run.
	run map[string]bool
}

func (c *cluster) findUnmounted() *unmounted {
	r := &unmounted{told: map[string]bool{}, allowed: map[manifest.Identity]bool{}, collected: map[[2]string]bool{}, run: map[string]bool{}}
	for _, role := range slices.Concat(c.ofKind("Role.rbac.authorization.k8s.io"), c.ofKind("ClusterRole.rbac.authorization.k8s.io")) {
		for _, rule := range tree.List(role, "rules") {
			if !slices.Contains(tree.List(rule, "resources"), any("configmaps")) {
				continue
			}
			for _, name := range tree.List(rule, "resourceNames") {
				text, _ := name.(string)
				r.allowed[manifest.Identity{Kind: "ConfigMap", Namespace: tree.String(role, "metadata", "namespace"), Name: text}] = true
			}
		}
	}
	const in = "spec.template.spec."
	has := func(k schema.Kind) bool { return workloads[k.GroupKind()] != nil && setting.PodSpecOf(k)+"." == in }
	for _, obj := range c.fieldsOf(has, in+"containers.command", in+"containers.args", in+"containers.env", in+"initContainers.command", in+"initContainers.args", in+"initContainers.env") {
		spec := tree.Map(template(obj), "spec")
		for _, container := range slices.Concat(tree.List(spec, "containers"), tree.List(spec, "initContainers")) {
			r.look(container)
		}
	}
	return r
}

// interpreter is the name of a program that runs a file.
var interpreter = compiled(`(sh|python[0-9.]*|node|perl|ruby|php|lua)$`)

// look adds what the arguments and variables of a container tell.
func (r *unmounted) look(container any) {
	config := func(text string) bool {
		return strings.Contains(strings.ReplaceAll(strings.ReplaceAll(strings.ToLower(text), "-", ""), "_", ""), "configmap")
	}
	tell := func(text string) { r.told[text[strings.LastIndexAny(text, "/=")+1:]] = true }
	for _, word := range slices.Concat(tree.List(container, "command"), tree.List(container, "args")) {
		if text, _ := word.(string); config(text) {
			tell(text)
		}
	}
	for n, word := range tree.List(container, "command") {
		text, _ := word.(string)
		for _, word := range strings.Fields(text) {
			r.run[path.Base(word)] = true
		}
		if n == 0 && !interpreter().MatchString(text) {
			break
		}
	}
	env := tree.Object{}
	for _, e := range tree.List(container, "env") {
		name := tree.String(e, "name")
		if env[name] = e; config(name) {
			tell(tree.String(e, "value"))
		}
	}
	if label := tree.String(env["LABEL"], "value"); label != "" && env["FOLDER"] != nil {
		r.collected[[2]string{label, tree.String(env["LABEL_VALUE"], "value")}] = true
	}
}

// byName reports whether a program is told to read a ConfigMap, or a Role names it.
func (c *cluster) byName(id manifest.Identity) bool {
	r, everywhere := c.unmounted(), id
	everywhere.Namespace = ""
	return r.told[id.Name] || r.allowed[id] || r.allowed[everywhere]
}

// collected reports whether a container writes the ConfigMaps with one of some labels into files.
func (c *cluster) collected(labels tree.Object) bool {
	for key, value := range labels {
		text, _ := value.(string)
		if r := c.unmounted(); r.collected[[2]string{key, ""}] || r.collected[[2]string{key, text}] {
			return true
		}
	}
	return false
}
