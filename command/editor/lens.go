package editor

import (
	"threeway/lint"
	"threeway/merge/fieldpath"
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
	found := map[string]map[lint.Severity]int{}
	for _, f := range v.Result.Findings {
		if found[f.Object] == nil {
			found[f.Object] = map[lint.Severity]int{}
		}
		found[f.Object][f.Severity]++
	}
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
		of := found[o.Identity().String()]
		add(at, digest.Brief(o.Outcome, of[lint.Error], of[lint.Warning]))
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
