package workflow

import (
	"cmp"
	"slices"

	"threeway/merge/fieldpath"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

// movePort changes the port that the pods of a Service listen on, or its name.
var movePort = &Recipe{
	ID:    "move-port",
	Title: "Change the port of pods together with the targetPort of their Service",
	Text: "The targetPort takes effect at once, the port of pods with the rollout. A name leads to the port that each pod has by that name, and a number to old and new " +
		"pods that listen on it. So the Service has in the first apply the one that old and new pods share, and the wanted one when the rollout has ended.",
	Rules: []string{"selector-races-rollout"},
	Kinds: []string{"Service"},
	Make: func(c *Case) []Step {
		if len(c.beside) == 0 {
			return nil
		}
		between := Step{Applies: true, Text: "Apply with a targetPort that old and new pods have, and wait for the new pods", Meanwhile: "each connection goes to the port that its pod has"}
		var edits []edit.Edit
		for i, port := range tree.List(c.Manifest.Tree, "spec", "ports") {
			target, set := tree.Get(port, "targetPort")
			if !set || c.fits(port, target) {
				continue
			}
			targets := c.both(port)
			at := slices.IndexFunc(targets, func(target any) bool { return c.fits(port, target) })
			if at < 0 {
				return c.none("old and new pods share neither the name nor the number of the port: give it a name first, in an apply of its own")
			}
			edits = append(edits, edit.Set(fieldpath.New("spec", "ports").Item(i).Child("targetPort"), targets[at]))
		}
		if edits == nil {
			return nil
		}
		between.Edits = []Edited{{c.Manifest, edits}}
		for _, o := range c.beside {
			between.Commands = append(between.Commands, wait(o))
		}
		return []Step{between, {Applies: true, Text: "Apply the manifests as they are, now that all pods have the new port"}}
	},
}

// containerPorts are those that pods declare.
func containerPorts(template tree.Object) (all []any) {
	for _, container := range tree.List(template, "spec", "containers") {
		all = append(all, tree.List(container, "ports")...)
	}
	return all
}

// leads reports whether a targetPort is a port of a container, by name or by number.
func leads(target, port any) bool {
	if _, isName := target.(string); isName {
		return target == any(tree.String(port, "name"))
	}
	n, _ := tree.Int(port, "containerPort")
	return target == any(n)
}

// reaches reports whether a port of a Service leads to one that pods listen on: a number need
// not be declared.
func reaches(port any, template tree.Object) bool {
	target, set := tree.Get(port, "targetPort")
	if !set {
		target = port.(map[string]any)["port"]
	}
	ports := containerPorts(template)
	if _, isName := target.(string); !isName && len(ports) == 0 {
		return true
	}
	return slices.ContainsFunc(ports, func(p any) bool { return sameProtocol(p, port) && leads(target, p) })
}

// samePort reports whether two ports of a Service are the same by number and protocol.
func samePort(a, b any) bool {
	n, _ := tree.Int(a, "port")
	m, _ := tree.Int(b, "port")
	return n == m && sameProtocol(a, b)
}

func sameProtocol(a, b any) bool {
	return cmp.Or(tree.String(a, "protocol"), "TCP") == cmp.Or(tree.String(b, "protocol"), "TCP")
}

// both are what leads to the port of today in today's pods and to the wanted one in new pods:
// the names and numbers that new pods have for it.
func (c *Case) both(port any) (targets []any) {
	for _, o := range c.beside {
		for _, p := range containerPorts(tree.Map(o.Tree, "spec", "template")) {
			if target, _ := tree.Get(port, "targetPort"); !leads(target, p) || !sameProtocol(p, port) {
				continue
			}
			n, _ := tree.Int(p, "containerPort")
			if name := tree.String(p, "name"); name != "" {
				targets = append(targets, name)
			}
			targets = append(targets, n)
		}
	}
	return targets
}

// fits reports whether all pods of today and of then have the target, today's for the port that
// it leads to today.
func (c *Case) fits(port, target any) bool {
	var before any
	for _, p := range tree.List(c.Before, "spec", "ports") {
		if samePort(p, port) {
			before, _ = tree.Get(p, "targetPort")
		}
	}
	for _, o := range c.beside {
		live := c.live.Find(o.ID())
		has := func(obj tree.Object, others ...any) bool {
			return slices.ContainsFunc(containerPorts(tree.Map(obj, "spec", "template")), func(p any) bool {
				return sameProtocol(p, port) && leads(target, p) && !slices.ContainsFunc(others, func(other any) bool { return !leads(other, p) })
			})
		}
		wanted, _ := tree.Get(port, "targetPort")
		if live == nil || !has(live.Tree, before) || !has(o.Tree, wanted) {
			return false
		}
	}
	return len(c.beside) > 0
}
