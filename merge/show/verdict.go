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
}

// Verdict says what stops an apply, or else what a person should look at, and how much
// goes through besides.
func (i *Digest) Verdict() Verdict {
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
	incomplete := Incomplete(i.facts.Plan.Unknown)
	switch {
	case of[Stop] != nil:
		parts := of[Stop]
		if incomplete != "" {
			parts = append(parts, incomplete)
		}
		text := "Not safe to apply: " + strings.Join(parts, ", ")
		switch {
		case others == 1:
			text += "; 1 other change goes through"
		case others > 1:
			text += fmt.Sprintf("; the other %d changes go through", others)
		}
		return Verdict{Stop, text}
	case incomplete != "":
		return Verdict{Unknown, strings.ToUpper(incomplete[:1]) + incomplete[1:]}
	case of[Look] != nil:
		return Verdict{Look, "Look before you apply: " + strings.Join(of[Look], ", ")}
	case i.Changed() == 0:
		return Verdict{None, "No changes"}
	}
	return Verdict{Fine, "No danger found: " + phrase.Count(i.Changed(), "change") + strings.Join(append([]string{""}, of[Fine]...), ", ")}
}

// Changed counts the objects that change.
func (i *Digest) Changed() int {
	return i.counts.Created + i.counts.Renamed + i.counts.Configured + i.counts.Pruned
}
