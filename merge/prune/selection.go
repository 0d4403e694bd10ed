package prune

import (
	"strings"

	"threeway/merge/text/shell"
)

// Selection is a way to select what is pruned. Source says where it is
// recorded and Root for which directory, the others are kubectl's flags.
type Selection struct {
	Source    string
	Root      string
	Namespace string
	Selector  string
	All       bool
	Allowlist []string
	ApplySet  string
}

// Selects reports whether the record says what is selected, and not only where.
func (s *Selection) Selects() bool {
	return s.ApplySet != "" || s.Selector != "" || s.All || len(s.Allowlist) > 0
}

// String gives the flags that make the selection.
func (s *Selection) String() string {
	var flags []string
	for _, a := range s.Args() {
		flags = append(flags, a.String())
	}
	if flags == nil {
		return "without selection"
	}
	return strings.Join(flags, " ")
}

// Args are the flags that make the selection, for a command line.
func (s *Selection) Args() (flags []shell.Arg) {
	if s.ApplySet != "" {
		flags = append(flags, shell.Flag("--applyset=", s.ApplySet))
	}
	if s.Selector != "" {
		flags = append(flags, shell.Flag("-l", s.Selector))
	}
	if s.All {
		flags = append(flags, shell.Option("--all"))
	}
	for _, kind := range s.Allowlist {
		flags = append(flags, shell.Flag("--prune-allowlist=", kind))
	}
	return flags
}
