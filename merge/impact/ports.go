package impact

import (
	"fmt"
	"maps"
	"slices"

	"threeway/merge/explain"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// portNames are the numbers of ports by their names.
type portNames map[portName]int64

// portName has no protocol where that does not count.
type portName struct{ name, protocol string }

// ByNumber is an outcome with the ports that it refers to by number, before and after the apply,
// as far as these files tell them: those of a probe by its container, of a Service and
// of a NetworkPolicy by the pods that it selects, or those of its peers in the namespace, and of an Ingress by its
// Services. A name stays if its number changes. It is the outcome itself if no such port changes.
func (i *Impact) ByNumber(o *rehearsal.Outcome) *rehearsal.Outcome {
	spell := i.cluster.spelling(o)
	if spell == nil || o.Before == nil || o.Result == nil || !slices.ContainsFunc(explain.FieldChanges(o), refersToPort) {
		return o
	}
	numbered := *o
	numbered.Before, numbered.Result = tree.CopyObject(o.Before), tree.CopyObject(o.Result)
	if !spell(numbered.Before, numbered.Result) {
		return o
	}
	return &numbered
}

// refersToPort reports whether a change may be one of a port that is referred to; of a list that
// does not merge it may be anywhere below.
func refersToPort(c explain.Change) bool {
	return tree.Compound(c.Old) || tree.Compound(c.New) ||
		slices.ContainsFunc(c.Path, func(s fieldpath.Step) bool { return s.Field == "port" || s.Field == "targetPort" })
}

// spelling puts numbers in place of the names of ports in an object before and after the apply,
// and reports whether it did; nil if the kind has no such names.
func (c *cluster) spelling(o *rehearsal.Outcome) func(before, after tree.Object) bool {
	namespace := o.Identity().Namespace
	switch o.Kind.GroupKind() {
	case "Service":
		return func(before, after tree.Object) (done bool) {
			ports := c.portsOfPods(namespace, tree.Object{"matchLabels": tree.Map(after, "spec", "selector")})
			for _, obj := range []tree.Object{before, after} {
				for _, port := range tree.List(obj, "spec", "ports") {
					done = ports.put(port, "targetPort", tree.String(port, "protocol")) || done
				}
			}
			return done
		}
	case "NetworkPolicy.networking.k8s.io":
		return func(before, after tree.Object) (done bool) {
			ports := c.portsOfPods(namespace, tree.Map(after, "spec", "podSelector"))
			for _, obj := range []tree.Object{before, after} {
				for _, rule := range tree.List(obj, "spec", "ingress") {
					done = ports.putAll(rule) || done
				}
				for _, rule := range tree.List(obj, "spec", "egress") {
					done = c.portsOfPeers(namespace, tree.List(rule, "to")).putAll(rule) || done
				}
			}
			return done
		}
	case "Ingress.networking.k8s.io":
		return func(before, after tree.Object) bool {
			was := c.spellBackends(namespace, before, c.before, c.after)
			return c.spellBackends(namespace, after, c.after, c.before) || was
		}
	}
	if place := podSpec(o.Identity()); place != nil {
		return func(before, after tree.Object) bool {
			return spellProbes(tree.Map(before, place...), tree.Map(after, place...))
		}
	}
	return nil
}

// put puts the number of a port in place of its name.
func (p portNames) put(in any, field, protocol string) bool {
	m := tree.Map(in)
	name, _ := m[field].(string)
	number, known := p[portName{name, protocol}]
	if known {
		m[field] = number
	}
	return known
}

// putAll puts the numbers of the ports of a rule in place of their names.
func (p portNames) putAll(rule any) (done bool) {
	for _, port := range tree.List(rule, "ports") {
		done = p.put(port, "port", tree.String(port, "protocol")) || done
	}
	return done
}

// portsOfPeers are the names that are the same number in all pods of peers of the namespace; none
// if there are others.
func (c *cluster) portsOfPeers(namespace string, peers []any) (ports portNames) {
	for i, peer := range peers {
		selects, is := tree.Map(peer)["podSelector"]
		if !is || len(tree.Map(peer)) > 1 {
			return nil
		}
		if of := c.portsOfPods(namespace, tree.Map(selects)); i == 0 {
			ports = of
		} else {
			ports = ports.common(of)
		}
	}
	return ports
}

// add adds the ports of a container or a Service that have a name.
func (p portNames) add(ports []any, field string, protocols bool) {
	for _, port := range ports {
		name := portName{name: tree.String(port, "name")}
		if protocols {
			name.protocol = tree.String(port, "protocol")
		}
		if n, ok := tree.Int(port, field); ok && name.name != "" {
			p[name] = n
		}
	}
}

// without are the names whose number is not another one on the other side.
func (p portNames) without(other portNames) portNames {
	p = maps.Clone(p)
	maps.DeleteFunc(p, func(name portName, n int64) bool { m, has := other[name]; return has && m != n })
	return p
}

// common are the names that have the same number on both sides.
func (p portNames) common(other portNames) portNames {
	p = maps.Clone(p)
	maps.DeleteFunc(p, func(name portName, n int64) bool { m, has := other[name]; return !has || m != n })
	return p
}

// podPorts are those of the containers of a pod (pkg/api/v1/pod/util.go FindPort).
func podPorts(spec tree.Object) portNames {
	ports := portNames{}
	for _, container := range containers(spec) {
		ports.add(tree.List(container, "ports"), "containerPort", true)
	}
	return ports
}

// portsOfPods are the names that are the same number in all pods that a selector
// matches, those that run too.
func (c *cluster) portsOfPods(namespace string, selects tree.Object) portNames {
	return c.named.Get(fmt.Sprint(namespace, selects), func() portNames { return c.findPorts(namespace, selects) })
}

func (c *cluster) findPorts(namespace string, selects tree.Object) (ports portNames) {
	s, ok := Selector(selects)
	asking := c.asking()[namespace]
	if asking == nil || !ok && len(s) > 0 {
		return nil
	}
	for w := range asking().Matching(s) {
		if ports == nil {
			ports = w.ports
		}
		ports = ports.common(w.ports)
	}
	return ports
}

// spellBackends puts the numbers of ports in an Ingress in place of the names that its
// Services have for them, on one side of the apply.
func (c *cluster) spellBackends(namespace string, ingress tree.Object, own, other func(manifest.Identity) tree.Object) (done bool) {
	spell := func(backend any) {
		port := tree.Map(backend, "service", "port")
		name := tree.String(port, "name")
		if name == "" {
			return
		}
		id := manifest.Identity{Kind: "Service", Namespace: namespace, Name: tree.String(backend, "service", "name")}
		ports := func(service tree.Object) portNames {
			p := portNames{}
			p.add(tree.List(service, "spec", "ports"), "port", false)
			return p
		}
		if n, known := ports(own(id)).without(ports(other(id)))[portName{name: name}]; known {
			delete(port, "name")
			port["number"], done = n, true
		}
	}
	spell(tree.Map(ingress, "spec", "defaultBackend"))
	for _, rule := range tree.List(ingress, "spec", "rules") {
		for _, path := range tree.List(rule, "http", "paths") {
			spell(tree.Map(path, "backend"))
		}
	}
	return done
}

// spellProbes puts the numbers of ports in the probes and hooks of containers in place of the names that
// the containers have for them, before and after the apply (pkg/probe/util.go ResolveContainerPort).
func spellProbes(before, after tree.Object) (done bool) {
	for _, field := range []string{"initContainers", "containers"} {
		other := map[string]portNames{}
		ports := func(container any) portNames {
			p := portNames{}
			p.add(tree.List(container, "ports"), "containerPort", false)
			return p
		}
		for _, c := range tree.List(before, field) {
			other[tree.String(c, "name")] = ports(c)
		}
		for _, c := range tree.List(after, field) {
			is, was := ports(c), other[tree.String(c, "name")]
			done = spellIn(c, is.without(was)) || done
			other[tree.String(c, "name")] = was.without(is)
		}
		for _, c := range tree.List(before, field) {
			done = spellIn(c, other[tree.String(c, "name")]) || done
		}
	}
	return done
}

func spellIn(container any, ports portNames) (done bool) {
	for _, at := range [][]string{{"livenessProbe"}, {"readinessProbe"}, {"startupProbe"}, {"lifecycle", "postStart"}, {"lifecycle", "preStop"}} {
		for _, action := range []string{"httpGet", "tcpSocket"} {
			done = ports.put(tree.Map(container, append(at, action)...), "port", "") || done
		}
	}
	return done
}

// ClosedNodePorts are the numbers of the node ports that a Service has before a change and not after it.
func ClosedNodePorts(before, after tree.Object) (closed []any) {
	open := map[any]bool{}
	for _, port := range tree.List(after, "spec", "ports") {
		open[tree.Map(port)["nodePort"]] = true
	}
	for _, port := range tree.List(before, "spec", "ports") {
		if number := tree.Map(port)["nodePort"]; number != nil && !open[number] {
			closed = append(closed, number)
		}
	}
	return closed
}
