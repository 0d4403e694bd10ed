package show

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"threeway/merge"
	"threeway/merge/explain"
	"threeway/merge/text/phrase"
	"threeway/merge/text/yamltext"
	"threeway/merge/tree"
	"threeway/merge/workflow"
)

// Handover writes the steps of a handover, each with its command and what it
// would do. Commands and diffs begin at the left, to be copied.
func Handover(w io.Writer, h *workflow.Handover, opts Options) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s %s: from the manifest to another manager; it is %s\n", opts.paint(Strong, h.Outcome.Identity().String()), h.Path, liveValue(h, opts))
	for i, s := range h.Steps {
		style := Plain
		if !s.Stays {
			style = Removal
		}
		writeStep(out, i, s.Step, opts, annotationDiff(s, opts))
		writeBlock(out, opts.paint(style, effect(h, s, opts)))
	}
	writeBlock(out, hasty(h, opts))
	return out.Flush()
}

// HandoverSummary is the line at the end.
func HandoverSummary(plan *merge.Plan, h *workflow.Handover) string {
	verdict := "the field keeps its value throughout"
	if !h.Holds() {
		verdict = "the field does not keep its value"
	}
	return fmt.Sprintf("%s; %s; %s", phrase.Count(len(h.Steps), "step"), verdict, Rehearsed(plan))
}

// annotationDiff is what changes of last-applied, where it is changed by hand.
func annotationDiff(s workflow.HandoverStep, opts Options) string {
	if s.Do != workflow.EditLastApplied || !strings.Contains(s.Commands[0], " edit-last-applied ") {
		return ""
	}
	old, new := s.Old, s.New
	if !opts.ShowSecrets {
		old, new = opts.Secrets.Pair(old, new)
	}
	return diffText("last-applied", "last-applied", yamltext.YAML(old), yamltext.YAML(new), opts)
}

// effect says what a step does to the live object.
func effect(h *workflow.Handover, s workflow.HandoverStep, opts Options) string {
	if s.Outcome == nil {
		if s.Do == workflow.EditLastApplied {
			return fmt.Sprintf("Rehearsed: %s stays %s; only the annotation changes", h.Path, liveValue(h, opts))
		}
		return ""
	}
	value, there := h.Path.Find(maskedUnless(opts, s.Outcome.Result))
	if s.Do == workflow.LeaveToWriter {
		if !s.Stays {
			return fmt.Sprintf("Rehearsed: after the other manager changes the value, the next apply makes it %s", either(there, value))
		}
		return fmt.Sprintf("Rehearsed: after the other manager changes the value to %s, the next apply keeps that", either(there, value))
	}
	text := fmt.Sprintf("Rehearsed: %s stays %s", h.Path, either(there, value))
	if !s.Stays {
		text = fmt.Sprintf("Rehearsed: %s becomes %s", h.Path, either(there, value))
	}
	if other := besides(h, s, opts); len(other) > 0 {
		return text + "; other pending changes of the manifest are applied, too: " + phrase.Abbreviated(other, 5)
	}
	return text + "; nothing else changes"
}

// besides are the other fields that a step changes.
func besides(h *workflow.Handover, s workflow.HandoverStep, opts Options) (paths []string) {
	for _, c := range opts.view(s.Outcome).Changes() {
		if c.Reason != explain.Kept && c.Reason != explain.OwnedBy && !h.Path.Holds(c.Path) && !c.Path.Holds(h.Path) {
			paths = append(paths, c.Path.String())
		}
	}
	return paths
}

// hasty says what an apply before its time would do to the field.
func hasty(h *workflow.Handover, opts Options) string {
	if h.Hasty == nil {
		return ""
	}
	for _, c := range opts.view(h.Hasty).Changes() {
		if h.Path.Meets(c.Path) {
			return opts.paint(Removal, fmt.Sprintf("An apply before step %d would change %s: %s, %s", h.From, c.Path, arrow(c), c.Explanation))
		}
	}
	return ""
}

func maskedUnless(opts Options, obj tree.Object) tree.Object {
	if opts.ShowSecrets {
		return obj
	}
	return opts.Secrets.Object(obj)
}

// liveValue is the value that is handed over.
func liveValue(h *workflow.Handover, opts Options) string {
	value, there := h.Path.Find(maskedUnless(opts, h.Outcome.Before))
	return either(there, value)
}
