package show

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"threeway/merge"
	"threeway/merge/explain"
	"threeway/merge/text/phrase"
	"threeway/merge/text/visible"
	"threeway/merge/text/yamltext"
	"threeway/merge/tree"
	"threeway/merge/workflow"
)

// FileEdit is the change of the config file in a handover: its whole text
// before and after, as it may be shown. Why says what keeps the text from being
// edited; then the edit is described.
type FileEdit struct {
	File          string
	Line          int
	Before, After string
	Why           string
}

// Handover writes the steps of a handover, each with its command and what it
// would do. Commands and diffs begin at the left, to be copied.
func Handover(w io.Writer, h *workflow.Handover, file FileEdit, opts Options) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s %s: from the manifest to another manager; it is %s\n", opts.paint(Strong, h.Outcome.Identity().String()), h.Path, liveValue(h, opts))
	for i, s := range h.Steps {
		fmt.Fprintf(out, "\n%d. %s", i+1, s.Text)
		if s.Do == workflow.EditConfig {
			fmt.Fprintf(out, ": %s", editPlace(file))
		}
		out.WriteString("\n")
		if s.Do == workflow.EditConfig {
			writeBlock(out, fileDiff(file, opts))
		}
		writeBlock(out, annotationDiff(s, opts))
		writeBlock(out, opts.paint(Strong, commandText(s, opts)))
		style := Plain
		if !s.Stays {
			style = Removal
		}
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

func writeBlock(out *bufio.Writer, text string) {
	if text != "" {
		fmt.Fprintf(out, "\n%s\n", strings.TrimRight(text, "\n"))
	}
}

// editPlace is where in the manifest an edit is to be made.
func editPlace(file FileEdit) string {
	text := fmt.Sprintf("%s:%d", visible.Line(file.File), file.Line)
	if file.Why != "" {
		text += fmt.Sprintf(", by hand (%s)", file.Why)
	}
	return text
}

// fileDiff is the diff of the config file.
func fileDiff(file FileEdit, opts Options) string {
	if file.Why != "" {
		return ""
	}
	return diffText("a/"+file.File, "b/"+file.File, file.Before, file.After, opts)
}

func diffText(oldName, newName, before, after string, opts Options) string {
	var b strings.Builder
	_ = Texts(&b, oldName, newName, before, after, opts) // a Builder does not fail
	return b.String()
}

// annotationDiff is what changes of last-applied, where it is changed by hand.
func annotationDiff(s workflow.HandoverStep, opts Options) string {
	if s.Do != workflow.EditLastApplied || !strings.Contains(s.Command, " edit-last-applied ") {
		return ""
	}
	old, new := s.Old, s.New
	if !opts.ShowSecrets {
		old, new = opts.Secrets.Pair(old, new)
	}
	return diffText("last-applied", "last-applied", yamltext.YAML(old), yamltext.YAML(new), opts)
}

// commandText is the command, with its input as a here-document.
func commandText(s workflow.HandoverStep, opts Options) string {
	if s.Input == nil {
		return s.Command
	}
	return s.Command + " <<'EOF'\n" + inputText(s, opts) + "EOF"
}

// inputText is the input of a command. One that is masked is not to be typed.
func inputText(s workflow.HandoverStep, opts Options) string {
	shown := maskedUnless(opts, s.Input)
	if !tree.Equal(shown, s.Input) {
		return "# values are masked: do not apply this; apply the output of --show-secrets\n" + yamltext.YAML(shown)
	}
	return yamltext.YAML(shown)
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
