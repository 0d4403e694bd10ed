package lint

import (
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/text/edit"
	"threeway/merge/text/phrase"
	"threeway/merge/text/shell"
)

// Way is a way out of a finding that threeway rehearses before it says it: one that does not
// work, or harms, is not said. Its parts are done in the order of the fields, and then the
// manifest is applied as usual.
type Way struct {
	// Words say what to do, Commands are the lines of kubectl behind them, if it takes some,
	// and Then ends the sentence. A way of words alone is not rehearsed.
	Words    string
	Commands []string
	Then     string
	// Paths are the fields of the live object that the commands are to change.
	Paths []fieldpath.Path
	// After is set if the commands are run after the apply.
	After bool
	// Forget are fields that leave last-applied, in the editor that the command opens.
	Forget []fieldpath.Path
	// Edits are those of the manifest.
	Edits []edit.Edit
	// First is an apply before the usual one.
	First FirstApply
	// Instead is said if the way does not work, with WHY in place of the reason; "" says
	// nothing.
	Instead string
}

// FirstApply is an apply that comes before the usual one.
type FirstApply uint8

// The applies that may come first.
const (
	NoFirst     FirstApply = iota
	ServerFirst            // --server-side --force-conflicts
	ClientFirst            // without --server-side
	SameFirst              // the same once more
	ServerOnly             // --server-side --force-conflicts, instead of the usual apply
)

// String is the words with the commands.
func (w Way) String() string { return w.Words + strings.Join(w.Commands, " && ") + w.Then }

// Behind is the way with words before it.
func (w Way) Behind(words string) Way {
	w.Words = words + w.Words
	return w
}

// Forgetting is the command in whose editor fields of the object leave last-applied.
func (o *Object) Forgetting() []string {
	return []string{shell.Line("kubectl apply edit-last-applied", o.Target())}
}

// plain reports whether a way is nothing but words.
func (w Way) plain() bool {
	return w.Commands == nil && w.Edits == nil && w.First == NoFirst && w.Forget == nil
}

// Commands are the lines of kubectl in the fix of the finding. All have been rehearsed.
func (f *Finding) Commands() []string { return f.commands }

// Way is the first step of the remedy, or why no steps are known; "" without a remedy.
func (f *Finding) Way() string {
	switch r := f.Remedy; {
	case r == nil:
		return ""
	case r.Steps == nil:
		return "no steps are known (" + r.ID + "): " + r.Why
	default:
		first := r.Steps[0].Text
		if c := r.Steps[0].Commands; len(c) > 0 {
			first += ": " + c[0]
		}
		return phrase.Count(len(r.Steps), "rehearsed step") + " (" + r.ID + "), first: " + first + "; all: threeway review --steps"
	}
}

// say makes the fix of what a rule says and of the ways that work.
func (f *Finding) say(ways []string) {
	for _, way := range ways {
		switch {
		case way == "" || f.Fix == "":
			f.Fix += way
		case strings.HasPrefix(way, "to "):
			f.Fix += "; " + way
		default:
			f.Fix += "; or " + way
		}
	}
}
