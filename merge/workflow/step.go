package workflow

import (
	"threeway/merge/manifest"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

// Step is one thing that a person does on a way of several.
type Step struct {
	// Text is the order, a sentence without a period.
	Text string
	// Applies tells that the manifests are applied, as Edits change them: without edits as they
	// are.
	Applies bool
	Edits   []Edited
	// Files are how that changes the files since the step before; nil until it is worked out.
	Files []FileChange
	// Commands are run after that.
	Commands []string
	// Input is the object that the first command reads from stdin, nil if none.
	Input tree.Object
	// Meanwhile is what holds until the next step is done; "" if there is nothing to say.
	Meanwhile string
}

// Edited is a manifest with changes that it does not have in the end.
type Edited struct {
	Manifest *manifest.Object
	Edits    []edit.Edit
}

// FileChange is a change of a file. Why says what keeps its text from being edited; then Edits of
// an object are for a person, and without any those of the step before are undone.
type FileChange struct {
	File string
	// Texts are the whole text before and after, as it may be shown, made when it is asked for.
	Texts  func() (before, after string)
	Why    string
	Object manifest.Identity
	Edits  []edit.Edit
}
