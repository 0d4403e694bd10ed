// Package fault holds what is wrong with an object as facts: which field, what
// kind of fault, which value. kubectl's and the API server's words are made
// from them at the end, by Rejection and Text, so that nothing has to be read
// out of a message again, and so that a value that must stay secret is masked
// before it becomes part of a text.
//
// A Rejection is the whole answer of kubectl or the server about an object that
// is not applied; a Fault is one cause in it. What decodes, validates or merges
// an object makes faults; merge makes an outcome of them; report and lint show
// them.
package fault

import (
	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// Code says what kind of fault it is.
type Code string

// The codes of faults that the API server finds when it validates an object.
// Validation sets them as the Origin of a field.Error; Invalid is that of one
// without.
const (
	Invalid          Code = "invalid"
	Immutable        Code = "immutable"         // the field cannot be changed
	OneOf            Code = "one-of"            // another member of the same union is set
	NotAllowed       Code = "not-allowed"       // the field may not be there: without it the object is valid
	ValueAndSource   Code = "value-and-source"  // an env var has both value and valueFrom
	Format           Code = "format"            // a text is not of the format that a custom resource asks for
	OtherType        Code = "other-type"        // a Service of this type cannot have the field
	SelectorMismatch Code = "selector-mismatch" // the pod template lacks labels of the selector
	Rule             Code = "rule"              // a rule of the definition (x-kubernetes-validations) does not hold
	RuleOnValue      Code = "rule-on-value"     // the same, with a message that is made of values
	StoredVersion    Code = "stored-version"    // a version that objects may be stored in is gone
	NoExpansion      Code = "no-expansion"      // the class of a claim does not let its volume grow
	Policy           Code = "policy"            // an admission policy does not allow the object
)

// The codes of faults that come before validation.
const (
	UnknownField     Code = "unknown-field"   // the kind has no such field
	BadValue         Code = "bad-value"       // of the wrong type, or no quantity, base64, time …
	DuplicateKey     Code = "duplicate-key"   // two items of a list have the same key
	NoMergeKey       Code = "no-merge-key"    // a list item lacks the key that its list merges by
	OtherManager     Code = "other-manager"   // a server-side apply conflicts with another manager
	Modified         Code = "modified"        // resourceVersion is not that of the live object
	OtherUID         Code = "other-uid"       // uid is not that of the live object
	ManagedFieldsSet Code = "managed-fields"  // the manifest of a server-side apply has managedFields
	PortTaken        Code = "port-taken"      // two ports have the same node port
	UnknownKind      Code = "unknown-kind"    // the server does not serve the kind
	NoObject         Code = "no-object"       // the document is a text, number or list
	MissingKind      Code = "missing-kind"    // the document has no kind
	Truncated        Code = "truncated"       // the snapshot ends within a list
	Untyped          Code = "untyped"         // a list of the snapshot names no kind
	NoName           Code = "no-name"         // apply needs metadata.name
	Absent           Code = "absent"          // something that the object needs is not in the cluster: its namespace, a class
	BadRecord        Code = "bad-record"      // the last-applied annotation of the live object is not a JSON object
	NotOwned         Code = "not-owned"       // the live object does not have the marks of the Helm release
	OtherNamespace   Code = "other-namespace" // metadata.namespace is not that of -n
	NoRight          Code = "no-right"        // the user may not make the request
	NotAs            Code = "not-as"          // a controller may not make the request as the user
	Escalates        Code = "escalates"       // the user may not grant what it does not have
)

// Fault is one cause for which an object is rejected.
type Fault struct {
	Code Code
	// Path is the field, in Object of the rejection; nil if the fault is about
	// no field in particular.
	Path fieldpath.Path
	// Field is Path as the server writes it, "" if it names no field.
	Field string
	// Type is the server's cause type ("Invalid value"), "" if it gives none.
	Type string
	// Value is what the field has, or what the fault is about: the value that
	// exists already, the version that is gone.
	Value Secret
	// Item is the step to the list item, of a DuplicateKey.
	Item fieldpath.Path
	// Key is the merge key that is missing, of NoMergeKey; Manager the one that
	// owns the field, as the server names it, of OtherManager.
	Key, Manager string
	// Wants says what a BadValue must be: a number, text, a list; "" if that is unknown.
	Wants string
	// Supported are the values that the field may have, of the type "Unsupported value"; of an
	// unknown field of a custom resource, the fields that may be set there and are not.
	Supported []string
	// Changed are the fields at or below Path that differ from the live ones, of an Immutable.
	Changed []fieldpath.Path
	// Lacks is the smallest role that gives the right, of NoRight, NotAs and Escalates.
	Lacks tree.Object
	// Detail is what the server says after the type and the value.
	Detail Text
	// Text is what is said of this fault alone: spec.replicas: Invalid value:
	// -1: must be greater than or equal to 0. It is empty if only the whole
	// rejection has a text.
	Text Text
}

// Secret is a value that is not meant to be printed: fmt shows Masked.
type Secret struct{ value any }

// Keep makes a Secret of a value.
func Keep(value any) Secret { return Secret{value} }

// Is reports whether it is that value.
func (s Secret) Is(value any) bool { return s.value != nil && tree.Equal(s.value, value) }

// String is always the same.
func (s Secret) String() string { return Value(s.value).String() }

// GoString is always the same.
func (s Secret) GoString() string { return s.String() }

// Warning is what kubectl prints after "Warning: ".
type Warning struct {
	Text
	// Path is the field of the object that it is about; nil if it names none.
	Path fieldpath.Path
	// By is who warns.
	By Warner
}

// Warner is who warns of an object.
type Warner uint8

// The warners. kubectl prints what it says itself each time, and each text of the
// server once a run (client-go rest NewWarningWriter).
const (
	Server Warner = iota
	Kubectl
	// Patcher is the part of kubectl that computes patches. It writes "warning: ".
	Patcher
)
