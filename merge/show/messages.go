package show

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"

	"threeway/merge"
	"threeway/merge/fault"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/text/phrase"
	"threeway/merge/text/visible"
)

// Messages writes what belongs on stderr: problems of the input, kubectl's
// warnings, the rejections in kubectl's words with the place in the config, and,
// unless quiet, notes and the summary. It reports whether there was trouble:
// input that could not be read, or objects that would be refused.
func Messages(w io.Writer, plan *merge.Plan, opts Options, quiet bool) (trouble bool) {
	trouble = Trouble(w, plan, opts, quiet)
	if !quiet && (!trouble || len(plan.Outcomes) > 0) {
		fmt.Fprintln(w, Summary(plan, opts))
		if opts.Digest != nil {
			fmt.Fprintln(w, opts.Digest.Conclusion())
		}
	}
	return trouble
}

// Trouble is Messages without the summary.
func Trouble(w io.Writer, plan *merge.Plan, opts Options, quiet bool) (trouble bool) {
	out := bufio.NewWriter(w)
	defer out.Flush()
	said := warnings{opts: opts}
	defer said.leftOut(out) // before the flush
	for _, p := range plan.Problems {
		if p.Severity == manifest.Error {
			trouble = true
		} else if quiet {
			continue
		}
		if said.more("problem") {
			fmt.Fprintln(out, p)
		}
	}
	listed := plan.ListsRejections() && !opts.Apart
	for _, o := range plan.Outcomes {
		if !quiet {
			for head, text := range said.of(o) {
				if said.more("warning") {
					fmt.Fprintln(out, head+text)
				}
			}
		}
		if o.Action == rehearsal.Rejected {
			if trouble = true; said.more("rejection") {
				out.WriteString(rejection(o, opts, listed))
			}
		}
	}
	if plan.Prune.Error() != "" {
		trouble = true
		Say(out, "error: ", plan.Prune.Failed)
	}
	if quiet || trouble && len(plan.Outcomes) == 0 {
		return trouble
	}
	Say(out, "Warning: ", plan.Warnings...)
	Say(out, "Warning: ", Accidents(plan.Prune)...)
	Say(out, "note: ", plan.Notes...)
	return trouble
}

// Say writes each text on a line of its own, after a head of ours.
func Say(out io.Writer, head string, texts ...string) {
	for _, text := range texts[:min(len(texts), mostMessages)] {
		fmt.Fprintln(out, head+visible.Line(text))
	}
	if more := len(texts) - mostMessages; more > 0 {
		fmt.Fprintf(out, "%s%d more of these are not listed\n", head, more)
	}
}

// mostMessages is how many messages of one kind are written for people; the rest is counted.
const mostMessages = 1000

// Warnings are those of kubectl and the server about objects.
func Warnings(outcomes []*rehearsal.Outcome, opts Options) (list []string) {
	said := warnings{opts: opts}
	for _, o := range outcomes {
		for _, text := range said.of(o) {
			list = append(list, text)
		}
	}
	return list
}

// warnings are those of a run. Each text of the server is said once, as kubectl does.
type warnings struct {
	opts  Options
	said  map[string]bool
	count map[string]int
}

// more counts a message of a kind and reports whether it is written.
func (w *warnings) more(kind string) bool {
	if w.count == nil {
		w.count = map[string]int{}
	}
	w.count[kind]++
	return w.count[kind] <= mostMessages
}

// leftOut says how many messages were not written.
func (w *warnings) leftOut(out io.Writer) {
	for _, kind := range slices.Sorted(maps.Keys(w.count)) {
		if n := w.count[kind] - mostMessages; n > 0 {
			fmt.Fprintf(out, "note: %s not listed; -o json has all\n", phrase.Count(n, "more "+kind))
		}
	}
}

// of are the warnings about an object that are said now, each after its head.
func (w *warnings) of(o *rehearsal.Outcome) iter.Seq2[string, string] {
	return func(yield func(head, text string) bool) {
		if o.Warnings == nil {
			return
		}
		shown := w.opts.view(o).Warnings
		for i, said := range o.Warnings {
			text := shown[i]
			if said.By != fault.Patcher { // which quotes objects, in lines
				text = visible.Line(text)
			}
			if !w.repeats(said, text) && !yield(heads[said.By], text) {
				return
			}
		}
	}
}

// repeats reports whether the server has said the same in this run.
func (w *warnings) repeats(said fault.Warning, text string) bool {
	if said.By != fault.Server {
		return false
	}
	if w.said == nil {
		w.said = map[string]bool{}
	}
	again := w.said[text]
	w.said[text] = true
	return again
}

// heads are how kubectl begins a warning.
var heads = map[fault.Warner]string{fault.Server: "Warning: ", fault.Kubectl: "Warning: ", fault.Patcher: "warning: "}

// Rejection is why a rejected object is not applied, in kubectl's words, and
// where in the config each fault stands, in lines.
func Rejection(o *rehearsal.Outcome, opts Options) string { return rejection(o, opts, false) }

// rejection is [Rejection], or what kubectl makes of it in a list of several.
func rejection(o *rehearsal.Outcome, opts Options, listed bool) string {
	out := &strings.Builder{}
	view := opts.view(o)
	if listed {
		view.Rejected = view.Listed
	}
	fmt.Fprintln(out, view.Rejected)
	said := false
	for i, f := range o.Rejection.Faults {
		if i == mostMessages {
			fmt.Fprintf(out, "  and %s in this object\n", phrase.Count(len(o.Rejection.Faults)-i, "more fault"))
			break
		}
		if len(f.Path) == 0 {
			continue
		}
		name := f.Path.String()
		if f.Type != "" {
			name = f.Field
		}
		at := o.Place(f.Path)
		fmt.Fprintf(out, "  at %s:%d:%d: %s%s\n", visible.Line(at.File), at.Line, at.Column, visible.Line(name), fromTemplate(o.Manifest))
		said = true
	}
	for i, f := range o.Faults()[len(o.Rejection.Faults):] {
		if i == mostMessages {
			fmt.Fprintf(out, "  also: %s in this object\n", phrase.Count(len(o.Faults())-len(o.Rejection.Faults)-i, "more fault"))
			break
		}
		at := o.Manifest.Place(f.Path)
		fmt.Fprintf(out, "  also: %s:%d:%d: %s\n", visible.Line(at.File), at.Line, at.Column, visible.Line(f.Text.String()))
	}
	if !said {
		at := o.Manifest.Place(nil)
		fmt.Fprintf(out, "  at %s:%d:%d: %s%s\n", visible.Line(at.File), at.Line, at.Column, o.Identity(), fromTemplate(o.Manifest))
	}
	return out.String()
}

// fromTemplate names the Helm template that an object was rendered from.
func fromTemplate(o *manifest.Object) string {
	if o.Origin.Template == "" {
		return ""
	}
	return " (" + o.Origin.Template + ")"
}

// Errors counts the problems of the input that are errors.
func Errors(problems []manifest.Problem) (n int) {
	for _, p := range problems {
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
			fmt.Fprintln(out, Name(o.Manifest))
		}
	}
	for _, c := range plan.Prune.Pruned() {
		differ = true
		fmt.Fprintln(out, Name(c.Live.Object()))
	}
	return differ, out.Flush()
}
