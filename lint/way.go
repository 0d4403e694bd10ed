package lint

import (
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/text/edit"
)

// Way is a way out of a finding that threeway rehearses before it says it: one that does not
// work, or harms, is not said. Its parts are done in the order of the fields, and then the
// manifest is applied as usual.
type Way struct {
	// Words say what to do, Command is the line of kubectl behind them, if it takes one, and
	// Then ends the sentence.
	Words, Command, Then string
	// Paths are the fields of the live object that the command is to change.
	Paths []fieldpath.Path
	// After is set if the command is run after the apply.
	After bool
	// Forget are fields that leave last-applied, in the editor of the command.
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
	SameFirst              // the same once more
)

func (w Way) String() string { return w.Words + w.Command + w.Then }

// Commands are the lines of kubectl in the fix of the finding. All have been rehearsed.
func (f *Finding) Commands() []string { return f.commands }

// say makes the fix of what a rule says and of the ways that work.
func (f *Finding) say(ways []string) {
	f.Fix = strings.Join(append(strings.Fields(f.Fix)[:0:0], nonEmpty(append([]string{f.Fix}, ways...))...), "; or ")
}

func nonEmpty(list []string) (out []string) {
	for _, s := range list {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}
