package show

import (
	"strings"
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

// SetVerdict gives the plan another verdict, which knows more than it.
func (i *Digest) SetVerdict(v Verdict) { i.concluded = &v }

// Verdict says whether the apply is safe, and counts what is to be fixed first and what a
// person has to decide, each cause once.
func (i *Digest) Verdict() Verdict {
	if i.concluded != nil {
		return *i.concluded
	}
	causes := map[Level]int{}
	for _, level := range []Level{Stop, Look} {
		for _, d := range Of(i.Dangers(), level) {
			causes[level] += d.causes()
		}
	}
	var open planLine
	open.add(causes[Stop], "1 to fix", "%d to fix")
	if incomplete := Incomplete(i.facts.Plan.Gaps); incomplete != "" && causes[Stop] > 0 {
		open = append(open, incomplete)
	}
	open.add(causes[Look], "1 to decide", "%d to decide")
	accepted := map[string]bool{}
	for _, a := range i.besides.accepted {
		accepted[a.Says] = true
	}
	open.add(len(accepted), "1 accepted", "%d accepted")
	text := strings.Join(open, ", ")
	switch incomplete := i.Unknown(); {
	case causes[Stop] > 0:
		return Verdict{Level: Stop, Text: "Not safe to apply: " + text}
	case incomplete != "":
		return Verdict{Level: Unknown, Text: strings.TrimSuffix(incomplete+"; "+text, "; ")}
	case causes[Look] > 0:
		return Verdict{Level: Look, Text: "Needs review: " + text}
	case i.Changed() == 0:
		return Verdict{Level: None, Text: "No changes"}
	}
	if len(accepted) > 0 {
		return Verdict{Level: Fine, Text: "No other risks found; " + text}
	}
	return Verdict{Level: Fine, Text: "No risks found"}
}

// Conclusion is the plan line, after what the plan does not tell.
func (i *Digest) Conclusion() string {
	if text := i.Unknown(); text != "" {
		return text + ". " + i.PlanLine()
	}
	return i.PlanLine()
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
