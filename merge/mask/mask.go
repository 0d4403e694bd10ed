// Package mask says which values of an object are secret, and hides them: those
// of Secrets, as kubectl diff does (kubectl pkg/cmd/diff/diff.go, Masker) and more
// strictly, and those that a Policy declares. There is one definition, find, for all
// that hides values: what is printed has a mask in their place, and package redact
// puts tokens there.
//
// Secret are: the values of data and stringData of what is, or was meant to be, a
// Secret, and its fields that no Secret has, which are often misspelled ones; the
// same of a Secret inside another object, also as JSON or YAML in a text; the
// declared fields and variables; and copies of all of them in the same object, in
// annotations such as last-applied and in managedFields.
//
// Keys stay visible, and so does whether a value changed.
package mask

import "threeway/merge/fault"

// What is shown in place of a value.
const (
	Value  = fault.Masked
	Before = Value + before // it differs in the other object of the pair
	After  = Value + after

	before = " (before)"
	after  = " (after)"
)
