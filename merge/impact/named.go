package impact

import (
	"iter"
	"slices"
	"strings"

	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// byName reports whether a workload is told of a ConfigMap in its arguments or variables, or a Role names it.
func (c *cluster) byName(id manifest.Identity) bool {
	told := func(text string) bool {
		at := len(text) - len(id.Name)
		return at >= 0 && text[at:] == id.Name && (at == 0 || strings.ContainsAny(text[at-1:at], "/=")) && !strings.Contains(id.Name, "=")
	}
	config := func(text string) bool {
		return strings.Contains(strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(text)), "configmap")
	}
	for _, role := range slices.Concat(c.ofKind("Role.rbac.authorization.k8s.io"), c.ofKind("ClusterRole.rbac.authorization.k8s.io")) {
		for _, rule := range tree.List(role, "rules") {
			if ns := tree.String(role, "metadata", "namespace"); (ns == "" || ns == id.Namespace) && slices.Contains(tree.List(rule, "resourceNames"), any(id.Name)) && slices.Contains(tree.List(rule, "resources"), any("configmaps")) {
				return true
			}
		}
	}
	for container := range c.containers() {
		for _, word := range slices.Concat(tree.List(container, "command"), tree.List(container, "args")) {
			if text, _ := word.(string); config(text) && told(text) {
				return true
			}
		}
		for _, env := range tree.List(container, "env") {
			if config(tree.String(env, "name")) && told(tree.String(env, "value")) {
				return true
			}
		}
	}
	return false
}

// containers yields those of all workloads.
func (c *cluster) containers() iter.Seq[any] {
	return func(yield func(any) bool) {
		for kind := range workloads {
			for _, obj := range c.ofKind(kind) {
				spec := tree.Map(template(obj), "spec")
				for _, container := range slices.Concat(tree.List(spec, "containers"), tree.List(spec, "initContainers")) {
					if !yield(container) {
						return
					}
				}
			}
		}
	}
}

// collected reports whether a container writes the ConfigMaps with one of some labels into files, as the
// sidecars of Grafana do (github.com/kiwigrid/k8s-sidecar, variables LABEL and FOLDER).
func (c *cluster) collected(labels tree.Object) bool {
	for container := range c.containers() {
		env := tree.Object{}
		for _, e := range tree.List(container, "env") {
			env[tree.String(e, "name")] = e
		}
		label, value := tree.String(env["LABEL"], "value"), tree.String(env["LABEL_VALUE"], "value")
		if is, has := labels[label]; has && env["FOLDER"] != nil && (value == "" || value == is) {
			return true
		}
	}
	return false
}
