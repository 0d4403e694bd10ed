package editor

import (
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/rehearsal"
	"threeway/merge/show"
	"threeway/merge/text/phrase"
)

// codeLens is a line above an object.
type codeLens struct {
	Range   span    `json:"range"`
	Command command `json:"command"`
}

// lenses are the verdict on the project above the first line, and above each object what
// the apply does to it: restarts 3 pods · 2 changes · 1 warning. Each opens the diff.
func (v *view) lenses(atPosition) ([]codeLens, error) {
	list := []codeLens{}
	for _, o := range v.objects() {
		at, ok := v.begin(&o)
		if !ok {
			continue
		}
		digest := v.Review().Diff.Digest
		add := func(line int, text string) {
			place := position{Line: line}
			list = append(list, codeLens{span{place, place}, command{shown(text), diffCommand, []any{map[string]any{"textDocument": textDocument{v.uri}, "position": position{Line: at}}}}})
		}
		if len(list) == 0 {
			add(0, digest.Verdict().Text)
		}
		add(at, strings.Join(v.summary(&o, digest), " · "))
	}
	return list, nil
}

// begin is the line of the first field of an object, below the comments above it.
func (v *view) begin(o *object) (line int, ok bool) {
	for _, key := range []string{"apiVersion", "kind", "metadata"} {
		if at, there := v.place(o, fieldpath.New(key)); there && (!ok || at.Line < line) {
			line, ok = at.Line, true
		}
	}
	return line, ok
}

// summary says what becomes of an object, in a few words: the first that the digest says
// of it, how many fields change, and what is found.
func (v *view) summary(o *object, digest *show.Digest) (parts []string) {
	changes := len(digest.Changes(o.Outcome))
	switch {
	case o.Action == rehearsal.Configured && changes == 0:
		parts = append(parts, string(rehearsal.Unchanged))
	case o.Action != rehearsal.Configured:
		parts = append(parts, string(o.Action))
	}
	if lines := digest.Lines(o.Identity().String()); len(lines) > 0 {
		first, _, _ := strings.Cut(lines[0], "; ")
		parts = append(parts, first)
	}
	if o.Action == rehearsal.Configured && changes > 0 {
		parts = append(parts, phrase.Count(changes, "change"))
	}
	counts := map[lint.Severity]int{}
	for _, f := range v.Result.Findings {
		if f.Object == o.Identity().String() {
			counts[f.Severity]++
		}
	}
	for _, severity := range []lint.Severity{lint.Error, lint.Warning} {
		if n := counts[severity]; n > 0 {
			parts = append(parts, phrase.Count(n, severity.String()))
		}
	}
	return parts
}
