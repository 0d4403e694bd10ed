package show

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"threeway/merge/manifest"
	"threeway/merge/text/visible"
	"threeway/merge/text/yamltext"
	"threeway/merge/tree"
	"threeway/merge/workflow"
)

// Steps writes steps by number. Commands and diffs begin at the left, to be copied.
func Steps(w io.Writer, steps []workflow.Step, opts Options) error {
	out := bufio.NewWriter(w)
	for i, s := range steps {
		writeStep(out, i, s, opts)
		if s.Meanwhile != "" {
			writeBlock(out, "Meanwhile "+s.Meanwhile+".")
		}
	}
	return out.Flush()
}

// JSONStep is a step as JSON, see docs/lint.schema.json: what is to be done to the files, and then
// the commands, the first with its input.
type JSONStep struct {
	Text      string   `json:"text"`
	Files     []string `json:"files,omitempty"`
	Commands  []string `json:"commands,omitempty"`
	Meanwhile string   `json:"meanwhile,omitempty"`
}

// StepsJSON are steps for a report as JSON.
func StepsJSON(steps []workflow.Step) (list []JSONStep) {
	for _, s := range steps {
		j := JSONStep{Text: s.Text, Meanwhile: s.Meanwhile, Commands: slices.Clone(s.Commands)}
		for _, file := range s.Files {
			j.Files = append(j.Files, fileText(file, Options{Context: 3}))
		}
		if s.Input != nil {
			j.Commands[0] = commandText(workflow.Step{Commands: s.Commands[:1], Input: s.Input}, Options{})
		}
		list = append(list, j)
	}
	return list
}

// writeStep writes one step: the order, what changes in files, and the commands.
func writeStep(out *bufio.Writer, i int, s workflow.Step, opts Options, before ...string) {
	fmt.Fprintf(out, "\n%d. %s\n", i+1, s.Text)
	for _, file := range s.Files {
		writeBlock(out, fileText(file, opts))
	}
	for _, text := range before {
		writeBlock(out, text)
	}
	writeBlock(out, opts.paint(Strong, commandText(s, opts)))
}

// fileText is how a file changes: a diff that git apply takes, or what to edit by hand.
func fileText(file workflow.FileChange, opts Options) string {
	if file.Why == "" {
		before, after := file.Texts()
		return diffText("a/"+file.File, "b/"+file.File, before, after, opts)
	}
	var parts []string
	for _, e := range file.Edits {
		if e.Value() == nil {
			parts = append(parts, "remove "+e.Path.String())
		} else {
			parts = append(parts, fmt.Sprintf("set %s to %v", e.Path, e.Value()))
		}
	}
	if parts == nil {
		parts = []string{"undo the edits of the previous step"}
	}
	return fmt.Sprintf("By hand (%s), in %s: %s", file.Why, manifest.Title(file.Object.String()), visible.Line(strings.Join(parts, ", ")))
}

func writeBlock(out *bufio.Writer, text string) {
	if text != "" {
		fmt.Fprintf(out, "\n%s\n", strings.TrimRight(text, "\n"))
	}
}

func diffText(oldName, newName, before, after string, opts Options) string {
	var b strings.Builder
	_ = Texts(&b, oldName, newName, before, after, opts) // a Builder does not fail
	return b.String()
}

// commandText are the commands, the first with its input as a here-document.
func commandText(s workflow.Step, opts Options) string {
	lines := slices.Clone(s.Commands)
	if s.Input != nil {
		lines[0] += " <<'EOF'\n" + inputText(s, opts) + "EOF"
	}
	return strings.Join(lines, "\n")
}

// inputText is the input of a command. One that is masked is not to be typed.
func inputText(s workflow.Step, opts Options) string {
	shown := maskedUnless(opts, s.Input)
	if !tree.Equal(shown, s.Input) {
		return "# values are masked: do not apply this; apply the output of --show-secrets\n" + yamltext.YAML(shown)
	}
	return yamltext.YAML(shown)
}
