package report

import (
	"bufio"
	"strings"

	"threeway/lint"
	"threeway/merge/manifest"
	"threeway/merge/show"
	"threeway/merge/text/markdown"
)

// remedied are the findings that have steps, those with the same steps once.
func remedied(list []*lint.Finding) (with []*lint.Finding) {
	told := map[string]bool{}
	for _, f := range list {
		if f.Remedy == nil || f.Remedy.Steps == nil || f.Suppressed != "" {
			continue
		}
		if text := steps(f, show.Options{}); !told[text] {
			told[text], with = true, append(with, f)
		}
	}
	return with
}

// stepsTitle says what the steps of a finding are for.
func stepsTitle(f *lint.Finding) string {
	title := f.Remedy.Title
	if f.Object != "" {
		title += ": " + manifest.Title(f.Object)
	}
	if f.Only != "" {
		title += " " + f.Only
	}
	return title
}

// steps are those of a finding as text.
func steps(f *lint.Finding, opts show.Options) string {
	var b strings.Builder
	_ = show.Steps(&b, f.Remedy.Steps, opts) // a Builder does not fail
	return strings.TrimPrefix(b.String(), "\n")
}

// writeSteps writes the steps of all findings that have some.
func writeSteps(out *bufio.Writer, list []*lint.Finding, shown show.Options, opts Options) {
	if !opts.Steps {
		return
	}
	for i, f := range remedied(list) {
		if i > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(stepsTitle(f) + "\n\n" + steps(f, shown))
	}
}

// remedies folds the steps of findings.
func (d *document) remedies(list []*lint.Finding) {
	for _, f := range remedied(list) {
		d.add("remedy", markdown.Folded(markdown.HTML(stepsTitle(f)), markdown.Fenced("", steps(f, show.Options{Context: 3}))))
	}
}
