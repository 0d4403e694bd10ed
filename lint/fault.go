package lint

import (
	"slices"
	"strings"
	"sync"

	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// Fault is one reason why an object is rejected: a fault of the outcome with
// its path in the manifest and its text, in which secrets are masked.
type Fault struct {
	fault.Fault
	// Detail is the part of the server's message after type and value. Text is
	// the message about this fault alone, or about the whole object.
	Detail, Text string
	// At is set if the position was already known when the file was read.
	At Position
}

// Faults lists why the object is rejected; nil if it is not.
func (o *Object) Faults() []Fault { return o.faults }

// faults returns the faults of an outcome with their texts.
func faults(out *rehearsal.Outcome, masked bool) []Fault {
	if out.Rejection == nil {
		return nil
	}
	var list []Fault
	whole := sync.OnceValue(func() string { return oneLine(out.Rejection.About(fault.Fault{}).MaskedIf(masked)) })
	for _, f := range out.Faults() {
		words := Fault{Fault: f, Detail: f.Detail.MaskedIf(masked)}
		switch {
		case !f.Text.Empty():
			words.Text = f.Text.MaskedIf(masked)
		case f.Detail.Empty():
			words.Text = whole()
		default:
			words.Text = oneLine(out.Rejection.About(f).MaskedIf(masked))
		}
		list = append(list, words)
	}
	if list == nil {
		list = []Fault{{Text: oneLine(out.Rejection.Brief().MaskedIf(masked))}}
	}
	return list
}

// follows reports whether the server does not find what a container mounts because the volume itself is
// wrong, of which another fault tells.
func (o *Object) follows(f Fault) bool {
	n := slices.IndexFunc(f.Path, func(s fieldpath.Step) bool { return s.Field == "volumeMounts" })
	if f.Type != "Not found" || n < 2 {
		return false
	}
	name, _ := f.Path.Find(o.Rejection.Object)
	spec, _ := f.Path[:n-2].Find(o.Rejection.Object)
	return name != nil && slices.ContainsFunc(tree.List(spec, "volumes"), func(v any) bool { return tree.Map(v)["name"] == name })
}

// Say is a text about the object, with its values unless the object holds secrets.
func (o *Object) Say(t fault.Text) string { return t.MaskedIf(o.masked) }

// Told is a text about an object that may not be in the manifests, with its values unless
// the object holds secrets.
func (p *Pass) Told(o *manifest.Object, t fault.Text) string { return t.MaskedIf(p.isSecret(o)) }

// Rejection is why an outcome of another rehearsal is rejected, with its values unless
// its object holds secrets.
func (p *Pass) Rejection(out *rehearsal.Outcome) string {
	return out.Rejection.Brief().MaskedIf(out.HasSecrets(p.Secrets))
}

func oneLine(text string) string { return strings.ReplaceAll(text, "\n", " ") }

// problemObject returns an Object for a manifest that was rejected while
// reading.
func problemObject(p manifest.Problem, in *Input) *Object {
	no := fault.Refuse(fault.Words("%s", p.Text), p.Fault)
	o := newObject(&rehearsal.Outcome{By: in.Plan.By, Run: &rehearsal.Run{Options: rehearsal.Options{Minor: in.Plan.Minor}}, Kind: p.Object.Kind, Manifest: p.Object, Action: rehearsal.Rejected, Answer: rehearsal.Answer{Rejection: no}}, nil, in)
	o.faults = []Fault{{Fault: p.Fault, Text: oneLine(p.Fault.Text.String()), At: Position{File: p.File, Line: p.Line, Column: p.Column}}}
	return o
}
