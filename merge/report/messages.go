package report

import (
	"bufio"
	"fmt"
	"io"

	"threeway/merge"
	"threeway/merge/manifest"
)

// Messages writes what belongs on stderr: problems of the input, kubectl's
// warnings, the refusals in kubectl's words with the place in the config, and,
// unless quiet, notes and the summary. It reports whether there was trouble:
// input that could not be read, or objects that would be refused.
func Messages(w io.Writer, plan *merge.Plan, opts Options, quiet bool) (trouble bool) {
	out := bufio.NewWriter(w)
	defer out.Flush()
	for _, p := range plan.Problems {
		if p.Severity == manifest.Error {
			trouble = true
		} else if quiet {
			continue
		}
		fmt.Fprintln(out, p)
	}
	for _, o := range plan.Outcomes {
		if !quiet {
			for _, text := range opts.view(o).Warnings {
				fmt.Fprintln(out, "Warning: "+text)
			}
		}
		if o.Action != merge.Rejected {
			continue
		}
		trouble = true
		fmt.Fprintln(out, opts.view(o).Refusal)
		writePlaces(out, o)
	}
	if quiet || trouble && len(plan.Outcomes) == 0 {
		return trouble
	}
	for _, c := range accidents(plan) {
		fmt.Fprintf(out, "Warning: %s would be pruned though its manifest is in %s: the config is only a part of the set\n", c.Live.ID(), place(c.Manifest))
	}
	for _, n := range plan.Notes {
		fmt.Fprintln(out, "note: "+n)
	}
	fmt.Fprintln(out, Summary(plan))
	return trouble
}

// writePlaces says where in the config each cause of a refusal stands.
func writePlaces(out *bufio.Writer, o *merge.Outcome) {
	said := false
	for _, c := range o.Refusal.Causes {
		path := c.Path()
		if len(path) == 0 || path[0].Field == "patch" {
			continue
		}
		line, column, _ := o.Config.Position(path)
		fmt.Fprintf(out, "  at %s:%d:%d: %s%s\n", o.Config.Origin.File, line, column, c.Field, fromTemplate(o.Config))
		said = true
	}
	if !said {
		line, column, _ := o.Config.Position(nil)
		fmt.Fprintf(out, "  at %s:%d:%d: %s%s\n", o.Config.Origin.File, line, column, o.Identity(), fromTemplate(o.Config))
	}
}

// fromTemplate names the Helm template that an object was rendered from.
func fromTemplate(o *manifest.Object) string {
	if o.Origin.Template == "" {
		return ""
	}
	return " (" + o.Origin.Template + ")"
}

// Errors counts the problems of the input that are errors.
func Errors(plan *merge.Plan) int {
	n := 0
	for _, p := range plan.Problems {
		if p.Severity == manifest.Error {
			n++
		}
	}
	return n
}

// Differing writes the names of the objects that would change or come new.
func Differing(w io.Writer, plan *merge.Plan, opts Options) (differ bool, err error) {
	out := bufio.NewWriter(w)
	for _, o := range plan.Outcomes {
		if opts.Differs(o) {
			differ = true
			fmt.Fprintln(out, Name(o.Config))
		}
	}
	if plan.Prune != nil {
		for _, c := range plan.Prune.Pruned() {
			differ = true
			fmt.Fprintln(out, Name(c.Live.Object()))
		}
	}
	return differ, out.Flush()
}
