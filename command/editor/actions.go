package editor

import (
	"fmt"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/lint/fix"
	"threeway/merge/explain"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

// mostActions limits the defaults and live values that are offered for one line.
const mostActions = 8

// actions are what can be done about the findings and fields on the lines of a range: first
// the repairs of lint --fix, those of the worst findings before others, then values to write
// into the manifest, and last suppressions. While a document of the file cannot be read,
// nothing is offered.
func (v *view) actions(at atPosition) ([]codeAction, error) {
	list := []codeAction{}
	if !v.own() || v.Fixer == nil { // a text without objects has none
		return list, nil
	}
	x := v.Fixer()
	wants := func(kind string) bool {
		only := at.Context.Only
		return len(only) == 0 || slices.ContainsFunc(only, func(o string) bool { return kind == o || strings.HasPrefix(kind, o+".") })
	}
	if wants(quickFix) {
		findings := v.findingsOn(at.Range.Start.Line, at.Range.End.Line)
		for _, f := range findings {
			list = append(list, v.repair(x, f)...)
		}
		if o := v.objectAt(at.Range.Start.Line); o != nil {
			list = append(list, v.values(x, o, at.Range)...)
		}
		for _, f := range findings {
			list = append(list, v.suppress(f)...)
		}
	}
	if wants(fixAll) && slices.Contains(at.Context.Only, "source.fixAll") || slices.Contains(at.Context.Only, fixAll) {
		list = append(list, v.repairAll(x)...)
	}
	return slices.DeleteFunc(list, func(a codeAction) bool { return !v.harmless(a) }), nil
}

// repair is the repair of a finding, if lint --fix makes it.
func (v *view) repair(x *fix.Fixer, f *lint.Finding) []codeAction {
	o, edits := f.Edits()
	if len(edits) == 0 {
		return nil
	}
	title := "threeway: " + f.Fix
	if f.Fix == "" {
		title = "threeway: repair " + f.Rule.ID
	}
	action, ok := v.edited(x, o, edits, title)
	if !ok {
		return nil
	}
	if d, ok := v.finding(f); ok {
		action.Diagnostics, action.IsPreferred = []diagnostic{d}, true
	}
	return []codeAction{action}
}

// repairAll makes all repairs of the file together.
func (v *view) repairAll(x *fix.Fixer) []codeAction {
	here := slices.DeleteFunc(slices.Clone(v.Result.Findings), func(f *lint.Finding) bool { return absolute(f.At().File) != v.path })
	changes, _ := x.All(here)
	for _, c := range changes {
		if absolute(c.File) == v.path {
			action := v.replaced(string(c.New), "threeway: repair all findings of this file that need no judgment")
			action.Kind = fixAll
			return []codeAction{action}
		}
	}
	return nil
}

// edited is an action that makes edits of an object.
func (v *view) edited(x *fix.Fixer, o *manifest.Object, edits []edit.Edit, title string) (codeAction, bool) {
	if absolute(o.Origin.File) != v.path {
		return codeAction{}, false
	}
	c, err := x.Edit(o, edits)
	if err != nil {
		return codeAction{}, false // which lint --fix would not do either
	}
	return v.replaced(string(c.New), title), true
}

// replaced is an action that gives the document another text.
func (v *view) replaced(text, title string) codeAction {
	return codeAction{Title: shown(title), Kind: quickFix, Edit: &workspaceEdit{map[string][]textEdit{v.uri: {smallest(v.text, text)}}}}
}

// suppress writes a comment above a finding. The reason is left to be typed: without one
// nothing is suppressed, and lint says so.
func (v *view) suppress(f *lint.Finding) []codeAction {
	line, ok := v.line(f.At().Line - 1)
	if !ok || f.Rule.ID == "invalid-suppression" || f.Rule.ID == "unused-suppression" {
		return nil
	}
	title := "threeway: suppress " + f.Rule.ID + " here, with a reason"
	here := v.row(line)
	indent := here[:len(here)-len(strings.TrimLeft(here, " "))]
	comment := indent + "# threeway:ignore " + f.Rule.ID + " -- \n"
	start := lineStart(v.text, line)
	if !sameObjects(v.path, v.text, v.text[:start]+comment+v.text[start:]) {
		return nil // JSON, or the middle of a text
	}
	at := position{Line: line}
	action := codeAction{Title: shown(title), Kind: quickFix} // without its diagnostic, for which VS Code would put it first
	if v.settings.AsksReason {
		action.Command = &command{shown(title), "threeway.suppress", []any{v.uri, at, comment}}
	} else {
		action.Edit = &workspaceEdit{map[string][]textEdit{v.uri: {{span{at, at}, comment}}}}
	}
	return []codeAction{action}
}

// sameObjects reports whether two texts have the same objects.
func sameObjects(file, a, b string) bool {
	read := func(text string) *manifest.Set {
		return manifest.ReadFiles([]manifest.File{{Name: file, Data: []byte(text)}}, manifest.Limits{})
	}
	x, y := read(a), read(b)
	return len(x.Problems) == len(y.Problems) && slices.EqualFunc(x.Objects, y.Objects, func(a, b *manifest.Object) bool {
		return tree.Equal(any(a.Tree), any(b.Tree))
	})
}

// values offer to keep a live value that the apply would change, remove or leave out of
// the manifest, and to write down a default that the server sets.
func (v *view) values(x *fix.Fixer, o *object, in span) (list []codeAction) {
	if o.Result == nil {
		return nil
	}
	for _, c := range explain.Changes(o.Outcome) {
		if len(list) == mostActions {
			break
		}
		line, column, exact := o.Manifest.Position(c.Path)
		at, ok := v.column(line, column)
		if !ok || at.Line < in.Start.Line || at.Line > in.End.Line || v.hidden(o, c.Path) {
			continue
		}
		value, title := c.Old, "keep the live value of "
		switch {
		case c.Reason == explain.Defaulted && c.InNew && !exact:
			value, title = c.New, "write down the default of "
		case !c.InOld || c.Bookkeeping || !keepable(c):
			continue
		}
		title = fmt.Sprintf("threeway: %s%s: %s", title, c.Path, lint.Value(value))
		if action, ok := v.edited(x, o.Manifest, []edit.Edit{edit.Set(c.Path, value)}, title); ok {
			list = append(list, action)
		}
	}
	return list
}

// keepable reports whether the live value of a field can stand in the manifest.
func keepable(c explain.Change) bool {
	switch c.Reason {
	case explain.Set, explain.Undone, explain.Cleared, explain.Kept, explain.OwnedBy, explain.ReplacedList, explain.Conflict:
		return c.Path[0].Field != "status"
	}
	return false
}

// hidden reports whether a field holds a value that is masked.
func (v *view) hidden(o *object, path fieldpath.Path) bool {
	if o.shown == o.Outcome {
		return false
	}
	before, _ := path.Find(o.shown.Before)
	after, _ := path.Find(o.shown.Result)
	was, _ := path.Find(o.Before)
	is, _ := path.Find(o.Result)
	return !tree.Equal(before, was) || !tree.Equal(after, is)
}
