package schema

import (
	"slices"
	"strconv"
	"strings"
	"sync"
)

// oldest is the first minor that is answered for.
const oldest = 30

// Resource is what the server serves for a kind.
type Resource struct {
	Kind
	Plural     string
	Namespaced bool
	// Window are the minors that can serve the kind; for alpha and beta versions, see
	// [Resource.OnByDefault].
	Window

	typ string // its Go type: "rbac/v1.Role"
}

// OnByDefault reports whether the server serves the kind by default. Alpha and
// beta versions need --runtime-config, except those of flow control, which are
// older than that rule. Upstream: pkg/controlplane/instance.go.
func (r Resource) OnByDefault() bool {
	return !strings.Contains(r.Version, "alpha") &&
		(!strings.Contains(r.Version, "beta") || r.Group == "flowcontrol.apiserver.k8s.io")
}

// Builtin returns what kube-apiserver 1.30 to 1.38 serves for a kind, stable,
// beta or alpha. [Resource.In] reports whether a given minor does.
func Builtin(k Kind) (Resource, bool) {
	r, ok := known()[k]
	return r, ok && !r.gone()
}

// Removed returns a kind that only servers before 1.30 served; Until is the
// last minor that did.
func Removed(k Kind) (Resource, bool) {
	r, ok := known()[k]
	return r, ok && r.gone()
}

func (r Resource) gone() bool { return r.Until != 0 && r.Until < oldest }

// Successor is the newest stable version that 1.minor serves of a built-in kind, also of one
// that has left the group extensions; "" if there is none.
func Successor(k Kind, minor int) string {
	found := ""
	for _, r := range Resources() {
		if r.Kind.Kind == k.Kind && (r.Group == k.Group || k.Group == "extensions") && r.In(minor) && r.OnByDefault() {
			found = r.APIVersion()
		}
	}
	return found
}

// InSmallLetters returns the kind of [Builtin] whose name in lower case is that
// of k.
func InSmallLetters(k Kind) (Kind, bool) {
	full, ok := smallLetters()[k]
	return full, ok
}

var smallLetters = sync.OnceValue(func() map[Kind]Kind {
	all := map[Kind]Kind{}
	for k, r := range known() {
		if !r.gone() {
			all[Kind{k.Group, k.Version, strings.ToLower(k.Kind)}] = k
		}
	}
	return all
})

// Resources returns all resources that [Builtin] knows, sorted by group,
// version and kind.
func Resources() []Resource {
	var list []Resource
	for _, r := range known() {
		if !r.gone() {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b Resource) int {
		return slices.Compare([]string{a.Group, a.Version, a.Kind.Kind}, []string{b.Group, b.Version, b.Kind.Kind})
	})
	return list
}

// BuiltinGroup reports whether [Builtin] knows kinds of the API group, or once did of one to
// which no CustomResourceDefinition can add kinds, for lack of a dot: extensions.
func BuiltinGroup(group string) bool { return groups()[group] }

var groups = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for k, r := range known() {
		if !r.gone() || !strings.Contains(k.Group, ".") {
			all[k.Group] = true
		}
	}
	return all
})

// BuiltinVersion reports whether a kind of the version of an API group is built
// in, or was before 1.30.
func BuiltinVersion(group, version string) bool {
	for k := range known() {
		if k.Group == group && k.Version == version {
			return true
		}
	}
	return false
}

// Lookup returns the type of a built-in or removed kind; nil if the kind is
// unknown.
func Lookup(k Kind) *Type {
	if r, ok := known()[k]; ok {
		return TypeNamed(r.typ)
	}
	return nil
}

// known reads the table of resources; a line is
// "group types kind plural scope since until".
var known = sync.OnceValue(func() map[Kind]Resource {
	all := map[Kind]Resource{}
	for line := range strings.Lines(read("resources")) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), " ")
		_, version, _ := strings.Cut(f[1], "/")
		r := Resource{Kind: Kind{f[0], version, f[2]}, Plural: f[3], Namespaced: f[4] == "namespace", typ: f[1] + "." + f[2]}
		r.Since, _ = strconv.Atoi(f[5])
		r.Until, _ = strconv.Atoi(f[6])
		all[r.Kind] = r
	}
	return all
})
