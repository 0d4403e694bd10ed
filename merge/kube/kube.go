// Package kube mirrors what kubectl and kube-apiserver compute: patches, server-side apply,
// defaults, validation, admission, quotas. It is a door: what is exported here is all that the
// rest of the program can call, and everything behind it, below internal, is held to upstream
// by the modules below conformance. The mirror reads no files, knows no plan and no secrets, and
// prints nothing. The facts about built-in types are in package schema.
//
// To change what threeway says about an answer, stay outside.
package kube

import (
	"threeway/merge/fault"
	"threeway/merge/kube/internal/minors"
	"threeway/merge/kube/internal/openapi"
	"threeway/merge/kube/internal/quota"
	"threeway/merge/kube/internal/server"
	"threeway/merge/kube/internal/validation"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// A Server answers single requests as kube-apiserver of one minor does, by what is known of its
// cluster, the World.
type (
	Server         = server.Server
	World          = server.World
	RequestOptions = server.RequestOptions
	Result         = server.Result
)

// Ledger holds what quotas of a namespace have left.
type Ledger = quota.Ledger

// ValidateDocument returns why kubectl rejects a document before it sends anything: kinds that no
// server patches, lists above all, are held against the OpenAPI document. defined returns the
// CustomResourceDefinition of a kind, nil if the cluster has none.
func ValidateDocument(document tree.Object, minor int, defined func(schema.Kind) tree.Object) []fault.Fault {
	return openapi.Document(document, minor, defined)
}

// Typed returns obj as a server decodes and writes it; known is false for a custom kind, ok for
// what does not decode.
func Typed(obj tree.Object, k schema.Kind, minor int) (out tree.Object, known, ok bool) {
	return server.Typed(obj, k, minor)
}

// TypedValue is Typed for a value of a named type, such as core/v1.PodSpec.
func TypedValue(v any, name string, minor int) (any, bool) { return server.TypedValue(v, name, minor) }

// Normal returns obj as a server of the minor stores it, and the warnings it gives.
func Normal(obj tree.Object, k schema.Kind, minor int, patched bool) (tree.Object, []string, error) {
	return server.Normal(obj, k, minor, patched)
}

// Equal reports whether two values of a built-in type are equal to a server, which takes no
// field and an empty one for the same unless exact is set.
func Equal(a, b any, t *schema.Type, exact bool) bool { return validation.Equal(a, b, t, exact) }

// Alternative reports whether a field is one of several of which an object may have only one.
func Alternative(field string) bool { return validation.Alternative(field) }

// StatefulSetUpdates are the fields of a StatefulSet's spec that an update may change.
var StatefulSetUpdates = validation.StatefulSetUpdates

// MakesPods reports whether objects of a kind have a pod template that a controller makes Pods of.
func MakesPods(k schema.Kind) bool { return server.MakesPods(k) }

// MountsToken reports whether the ServiceAccount admission plugin has given a Pod a token.
func MountsToken(pod tree.Object) bool { return server.MountsToken(pod) }

// TightensPods reports whether the labels of a Namespace demand more of its Pods than old did.
func TightensPods(namespace, old tree.Object) bool { return server.TightensPods(namespace, old) }

// A Change is what servers do from one minor on, or up to one; a Sign is a field that shows by
// its value whether the server that wrote an object does it.
type (
	Change = minors.Change
	Sign   = minors.Sign
)

// Signs are all that are known.
var Signs = minors.Signs

// Changes that kubectl's requests depend on.
var (
	CreatesWithoutNulls = minors.CreatesWithoutNulls
	NullAnnotations     = minors.NullAnnotations
	ObjectInOneLine     = minors.ObjectInOneLine
)
