package lint

import (
	"strings"

	"threeway/merge"
	"threeway/merge/fault"
	"threeway/merge/manifest"
)

// Fault is one reason for which an object is rejected: a fault of the outcome
// with its path in the manifest and its words, in which secrets are masked.
type Fault struct {
	fault.Fault
	// Detail is what the server says after type and value; Text is what is said
	// of the fault alone, or of the whole object.
	Detail, Text string
	// At is set where reading the file has found the place already.
	At Position
}

// Faults lists why the object is rejected; nil if it is not.
func (o *Object) Faults() []Fault { return o.faults }

// faults puts those of an outcome into words.
func faults(out *merge.Outcome, masked bool) []Fault {
	if out.Rejection == nil {
		return nil
	}
	var list []Fault
	for _, f := range out.Faults() {
		words := Fault{Fault: f, Detail: f.Detail.MaskedIf(masked), Text: out.Rejection.About(f).MaskedIf(masked)}
		if f.Text.Empty() {
			words.Text = oneLine(words.Text)
		}
		list = append(list, words)
	}
	if list == nil {
		list = []Fault{{Text: oneLine(out.Rejection.Brief().MaskedIf(masked))}}
	}
	return list
}

func oneLine(text string) string { return strings.ReplaceAll(text, "\n", " ") }

// problemObject makes an outcome of an object that was refused while reading.
func problemObject(p manifest.Problem, in Input) *Object {
	no := fault.Refuse(fault.Words("%s", p.Text), p.Fault)
	o := newObject(&merge.Outcome{Kind: p.Object.Kind, Config: p.Object, Action: merge.Rejected, Rejection: no}, nil, in)
	o.faults = []Fault{{Fault: p.Fault, Text: oneLine(p.Fault.Text.String()), At: Position{File: p.File, Line: p.Line, Column: p.Column}}}
	return o
}
