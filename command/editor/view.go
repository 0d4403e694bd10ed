package editor

import (
	"cmp"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/explain"
	"threeway/merge/fieldpath"
	"threeway/merge/rehearsal"
)

// view is a document together with the check of its text.
type view struct {
	*answer
	openText
	settings settings
}

// findingsOn are the findings on lines of the document, both included, the worst first.
func (v *view) findingsOn(first, last int) (list []*lint.Finding) {
	for _, f := range v.Result.Findings {
		if absolute(f.At().File) != v.path {
			continue
		}
		if line, ok := v.line(f.At().Line - 1); ok && line >= first && line <= last {
			list = append(list, f)
		}
	}
	slices.SortStableFunc(list, func(a, b *lint.Finding) int { return cmp.Compare(b.Severity, a.Severity) })
	return list
}

// object is an object of the document with the lines that it has there.
type object struct {
	*rehearsal.Outcome
	// shown is the outcome with its secret values masked.
	shown       *rehearsal.Outcome
	first, last int
}

// objects are the objects of the document that the check has an outcome of.
func (v *view) objects() (list []object) {
	if v.Input.Plan == nil {
		return nil
	}
	for _, out := range v.Input.Plan.Outcomes {
		if absolute(out.Manifest.Origin.File) != v.path {
			continue
		}
		text, line, ok := out.Manifest.Text()
		if !ok {
			continue
		}
		o := object{Outcome: out, shown: out, first: line - 1, last: line - 1 + strings.Count(strings.TrimRight(text, "\n"), "\n")}
		if out.HasSecrets(v.Input.Secrets) {
			o.shown = out.Masked(v.Input.Secrets)
		}
		list = append(list, o)
	}
	return list
}

// objectAt is the object around a line of the document; nil if there is none.
func (v *view) objectAt(line int) *object {
	at, ok := v.back(line)
	if !ok {
		return nil
	}
	for _, o := range v.objects() {
		if at >= o.first && at <= o.last {
			return &o
		}
	}
	return nil
}

// field is a field of an object with the place of its key in the document.
type field struct {
	explain.Field
	position
}

// fields are the fields that the manifest has, in the order of a walk.
func (v *view) fields(o *object) (list []field, aligned explain.Aligned) {
	aligned = explain.Align(o.shown)
	for _, f := range aligned.Fields {
		if !f.Manifest.There {
			continue
		}
		if at, ok := v.place(o, f.Path); ok {
			list = append(list, field{f, at})
		}
	}
	return list, aligned
}

// place is where the document has a field; ok is false if it does not have it.
func (v *view) place(o *object, path fieldpath.Path) (at position, ok bool) {
	line, column, exact := o.Manifest.Position(path)
	if !exact {
		return at, false
	}
	return v.column(line, column)
}

// column is a place in the document of a line and a column of the checked text, which
// count from 1.
func (v *view) column(line, column int) (at position, ok bool) {
	there, ok := v.line(line - 1)
	return position{there, units(v.row(there), column-1)}, ok
}

// fieldAt is the deepest field whose key is on the line of a position and not behind
// it; nil if there is none.
func (v *view) fieldAt(o *object, p position) (*field, explain.Aligned) {
	p = v.inText(p)
	list, aligned := v.fields(o)
	var best *field
	for i, f := range list {
		if f.Line == p.Line && f.Character <= p.Character && (best == nil || f.Character >= best.Character) {
			best = &list[i]
		}
	}
	return best, aligned
}

// inText is a position, or, before the text of its line, where that begins.
func (v *view) inText(p position) position {
	line := v.row(p.Line)
	return position{p.Line, max(p.Character, len(line)-len(strings.TrimLeft(line, " -")))}
}

// changeAt is what happens to a field, or to what it is in; nil if it stays what it is.
func changeAt(o *object, path fieldpath.Path) *explain.Change {
	changes := explain.Changes(o.shown)
	i := slices.IndexFunc(changes, func(c explain.Change) bool { return c.Path.Equal(path) || c.At != nil && c.At.Equal(path) })
	if i < 0 {
		i = slices.IndexFunc(changes, func(c explain.Change) bool { return len(c.Path) < len(path) && path.HasPrefix(c.Path) && !c.InNew })
	}
	if i < 0 {
		return nil
	}
	return &changes[i]
}
