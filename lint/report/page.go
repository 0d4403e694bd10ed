package report

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"threeway/lint"
	"threeway/merge/show"
	"threeway/merge/text/markdown"
)

// Page is a rule's documentation in Markdown; level is that of its heading.
func Page(r *lint.Rule, examples lint.Examples, level int) string {
	var b strings.Builder
	words := InMarkdown(r)
	fmt.Fprintf(&b, "%s %s\n\n%s\n\n", strings.Repeat("#", level), r.ID, words(sentence(r.Title)))
	on := ""
	if r.OptIn {
		on = "; off unless enabled"
	}
	from := "Since: " + r.Since
	if r.Origin != "" {
		from = "From: " + string(words(r.Origin))
	}
	if len(r.Former) > 0 {
		from += ". Formerly: `" + strings.Join(r.Former, "`, `") + "`"
	}
	fmt.Fprintf(&b, "Severity: %s%s. Needs: %s. %s.\n\n%s\n", r.Severity, on, r.Needs, from, words(r.Text))
	for _, part := range []struct{ name, text string }{{"Why", r.Why}, {"Fix", r.Fix}} {
		if part.text != "" {
			fmt.Fprintf(&b, "\n**%s.** %s\n", part.name, words(part.text))
		}
	}
	if r.Repair != "" {
		fmt.Fprintf(&b, "\n**`--fix`.** %s\n", r.Repair)
	}
	if r.Origin == "" {
		writeExamples(&b, examples)
	}
	if len(r.Links) > 0 {
		b.WriteString("\nLinks:\n\n")
		for _, l := range r.Links {
			if address.MatchString(l) {
				l = "<" + l + ">"
			} else {
				l = string(words(l))
			}
			b.WriteString("- " + l + "\n")
		}
	}
	return b.String()
}

// InMarkdown makes Markdown of the words of a rule: ours are, those of a project are
// text, in paragraphs, and code where it is indented.
func InMarkdown(r *lint.Rule) func(string) markdown.Text {
	if r.Origin == "" {
		return markdown.Ours
	}
	return func(s string) markdown.Text {
		var paragraphs []markdown.Text
		for _, p := range strings.Split(strings.TrimSpace(s), "\n\n") {
			if code, indented := strings.CutPrefix(p, "  "); indented {
				fenced := markdown.Fenced("", strings.ReplaceAll(code, "\n  ", "\n"))
				paragraphs = append(paragraphs, fenced[:len(fenced)-1])
				continue
			}
			paragraphs = append(paragraphs, markdown.Escape(strings.TrimSpace(p)))
		}
		return markdown.Join(paragraphs, "\n\n")
	}
}

// address is that of a page, which opens nothing else and ends nothing around it.
var address = regexp.MustCompile(`^https?://[!#-;=?-Z_a-z~]+$`)

// writeExamples writes the reported example in full, and of the others what differs from it.
func writeExamples(b *strings.Builder, examples lint.Examples) {
	writeExample(b, "Reported", examples.Bad, lint.Example{})
	writeExample(b, "Repaired", examples.Good, examples.Bad)
	if examples.Repairable.Manifest != "" {
		writeExample(b, "Repaired by `--fix`", examples.Repairable, examples.Bad)
	}
	var near strings.Builder
	writeExample(&near, "Not reported", examples.NearMiss, examples.Bad)
	if strings.Count(near.String(), "\n") <= 10 { // a longer one leaves its reader to find what matters
		b.WriteString(near.String())
	}
}

func sentence(title string) string {
	_, width := utf8.DecodeRuneInString(title)
	return strings.ToUpper(title[:width]) + strings.TrimSuffix(title[width:], ".") + "."
}

// writeExample writes the parts of an example that differ from those of another one, each as
// a diff if that is shorter; the manifest also compared with what was applied before.
func writeExample(b *strings.Builder, title string, e, from lint.Example) {
	fmt.Fprintf(b, "\n**%s**", title)
	if e.Args != "" {
		fmt.Fprintf(b, " with `%s`", e.Args)
	}
	before := from
	before.Manifest = from.Applied
	if e == before {
		b.WriteString(": the manifest as it was applied before.\n")
		return
	}
	b.WriteString("\n")
	for _, part := range []struct {
		name, text string
		from       []string
	}{
		{"applied before", e.Applied, []string{from.Applied}}, {"live", e.Live, []string{from.Live}}, {"config", e.Manifest, []string{from.Manifest, e.Applied}},
		{"in another directory of manifests", e.Elsewhere, []string{from.Elsewhere}}, {"kustomization.yaml", e.Kustomization, []string{from.Kustomization}},
	} {
		text := strings.TrimSuffix(part.text, "\n")
		if text == strings.TrimSuffix(part.from[0], "\n") {
			continue
		}
		if text == "" {
			fmt.Fprintf(b, "\nWithout `%s`.\n", part.name)
			continue
		}
		if part.name == "config" && part.text == e.Applied {
			b.WriteString("\nThe manifest is as it was applied before.\n")
			continue
		}
		language, shortest := "yaml", text+"\n"
		for _, old := range part.from {
			if diff := changedLines(strings.TrimSuffix(old, "\n"), text); old != "" && diff != "" && strings.Count(diff, "\n") < strings.Count(shortest, "\n") {
				language, shortest = "diff", diff
			}
		}
		fmt.Fprintf(b, "\n```%s\n# %s\n%s```\n", language, part.name, shortest)
	}
}

// changedLines are the lines that differ, with a line around them, and the signs of a diff.
func changedLines(old, text string) string {
	var diff, b strings.Builder
	if err := show.Texts(&diff, "", "", old+"\n", text+"\n", show.Options{Context: 1}); err != nil {
		return ""
	}
	hunks := strings.Split(diff.String(), "\n@@ ")
	for i, h := range hunks[1:] {
		if i > 0 {
			b.WriteString(" …\n")
		}
		_, lines, _ := strings.Cut(h, "\n")
		b.WriteString(strings.TrimSuffix(lines, "\n") + "\n")
	}
	return b.String()
}
