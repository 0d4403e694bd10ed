package merge

import (
	"fmt"
	"slices"
	"strings"

	"threeway/merge/prune"
	"threeway/merge/schema"
	"threeway/merge/selector"
	"threeway/merge/text/shell"
)

// otherSelection says what the selection recorded for the set would prune and
// this one keeps, and the reverse: after a change of selector, allowlist or
// mode objects go that were never meant to, or are left behind.
func (r *run) otherSelection(p *pruning, visited prune.Visited, now *prune.Result) []string {
	rec := p.Recorded
	if !rec.Selects() {
		return nil
	}
	if rec.ApplySet != p.ApplySet {
		return []string{fmt.Sprintf("%s records --prune %s, but this run uses %s, which does not see the same objects",
			rec.Source, rec, p.Selection())}
	}
	if rec.ApplySet != "" || rec.String() == p.Selection().String() {
		return nil
	}
	labels, err := selector.Parse(rec.Selector)
	if err != nil {
		return []string{fmt.Sprintf("%s records the selector %q, which cannot be read: %v", rec.Source, rec.Selector, err)}
	}
	kinds, err := prune.ParseKinds(rec.Allowlist, func(k schema.Kind) (bool, bool) {
		serves, _ := r.Catalog.Serves(k)
		namespaced, _ := r.Catalog.Scope(k)
		return namespaced, serves
	})
	if err != nil {
		return []string{fmt.Sprintf("%s records an allowlist that cannot be read: %v", rec.Source, err)}
	}
	opts := r.allowlist(p)
	opts.Kinds, opts.Selector, opts.SelectorText = kinds, labels, rec.Selector
	was := names(prune.ByAllowlist(r.Live, visited, opts))
	is := names(now)
	var notes []string
	if more := missing(is, was); len(more) > 0 {
		notes = append(notes, fmt.Sprintf("this run prunes objects that the selection in %s (%s) would not: %s", rec.Source, rec, strings.Join(more, ", ")))
	}
	if left := missing(was, is); len(left) > 0 {
		notes = append(notes, fmt.Sprintf("this run keeps objects that the selection in %s (%s) would prune: %s", rec.Source, rec, strings.Join(left, ", ")))
	}
	return notes
}

// Selection is how the run selects what is pruned.
func (p *PruneOptions) Selection() *PruneSelection {
	return &PruneSelection{Selector: p.SelectorText, All: p.All, Allowlist: p.Allowlist, ApplySet: p.ApplySet}
}

// Selects reports whether the record says what is selected, and not only where.
func (s *PruneSelection) Selects() bool {
	return s.ApplySet != "" || s.Selector != "" || s.All || len(s.Allowlist) > 0
}

// String gives the flags that make the selection.
func (s *PruneSelection) String() string {
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
func (s *PruneSelection) Args() (flags []shell.Arg) {
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

func names(r *prune.Result) []string {
	var list []string
	for _, c := range r.Pruned() {
		list = append(list, c.Live.ID().String())
	}
	return list
}

// missing lists what is in a and not in b.
func missing(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
}
