package show

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"threeway/merge"
	"threeway/merge/rehearsal"
	"threeway/merge/text/phrase"
)

// Fields writes every object that would change, and for each of its fields a
// sign, the path, old and new value, the reason and an explanation, with an empty
// line between objects. Long values are shortened. Why an object is rejected, Messages says. It reports whether
// anything would change.
func Fields(w io.Writer, plan *merge.Plan, opts Options) (differ bool, err error) {
	some, err := inParts(w, opts.Cores, len(plan.Outcomes), "\n", func(out *bufio.Writer, i int) {
		o := plan.Outcomes[i]
		changes := opts.shown(opts.view(o).Changes())
		if o.Action != rehearsal.Rejected && len(changes) == 0 && !opts.Differs(o) {
			return
		}
		fmt.Fprintf(out, "%s %s\n", opts.paint(Strong, o.Identity().String()), actionText(o, opts))
		if len(changes) == 0 && o.Action == rehearsal.Configured {
			fmt.Fprintln(out, opts.paint(Muted, "  only fields that kubectl and the server set themselves, such as the last-applied annotation"))
		}
		writeChanges(out, brief(changes, o.Action == rehearsal.Created), opts)
	})
	if err != nil {
		return false, err
	}
	out := bufio.NewWriter(w)
	if some && len(plan.Prune.All()) > 0 {
		out.WriteByte('\n')
	}
	for _, c := range plan.Prune.All() {
		out.WriteString(Candidate(c, opts))
	}
	return slices.ContainsFunc(plan.Outcomes, opts.Differs) || Count(plan, opts).Pruned > 0, out.Flush()
}

// actionText is what happens to an object, in the words of the counts.
func actionText(o *rehearsal.Outcome, opts Options) string {
	action, style := o.Action, Plain
	switch {
	case o.Stopped:
		action = rehearsal.NotApplied
	case action == rehearsal.Created:
		style = Addition
	case action == rehearsal.Rejected:
		style = Removal
	case !opts.Differs(o): // as it is counted
		action = rehearsal.Unchanged
	}
	text := opts.paint(style, string(action))
	if more := dryRun(o); more != "" {
		text += " (" + more + ")"
	}
	return text
}

// dryRun says what the real apply of objects does that these outcomes do not show; "" if
// it does nothing else.
func dryRun(outcomes ...*rehearsal.Outcome) string {
	n := 0
	for _, o := range outcomes {
		if o.Migration != nil && !o.Migration.Shown {
			n += len(o.Migration.Removed)
		}
	}
	if n == 0 {
		return ""
	}
	return "dry run: the real apply removes " + phrase.Count(n, "more field")
}
