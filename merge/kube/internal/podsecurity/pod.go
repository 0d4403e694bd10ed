package podsecurity

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"threeway/merge/tree"
)

// pod is what the checks look at, and the minor of the server that asks.
type pod struct {
	annotations, spec tree.Object
	minor             int
}

// containers are those of the three lists in upstream's order (visitor.go).
func (p pod) containers() []any {
	return slices.Concat(tree.List(p.spec, "initContainers"), tree.List(p.spec, "containers"), tree.List(p.spec, "ephemeralContainers"))
}

// where names the containers that the function returns true for.
func (p pod) where(bad func(container any) bool) []string {
	var names []string
	for _, c := range p.containers() {
		if bad(c) {
			names = append(names, tree.String(c, "name"))
		}
	}
	return names
}

// setters are "pod" and containers whose own security context is bad.
func (p pod) setters(bad func(context tree.Object) bool) []string {
	var setters []string
	if c := tree.Map(p.spec, "securityContext"); c != nil && bad(c) {
		setters = append(setters, "pod")
	}
	names := p.where(func(container any) bool {
		c := tree.Map(container, "securityContext")
		return c != nil && bad(c)
	})
	if len(names) > 0 {
		setters = append(setters, containers(names))
	}
	return setters
}

// profiles are those who set a profile of another type than may be set, and these types.
func (p pod) profiles(key string) (setters []string, forbidden values) {
	forbidden = values{}
	return p.setters(func(context tree.Object) bool {
		profile := tree.Map(context, key)
		kind := tree.String(profile, "type")
		if profile == nil || kind == "RuntimeDefault" || kind == "Localhost" {
			return false
		}
		forbidden[kind] = true
		return true
	}), forbidden
}

// exceptWindows does not ask Pods for Windows.
func exceptWindows(f function) function {
	return func(p pod) (string, string) {
		if tree.String(p.spec, "os", "name") == "windows" {
			return "", ""
		}
		return f(p)
	}
}

// exceptOwnUsers does not ask Pods with a user namespace of their own.
func exceptOwnUsers(f function) function {
	return func(p pod) (string, string) {
		if tree.Has(p.spec, "hostUsers") && !tree.Bool(p.spec, "hostUsers") {
			return "", ""
		}
		return f(p)
	}
}

// values are different values, listed in order.
type values map[string]bool

func (v values) list() []string { return slices.Sorted(maps.Keys(v)) }

// containers are the containers with their names.
func containers(names []string) string { return plural("container", len(names)) + " " + quote(names) }

func plural(word string, n int) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// use is the verb after n of something.
func use(n int) string {
	if n == 1 {
		return "uses"
	}
	return "use"
}

// quote puts each text in quotation marks, as it is.
func quote(texts []string) string { return `"` + strings.Join(texts, `", "`) + `"` }

// and joins those who set a field.
func and(setters []string) string { return strings.Join(setters, " and ") }

func text(format string, args ...any) string { return fmt.Sprintf(format, args...) }
