package report

import (
	"bufio"
	"strings"

	"threeway/lint"
	"threeway/merge/manifest"
	"threeway/merge/show"
	"threeway/merge/text/markdown"
)

// remedy is the line of a finding about its remedy: the name and the first step, or why no steps
// are known.
func remedy(f *lint.Finding) [2]string {
	r := f.Remedy
	if r.Steps == nil {
		return [2]string{"note", "no steps are known (" + r.ID + "): " + r.Why}
	}
	first := r.Steps[0].Text
	if c := r.Steps[0].Commands; len(c) > 0 {
		first += ": " + c[0]
	}
	return [2]string{"way", plural(len(r.Steps), "rehearsed step") + " (" + r.ID + "), first: " + first + "; all: threeway review --steps"}
}

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
	title := f.Remedy.Title + ": " + manifest.Title(f.Object)
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
