package rules

import (
	"cmp"
	"fmt"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

var servicePortWithoutTarget = &lint.Rule{
	ID:    "service-port-without-target",
	Title: "a port of a Service leads to no container port",
	Text: "After the apply the targetPort of a Service, or a port in a NetworkPolicy, is a name that no container of its pods has, or a number that one of them declared " +
		"before and none declares now. Before the apply one had it.",
	Why:      "A named port without a container gets no endpoints: connections are refused. On a numbered port there may be no listener.",
	Fix:      "Change targetPort and the port of the container together; a name in both lets the number change freely.",
	Links:    []string{"https://kubernetes.io/docs/concepts/services-networking/service/#field-spec-ports"},
	Severity: lint.Warning,
	Effect:   impact.CutsTraffic,
	Run: func(p *lint.Pass) {
		c := clusterOf(p)
		for o := range p.Accepted() {
			if !o.Is("Service", networkPolicy) || !c.podsChange(o) {
				continue
			}
			for i, rule := range tree.List(o.Result, "spec", "ingress") {
				for n, port := range tree.List(rule, "ports") {
					name, at := tree.String(port, "port"), declaredPort{tree.String(port, "protocol"), tree.Map(port)["port"]}
					if now := c.containerPorts(o, o.Result, true); name != "" && len(now) > 0 && !now[at] && c.containerPorts(o, o.Before, false)[at] {
						path := o.Keyed(fieldpath.New("spec", "ingress").Item(i).Child("ports").Item(n).Child("port"), o.Result)
						p.Report(o, lint.Report{Path: path, LivePath: path, Message: fmt.Sprintf("no container of the pods has a port named %s: the policy lets no connections through for it", name),
							Fix: "name a port of the containers, or declare it there"})
					}
				}
			}
			for i, port := range tree.List(o.Result, "spec", "ports") {
				text := c.withoutTarget(o, port)
				if text == "" {
					continue
				}
				path := fieldpath.New("spec", "ports").Item(i).Child("targetPort")
				r := lint.Report{
					Path: o.Keyed(path, o.Result), Message: text, LivePath: o.Keyed(path, o.Result),
					Fix: "set targetPort to a port of the containers, or declare it there",
				}
				switch names := c.containerPorts(o, o.Result, true).names(); {
				case phrase.Nearest(tree.String(port, "targetPort"), names) != "":
					r.Fix = "did you mean " + phrase.Nearest(tree.String(port, "targetPort"), names) + "?"
				case len(names) == 1:
					r.Fix = "set targetPort to " + names[0] + ", which the containers have, or declare this port there"
				}
				p.Report(o, r)
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
	if len(now) == 0 || now[declaredPort{protocol, target}] {
		return ""
	}
	before := c.containerPorts(o, o.Before, false)
	was := oldTarget(o.Before, port)
	switch {
	case o.Before != nil && was != nil && !before[declaredPort{protocol, was}]:
		return "" // it always was so
	case named:
		if protocol != "TCP" && protocol != "" {
			name += " with protocol " + protocol
		}
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

// declaredPorts are the ports that containers declare, by protocol and by number or
// name.
type declaredPorts map[declaredPort]bool

// names are those of the ports that have one.
func (d declaredPorts) names() (list []string) {
	for p := range d {
		if name, ok := p.port.(string); ok {
			list = append(list, name)
		}
	}
	return list
}

type declaredPort struct {
	protocol string
	port     any
}

// containerPorts are the ports that the containers of the pods declare which a
// Service or NetworkPolicy selects, before or after the apply. They are found once for all with
// the same selector.
func (c *cluster) containerPorts(o *lint.Object, service tree.Object, after bool) declaredPorts {
	s, ok := podSelector(o, service)
	if !ok {
		return nil
	}
	key := fmt.Sprintf("%s %t %q", o.Manifest.Namespace, after, s)
	return c.podMakers().ports.Get(key, func() declaredPorts {
		ports := declaredPorts{}
		for t := range c.selected(o.Manifest.Namespace, after, s) {
			_, spec := t.before()
			if after {
				_, spec = t.after()
			}
			if after && t.rejected {
				return nil // its rejection is told; what it would declare is in no result
			}
			for _, container := range containers(nil, spec) {
				for _, port := range tree.List(container.tree, "ports") {
					number, _ := tree.Get(port, "containerPort")
					for _, v := range []any{number, tree.Map(port)["name"]} {
						switch v.(type) {
						case tree.Object, []any: // what a custom resource may have
							continue
						}
						protocol := tree.String(port, "protocol")
						ports[declaredPort{protocol, v}] = true
						ports[declaredPort{cmp.Or(protocol, "TCP"), v}] = true
					}
				}
			}
		}
		return ports
	})
}
