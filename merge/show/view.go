// Package show writes what a rehearsal found: kubectl's unified diff, the
// fields with their reasons, the objects, patches and words of an apply. It
// writes to the writer it is given and knows no terminal: colour is a function
// that the caller supplies.
//
// Every output goes through View, the one place where Secrets are masked.
package show

import (
	"strings"
	"time"

	"threeway/merge/explain"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/mask"
	"threeway/merge/parallel"
	"threeway/merge/rehearsal"
	"threeway/merge/text/visible"
	"threeway/merge/tree"
)

// Options say how to show a plan.
type Options struct {
	// Cores is how many objects are written at a time.
	Cores       parallel.Cores
	ShowSecrets bool
	// Secrets says what is masked besides the values of Secrets.
	Secrets           *mask.Policy
	ShowManagedFields bool
	// IgnoreManagers name owners whose fields are not compared.
	IgnoreManagers []string
	// WithoutBookkeeping leaves out what every apply changes besides: the
	// last-applied annotation and the generation.
	WithoutBookkeeping bool
	// Apart words each rejection as kubectl does if it rejects nothing else, so
	// that what a program reads of one object does not hang on the others.
	Apart   bool
	Context int // lines around a change; kubectl's diff has 3
	// AllFields shows what the cluster keeps for itself too.
	AllFields bool
	// Explain adds to a diff of texts why each field is as it is.
	Explain bool
	// Width is that of the terminal in columns, 0 if there is none.
	Width int
	// Newest is the newest write of the snapshot. Since leaves out drift that is older by
	// more; 0 shows all.
	Newest string
	Since  time.Duration
	// ManifestsGiven tells that drift compares with manifests, not with what was applied.
	ManifestsGiven bool
	// Paint colours a piece of text; nil leaves it as it is.
	Paint func(Style, string) string
	// Digest is what the apply does to what runs, for the plan line and the plan
	// in JSON; nil leaves them out.
	Digest *Digest
}

// Style is what a piece of text is, for Paint.
type Style uint8

// The styles.
const (
	Plain Style = iota
	Header
	HunkHeader
	Addition
	Removal
	AddedWord   // what changed inside an added line
	RemovedWord // what changed inside a removed line
	Muted
	Strong
	Changed // another value
)

func (o Options) paint(s Style, text string) string {
	if o.Paint == nil || text == "" {
		return text
	}
	return o.Paint(s, text)
}

// View is an outcome as it may be shown: trees without managedFields, Secrets
// masked.
type View struct {
	*rehearsal.Outcome
	Before, Result tree.Object
	Patch          tree.Object
	Changes        func() []explain.Change
	Aligned        func() explain.Aligned
	Rejected       string  // kubectl's text of the rejection
	Brief          string  // the same without what kubectl wraps around it
	Listed         string  // that where kubectl lists several
	Causes         []Cause // of the rejection
	Warnings       []string
}

// Cause is one cause of a rejection as the API lists it, in words.
type Cause struct {
	Field, Type, Detail, Text string
	Path                      fieldpath.Path // in the rejected object
}

// view prepares an outcome for showing.
func (o Options) view(out *rehearsal.Outcome) View {
	masked := !o.ShowSecrets && out.HasSecrets(o.Secrets)
	out = o.compared(out)
	v := View{Outcome: out, Before: out.Before, Result: out.Result, Patch: out.Patch, Changes: func() []explain.Change { return explain.Changes(out) }, Aligned: func() explain.Aligned { return explain.Align(out) }}
	for _, text := range out.Warnings {
		v.Warnings = append(v.Warnings, text.MaskedIf(masked))
	}
	if no := out.Rejection; no != nil {
		v.Rejected, v.Listed, v.Brief = no.Text().MaskedIf(masked), no.Listed().MaskedIf(masked), no.Brief().MaskedIf(masked)
		for _, c := range no.Causes() {
			if c.Patch {
				v.Brief = c.Detail.MaskedIf(masked) // without the patch, which the text quotes
			}
			v.Causes = append(v.Causes, Cause{c.Field, c.Type, c.Detail.MaskedIf(masked), c.Text.MaskedIf(masked), c.Path})
		}
	}
	if o.ShowManagedFields {
		v.Result = out.Stored()
	} else {
		v.Before, v.Result = tree.WithoutManagedFields(v.Before), tree.WithoutManagedFields(v.Result)
	}
	if !masked {
		return v
	}
	v.Before, v.Result = o.Secrets.Pair(v.Before, v.Result)
	v.Before, v.Result = out.HidePair(o.Secrets, v.Before, v.Result)
	v.Patch = o.Secrets.As(out.Manifest.Tree, v.Patch)
	hidden := out.Masked(o.Secrets)
	v.Changes, v.Aligned = func() []explain.Change { return explain.Changes(hidden) }, func() explain.Aligned { return explain.Align(hidden) }
	return v
}

// compared is an outcome without what is not to be compared.
func (o Options) compared(out *rehearsal.Outcome) *rehearsal.Outcome {
	out = explain.Ignoring(out, o.IgnoreManagers)
	if !o.WithoutBookkeeping {
		return out
	}
	c := *out
	for _, p := range bookkept {
		c.Before, c.Result = tree.Map(p.Without(c.Before)), tree.Map(p.Without(c.Result))
	}
	return &c
}

// Differs reports whether kubectl diff would print something for the outcome.
func (o Options) Differs(out *rehearsal.Outcome) bool {
	if out.Action != rehearsal.Configured {
		return out.Action == rehearsal.Created
	}
	return altered(o.compared(out))
}

// altered reports whether the two objects of an outcome differ, but for managedFields.
func altered(out *rehearsal.Outcome) bool {
	return !tree.Equal(tree.WithoutManagedFields(out.Before), tree.WithoutManagedFields(out.Result))
}

// live prepares a live object that is shown alone.
func (o Options) live(obj tree.Object) tree.Object {
	if !o.ShowManagedFields {
		obj = tree.WithoutManagedFields(obj)
	}
	if !o.ShowSecrets {
		obj = o.Secrets.Object(obj)
	}
	return obj
}

// name is kubectl diff's name for an object's file
// (kubectl pkg/cmd/diff/diff.go InfoObject.Name).
func name(o *manifest.Object) string {
	name := ""
	if o.Kind.Group != "" {
		name = o.Kind.Group + "."
	}
	name += strings.Join([]string{o.Kind.Version, o.Kind.Kind, o.Namespace, o.Name}, ".")
	return strings.ReplaceAll(visible.Line(name), "/", "_")
}
