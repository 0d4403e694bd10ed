package rules

import (
	"fmt"
	"strings"

	"threeway/lint"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/tree"
	"threeway/rules/reference"
)

// made is what programs may make, so that no manifest has it.
type made struct {
	ids map[manifest.Identity]bool
	// owners are the names of custom resources, by namespace: their controllers
	// name what they make after them.
	owners map[string][]string
	// named are the words in arguments and environments of containers, and the
	// names in roles: the program that has the name may make the object.
	named map[string]bool
}

// madeByOthers reports whether an object may be made by a controller, or by a
// program of the set, or is in a manifest that this apply leaves out.
func (c *cluster) madeByOthers(id manifest.Identity) bool {
	m := c.made()
	if m.ids[id] || c.left[id] || id.Kind == "PersistentVolumeClaim" && m.claimOf(id) {
		return true
	}
	if (id.Kind == "Secret" || id.Kind == "ConfigMap") && m.named[id.Name] {
		return true
	}
	for _, namespace := range []string{id.Namespace, ""} {
		for _, owner := range m.owners[namespace] {
			if within(id.Name, owner) {
				return true
			}
		}
	}
	return false
}

// claimOf reports whether a StatefulSet makes a claim from a template:
// TEMPLATE-SET-NUMBER.
func (m *made) claimOf(id manifest.Identity) bool {
	at := strings.LastIndexByte(id.Name, '-')
	return at > 0 && m.ids[manifest.Identity{Kind: "claims", Namespace: id.Namespace, Name: id.Name[:at]}]
}

// within reports whether a name has another one in it, as a part of its own.
func within(name, part string) bool {
	separated := func(r rune) rune {
		if r == '.' {
			return '-'
		}
		return r
	}
	return strings.Contains("-"+strings.Map(separated, name)+"-", "-"+strings.Map(separated, part)+"-")
}

func (c *cluster) made() *made {
	return lint.SharedByRun(c.p, func() *made {
		m := &made{map[manifest.Identity]bool{}, map[string][]string{}, map[string]bool{}}
		for _, member := range c.p.Set() {
			m.object(member.Manifest.Kind, member.Manifest.Namespace, member.Manifest.Tree)
		}
		if c.p.Options.Live != nil {
			for _, e := range c.p.Options.Live.Entries {
				if isCustom(e.Kind) {
					m.owner(e.Namespace, e.Name)
				}
				if reference.Makes(e.Kind) || e.Kind.Kind == "StatefulSet" {
					m.object(e.Kind, e.Namespace, e.Object().Tree)
				}
			}
		}
		return m
	})
}

// object takes up what an object may make.
func (m *made) object(k schema.Kind, namespace string, obj tree.Object) {
	for _, id := range reference.MadeBy(k, namespace, obj) {
		m.ids[id] = true
	}
	if isCustom(k) {
		m.owner(namespace, tree.String(obj, "metadata", "name"))
	}
	for _, t := range tree.List(obj, "spec", "volumeClaimTemplates") {
		name := tree.String(t, "metadata", "name") + "-" + tree.String(obj, "metadata", "name")
		m.ids[manifest.Identity{Kind: "claims", Namespace: namespace, Name: name}] = true
	}
	for _, rule := range tree.List(obj, "rules") {
		for _, name := range tree.List(rule, "resourceNames") {
			m.named[fmt.Sprint(name)] = true
		}
	}
	at, spec := podSpec(k, obj)
	for _, c := range containers(at, spec) {
		for _, field := range []string{"command", "args"} {
			for _, arg := range tree.List(c.tree, field) {
				m.words(fmt.Sprint(arg))
			}
		}
		for _, env := range tree.List(c.tree, "env") {
			m.words(tree.String(env, "value"))
		}
	}
}

func (m *made) owner(namespace, name string) {
	m.owners[namespace] = append(m.owners[namespace], name)
}

// words takes up the words of a text that may be names of objects.
func (m *made) words(text string) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool {
		return r != '-' && r != '.' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) {
		m.named[word] = true
		for _, part := range strings.Split(word, ".") {
			m.named[part] = true
		}
	}
}

func isCustom(k schema.Kind) bool {
	_, builtin := schema.Builtin(k)
	return !builtin && !schema.BuiltinGroup(k.Group)
}
