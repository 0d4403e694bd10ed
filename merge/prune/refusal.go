package prune

import (
	"fmt"

	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
)

// Cause says what a Refusal is about.
type Cause string

// The causes.
const (
	NoSelection  Cause = "neither -l nor --all"
	WithSSA      Cause = "allowlist with --server-side"
	NoNamespace  Cause = "ApplySet without -n"
	BadParent    Cause = "no valid ApplySet parent"
	LabelInInput Cause = "ApplySet label in a manifest"
)

// Parent says what is wrong with the parent of an ApplySet, if the cause is
// BadParent.
type Parent string

// What can be wrong with a parent.
const (
	UnknownResource Parent = "the cluster has no such resource"
	NotPermitted    Parent = "a resource that cannot be a parent"
	NoSuchNamespace Parent = "its namespace does not exist"
	NotCreated      Parent = "kubectl does not create it"
	NoToolingName   Parent = "it has no annotation of a tool"
	OtherTool       Parent = "it belongs to another tool"
	NoID            Parent = "it has no label with its ID"
	OtherID         Parent = "its label has another ID"
	NotAllowed      Parent = "the user may not read or write it"
	NotStored       Parent = "the server rejects it"
	BadAnnotation   Parent = "an annotation cannot be read"
)

// Refusal says why kubectl refuses to run at all, before it applies anything.
type Refusal struct {
	Cause  Cause
	Parent Parent
	// Text is kubectl's message.
	Text string
	// Object is the object that causes the error, the parent in the snapshot or
	// an object of the manifests, and Path the field in it. Object is nil if
	// the flags cause it.
	Object *manifest.Object
	Path   fieldpath.Path
}

// Error returns kubectl's message.
func (r *Refusal) Error() string { return r.Text }

func refuse(cause Cause, format string, args ...any) *Refusal {
	return &Refusal{Cause: cause, Text: fmt.Sprintf(format, args...)}
}

// badParent returns the refusal of a parent.
func badParent(what Parent, format string, args ...any) *Refusal {
	r := refuse(BadParent, format, args...)
	r.Parent = what
	return r
}

// at sets the object and field that cause the error.
func (r *Refusal) at(o *manifest.Object, path ...string) *Refusal {
	r.Object, r.Path = o, fieldpath.New(path...)
	return r
}

// CheckAllowlist returns the error that kubectl reports for a prune by
// allowlist before it looks at any object, or nil.
func CheckAllowlist(selected, serverSide bool) error {
	switch {
	case !selected:
		return refuse(NoSelection, "all resources selected for prune without explicitly passing --all. To prune all resources, pass the --all flag. If you did not mean to prune all resources, specify a label selector")
	case serverSide:
		return refuse(WithSSA, "--prune is in alpha and doesn't currently work on objects created by server-side apply; use --applyset, or rehearse client-side")
	}
	return nil
}
