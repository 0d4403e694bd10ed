// Package schema has the built-in API types. For each kind and field it has the
// JSON name, the Go type, whether encoding leaves it out, the patch strategy
// and merge key, the list and map type of server-side apply, and the Kubernetes
// minors that have it.
//
// The tables are generated (see generate/) from the Go sources of k8s.io/api,
// apimachinery, apiextensions-apiserver, kube-aggregator and, for the internal
// types that the server prints in error values, k8s.io/kubernetes.
package schema

import "strings"

// Kind names a kind of object. The core group is "".
type Kind struct{ Group, Version, Kind string }

// ParseKind splits an object's apiVersion.
func ParseKind(apiVersion, kind string) Kind {
	if g, v, ok := strings.Cut(apiVersion, "/"); ok {
		return Kind{g, v, kind}
	}
	return Kind{"", apiVersion, kind}
}

// APIVersion returns the value of an object's apiVersion field.
func (k Kind) APIVersion() string {
	if k.Group == "" {
		return k.Version
	}
	return k.Group + "/" + k.Version
}

// GroupKind returns "Kind.group", or "Kind" for the core group.
func (k Kind) GroupKind() string {
	if k.Group == "" {
		return k.Kind
	}
	return k.Kind + "." + k.Group
}
