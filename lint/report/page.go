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
	from := ""
	if r.Origin != "" {
		from = " From: " + string(words(r.Origin)) + "."
	}
	if len(r.Former) > 0 {
		from += " Formerly: `" + strings.Join(r.Former, "`, `") + "`."
	}
	fmt.Fprintf(&b, "Severity: %s%s. Needs: %s.%s\n\n%s\n", r.Severity, on, r.Needs, from, words(r.Text))
	for _, part := range []struct{ name, text string }{{"Why", r.Why}, {"Fix", r.Fix}} {
		if part.text != "" {
			fmt.Fprintf(&b, "\n**%s.** %s\n", part.name, words(part.text))
		}
	}
	if r.Repair != "" {
		fmt.Fprintf(&b, "\n**`--fix`.** %s\n", r.Repair)
	}
	if r.Origin == "" {
		writeExample(&b, "Reported", examples.Bad, lint.Example{})
		writeExample(&b, "Repaired", examples.Good, examples.Bad)
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

func sentence(title string) string {
	_, width := utf8.DecodeRuneInString(title)
	return strings.ToUpper(title[:width]) + strings.TrimSuffix(title[width:], ".") + "."
}

// writeExample writes the parts of an example that differ from those of another one, each as
// a diff if that is shorter. Without another one the manifest is compared with what was applied
// before. What has no name is the manifest.
func writeExample(b *strings.Builder, title string, e, from lint.Example) {
	fmt.Fprintf(b, "\n**%s**", title)
	if e.Args != "" {
		fmt.Fprintf(b, " with `%s`", e.Args)
	}
	reverted, applied := from, from
	reverted.Manifest = from.Applied
	applied.Applied, applied.Live = from.Manifest, ""
	switch e {
	case reverted:
		b.WriteString(": the manifest as it was applied before.\n")
		return
	case applied:
		b.WriteString(": the same manifest, if the live object is as it was applied.\n")
		return
	}
	b.WriteString("\n")
	block := func(language, name, text string) {
		if name != "" {
			name = "# " + name + "\n"
		}
		fmt.Fprintf(b, "\n```%s\n%s%s```\n", language, name, text)
	}
	old, manifest := e.Applied, e.Manifest
	if from == (lint.Example{}) && old != "" {
		if diff := changedLines(old, manifest, strings.Count(old, "\n")); diff == "" {
			block("yaml", "applied before, and manifest", ended(manifest))
		} else {
			block("diff", "", diff)
		}
		old, manifest = "", ""
	}
	for _, part := range []struct{ name, text, from string }{
		{"applied before", old, from.Applied}, {"live", e.Live, from.Live}, {"", manifest, from.Manifest},
		{"in another directory of manifests", e.Elsewhere, from.Elsewhere}, {"kustomization.yaml", e.Kustomization, from.Kustomization},
	} {
		if ended(part.text) == ended(part.from) {
			continue
		}
		if part.text == "" {
			fmt.Fprintf(b, "\nWithout `%s`.\n", part.name)
			continue
		}
		language, shortest := "yaml", ended(part.text)
		if diff := changedLines(part.from, part.text, 1); part.from != "" && diff != "" && strings.Count(diff, "\n") < strings.Count(shortest, "\n") {
			language, shortest = "diff", diff
		}
		block(language, part.name, shortest)
	}
}

// ended is a text with one newline at its end.
func ended(text string) string { return strings.TrimSuffix(text, "\n") + "\n" }

// changedLines are the lines that differ, with some lines around them, and the signs of a diff.
func changedLines(old, text string, around int) string {
	var diff, b strings.Builder
	if err := show.Texts(&diff, "", "", ended(old), ended(text), show.Options{Context: around}); err != nil {
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
