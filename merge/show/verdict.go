package show

import (
	"fmt"
	"strings"

	"threeway/merge/text/phrase"
)

// Level is how much a plan asks for a person.
type Level string

// The levels, the worst first.
const (
	// Stop: objects are rejected, or traffic, data or a rollout is lost.
	Stop Level = "stop"
	// Unknown: the plan does not tell everything.
	Unknown Level = "unknown"
	// Look: a person should look at it first.
	Look Level = "look"
	// Fine: changes, and nothing of the above.
	Fine Level = "fine"
	// None: no changes.
	None Level = "none"
)

// Verdict is the first thing to know of a plan.
type Verdict struct {
	Level Level  `json:"level"`
	Text  string `json:"text"`
	// Answer is that of the guard, "" if it was not asked.
	Answer string `json:"answer,omitempty"`
}

// Conclude gives the plan another verdict, which knows more than it.
func (i *Digest) Conclude(v Verdict) { i.concluded = &v }

// Verdict says what stops an apply, or else what a person should look at, and how much
// goes through besides.
func (i *Digest) Verdict() Verdict {
	if i.concluded != nil {
		return *i.concluded
	}
	of := map[Level][]string{}
	named := map[string]bool{}
	for _, d := range i.Dangers() {
		of[d.Level] = append(of[d.Level], d.Text)
		for _, c := range d.Shared {
			for _, object := range c.Objects {
				if d.Level == Stop {
					named[object] = true
				}
			}
		}
	}
	others := 0
	for _, o := range i.changing {
		if !o.Stopped && !named[o.Identity().String()] {
			others++
		}
	}
	incomplete := i.Unknown()
	switch {
	case of[Stop] != nil:
		parts := of[Stop]
		if incomplete != "" {
			parts = append(parts, Incomplete(i.facts.Plan.Gaps))
		}
		text := "Not safe to apply: " + strings.Join(parts, ", ")
		switch {
		case others == 1:
			text += "; 1 other change goes through"
		case others > 1:
			text += fmt.Sprintf("; the other %d changes go through", others)
		}
		return Verdict{Level: Stop, Text: text}
	case incomplete != "" && of[Look] != nil:
		return Verdict{Level: Unknown, Text: incomplete + "; look before you apply: " + strings.Join(of[Look], ", ")}
	case incomplete != "":
		return Verdict{Level: Unknown, Text: incomplete}
	case of[Look] != nil:
		return Verdict{Level: Look, Text: "Look before you apply: " + strings.Join(of[Look], ", ")}
	case i.Changed() == 0:
		return Verdict{Level: None, Text: "No changes"}
	}
	return Verdict{Level: Fine, Text: "No risks found: " + phrase.Count(i.Changed(), "change") + strings.Join(append([]string{""}, of[Fine]...), ", ")}
}

// Changed counts the objects that change.
func (i *Digest) Changed() int {
	return i.counts.Created + i.counts.Renamed + i.counts.Configured + i.counts.Pruned
}

// Unknown says how much the plan does not tell, as a sentence; "" if it tells everything.
func (i *Digest) Unknown() string {
	text := Incomplete(i.facts.Plan.Gaps)
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
