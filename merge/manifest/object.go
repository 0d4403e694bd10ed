// Package manifest reads objects from files as kubectl reads them, remembers
// where each came from, and finds the line and column of any field. Of the
// fields it knows only those that kubectl itself reads: apiVersion, kind, items
// and metadata.
//
// The rules come from k8s.io/cli-runtime/pkg/resource (builder.go, visitor.go,
// metadata_decoder.go), k8s.io/apimachinery/pkg/util/yaml (decoder.go) and
// .../apis/meta/v1/unstructured (helpers.go).
package manifest

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/text/source"
	"threeway/merge/text/visible"
	"threeway/merge/tree"
)

// Object is one Kubernetes object read from a file.
type Object struct {
	Kind            schema.Kind
	Namespace, Name string
	Tree            tree.Object
	Origin          Origin
	// Placed is set if the manifest names no namespace and Build
	// has set the one of -n or of the context.
	Placed bool
	// GivenNamespace is the namespace in the manifest, before Build.
	GivenNamespace string

	doc documented // nil if it was not read
	// within is the object's place in its document: items[3] in a List.
	within fieldpath.Path
	// source finds places in the files that the object was rendered from; nil if it was
	// not, or they are unknown.
	source func(*Object, fieldpath.Path) Place

	served tree.Object // what a server of minor has returned; nil if none has
	minor  int
}

// ServedBy is the object with a tree that a server of a minor has returned in its version.
func (o *Object) ServedBy(minor int, obj tree.Object) *Object {
	own := *o
	own.Tree, own.served, own.minor = obj, obj, minor
	return &own
}

// IsServed reports whether the tree is what a server of a minor has returned, so that it
// returns the same again.
func (o *Object) IsServed(minor int) bool { return o.minor == minor && tree.Same(o.Tree, o.served) }

// documented has the text of an object.
type documented interface{ document() *source.Document }

// held is the text of a manifest, which stays in memory.
type held struct{ *source.Document }

func (h held) document() *source.Document { return h.Document }

// document is where the object stands, with its text.
func (o *Object) document() *source.Document { return o.doc.document() }

// WithoutLastBreak is the object as it is read if its text ends with its last character:
// see [source.Document.WithoutLastBreak]. An item of a List is itself.
func (o *Object) WithoutLastBreak() *Object {
	if o.doc == nil || o.InList() {
		return o
	}
	ended := *o
	ended.Tree = o.document().WithoutLastBreak(o.Tree)
	return &ended
}

// Origin says where an object was read from.
type Origin = source.Origin

// IsLive reports whether the object is one of a snapshot.
func (o *Object) IsLive() bool { return tree.Has(o.Tree, "metadata", "uid") }

// InList reports whether the object is an item of a List.
func (o *Object) InList() bool { return len(o.within) > 0 }

// Identity identifies an object in a cluster. The version is not part of it.
type Identity struct{ Group, Kind, Namespace, Name string }

// InEveryCluster reports whether an object is in every cluster: the server, or a controller of the
// cluster itself, makes it.
func (id Identity) InEveryCluster() bool {
	switch id.Kind + "." + id.Group {
	case "ServiceAccount.":
		return id.Name == "default"
	case "ConfigMap.":
		return id.Name == "kube-root-ca.crt"
	case "Service.":
		return id.Name == "kubernetes" && id.Namespace == "default"
	case "Namespace.":
		return slices.Contains([]string{"default", "kube-system", "kube-public", "kube-node-lease"}, id.Name)
	case "PriorityClass.scheduling.k8s.io":
		return id.Name == "system-cluster-critical" || id.Name == "system-node-critical"
	case "ClusterRole.rbac.authorization.k8s.io":
		return slices.Contains([]string{"cluster-admin", "admin", "edit", "view"}, id.Name)
	}
	return false
}

// Placed is NAMESPACE/NAME, or NAME without a namespace, always on one line.
func Placed(namespace, name string) string {
	if namespace != "" {
		name = namespace + "/" + name
	}
	return visible.Line(name)
}

// ID returns the object's identity.
func (o *Object) ID() Identity {
	return Identity{o.Kind.Group, o.Kind.Kind, o.Namespace, o.Name}
}

// String returns ns/Kind.group/name without empty parts, always on one line.
func (id Identity) String() string {
	s := schema.Kind{Group: id.Group, Kind: id.Kind}.GroupKind() + "/" + id.Name
	if id.Namespace != "" {
		s = id.Namespace + "/" + s
	}
	return visible.Line(s)
}

// Title is the String of an identity as people read it: Deployment shop/web.
func Title(identity string) string {
	namespace, rest, _ := strings.Cut(identity, "/")
	if first, _ := utf8.DecodeRuneInString(identity); unicode.IsUpper(first) { // a kind, of an object without a namespace
		namespace, rest = "", identity
	}
	kind, name, named := strings.Cut(rest, "/")
	if !named {
		return identity
	}
	kind, _, _ = strings.Cut(kind, ".")
	return strings.TrimSpace(kind + " " + strings.TrimPrefix(namespace+"/"+name, "/"))
}

// NameFault returns why kubectl cannot ask the server for an object of the name, or ""
// (client-go rest.Request.Name, IsValidPathSegmentName).
func NameFault(name string) string {
	var faults []string
	switch name {
	case ".", "..":
		return "may not be '" + name + "'"
	}
	for _, c := range []string{"/", "%"} {
		if strings.Contains(name, c) {
			faults = append(faults, "may not contain '"+c+"'")
		}
	}
	return strings.Join(faults, " ")
}
