package rules

import (
	"fmt"
	"slices"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/tree"
)

var servicePortWithoutTarget = &lint.Rule{
	ID:    "service-port-without-target",
	Title: "a port of a Service leads to no container port",
	Text: "After the apply the targetPort of a Service is a name that no container of the pods it selects has, or a number that one of them declared " +
		"before and none declares now, in the manifests and the snapshot. Before the apply one had it.",
	Why: "A named port that no container has gets no endpoints: connections are refused although the pods run. A numbered port is used as it is, and " +
		"possibly nothing listens there.",
	Fix:      "Change targetPort and the port of the container together; a name in both lets the number change freely.",
	Links:    []string{"https://kubernetes.io/docs/concepts/services-networking/service/#field-spec-ports"},
	Severity: lint.Warning,
	Effect:   impact.CutsTraffic,
	Since:    "0.10",
	Run: func(p *lint.Pass) {
		c := clusterOf(p)
		for o := range p.Accepted() {
			if !o.Is("Service") || !c.podsChange(o) {
				continue
			}
			for i, port := range tree.List(o.Result, "spec", "ports") {
				text := c.withoutTarget(o, port)
				if text == "" {
					continue
				}
				path := fieldpath.New("spec", "ports").Item(i).Child("targetPort")
				p.Report(o, lint.Report{
					Path: o.Keyed(path, o.Result), Message: text, LivePath: o.Keyed(path, o.Result),
					Fix: "set targetPort to a port of the containers, or declare it there",
				})
			}
		}
	},
}

// withoutTarget says that a port of a Service leads to no container, and did
// before; "" if it does, or if that is unknown.
func (c *cluster) withoutTarget(o *lint.Object, port any) string {
	target, _ := tree.Get(port, "targetPort")
	protocol := tree.String(port, "protocol")
	n, _ := tree.Int(port, "port")
	now := c.containerPorts(o, o.Result, true)
	name, named := target.(string)
	if len(now) == 0 || declares(now, target, protocol) {
		return ""
	}
	before := c.containerPorts(o, o.Before, false)
	was := oldTarget(o.Before, port)
	switch {
	case o.Before != nil && was != nil && !declares(before, was, protocol):
		return "" // it always was so
	case named:
		return fmt.Sprintf("no container of the pods has a port named %s: port %d of the Service has no endpoints", name, n)
	case was == target:
		return fmt.Sprintf("no container of the pods declares port %v anymore: port %d of the Service may lead nowhere", target, n)
	case was != nil:
		return fmt.Sprintf("the new targetPort is %v, and the containers of the pods do not declare it, as they do %v: port %d of the Service may lead nowhere", target, was, n)
	}
	return ""
}

// oldTarget is the targetPort that the port of a Service had before, nil without one.
func oldTarget(service tree.Object, port any) any {
	for _, old := range tree.List(service, "spec", "ports") {
		if tree.Equal(tree.Map(old)["port"], tree.Map(port)["port"]) {
			target, _ := tree.Get(old, "targetPort")
			return target
		}
	}
	return nil
}

// containerPorts are the ports that the containers of the pods declare which a
// Service selects, before or after the apply.
func (c *cluster) containerPorts(o *lint.Object, service tree.Object, after bool) (list []any) {
	s, ok := impact.Selector(tree.Object{"matchLabels": tree.Map(service, "spec", "selector")})
	if !ok {
		return nil
	}
	for _, t := range c.templates(o.Config.Namespace) {
		labels, spec := t.before()
		if after {
			labels, spec = t.after()
		}
		if !s.Matches(labels) {
			continue
		}
		if after && t.rejected {
			return nil // its rejection is told; what it would declare is in no result
		}
		for _, container := range containers(nil, spec) {
			list = append(list, tree.List(container.tree, "ports")...)
		}
	}
	return list
}

// declares reports whether one of the ports of containers has a name or a number.
func declares(ports []any, target any, protocol string) bool {
	return slices.ContainsFunc(ports, func(port any) bool {
		own := tree.String(port, "protocol")
		if own != protocol && (own != "" || protocol != "TCP") {
			return false
		}
		n, _ := tree.Get(port, "containerPort")
		return n == target || tree.Map(port)["name"] == target
	})
}
