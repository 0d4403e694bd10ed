package editor

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/lint/report"
	"threeway/merge/manifest"
)

// diagnostics are the findings and problems of a check by the URI of their file. Of those
// on one line the worst is the last, which Neovim shows behind the line.
func (a *answer) diagnostics() map[string]publishParams {
	all := map[string]publishParams{}
	add := func(path string, d diagnostic) {
		uri := uriOf(path)
		entry := all[uri]
		entry.URI, entry.Diagnostics = uri, append(entry.Diagnostics, d)
		all[uri] = entry
	}
	for _, f := range a.Result.Findings {
		path := absolute(f.At().File)
		if d, ok := a.finding(f); ok {
			add(path, d)
		}
	}
	for _, p := range a.Result.Problems {
		if p.File != "" {
			if d, ok := a.problem(p, a.open[absolute(p.File)].usable); ok {
				add(absolute(p.File), d)
			}
		}
	}
	for path, text := range a.open {
		for _, p := range text.problems {
			d, _ := a.problem(p, usable{})
			add(path, d)
		}
	}
	for uri := range all {
		slices.SortStableFunc(all[uri].Diagnostics, func(a, b diagnostic) int {
			return cmp.Or(cmp.Compare(a.Range.Start.Line, b.Range.Start.Line), -cmp.Compare(a.Severity, b.Severity))
		})
	}
	return all
}

// finding is a finding as a diagnostic; ok is false if what it is about is not in the
// file at the moment.
func (a *answer) finding(f *lint.Finding) (d diagnostic, ok bool) {
	at := f.At()
	line, ok := a.open[absolute(at.File)].line(at.Line - 1)
	if !ok {
		return d, false
	}
	start, end := at.UTF16()
	message, details := report.Here(f)
	d = diagnostic{
		Range: span{position{line, start - 1}, position{line, end - 1}}, Severity: severities[f.Severity],
		Code: f.Rule.ID, Source: "threeway", Message: shown(strings.Join(append([]string{message}, details...), "\n")),
	}
	if page := a.RulePage(f.Rule); page != "" {
		d.CodeDescription = &codeDescription{page}
	}
	if f.LiveAt.File != "" {
		start, end := f.LiveAt.UTF16()
		line := max(f.LiveAt.Line-1, 0)
		d.Related = []related{{location{uriOf(f.LiveAt.File), span{position{line, start - 1}, position{line, end - 1}}}, shown("live: " + f.LiveObject)}}
	}
	return d, true
}

var severities = map[lint.Severity]int{lint.Error: severityError, lint.Warning: severityWarning, lint.Info: severityInformation}

// problem is what lint says on stderr of an input. Its place is of one character, since
// what is there could not be read.
func (a *answer) problem(p manifest.Problem, u usable) (d diagnostic, ok bool) {
	line, ok := u.line(max(p.Line-1, 0))
	column := max(p.Column-1, 0)
	if text, open := a.open[absolute(p.File)]; open {
		column = units(text.row(line), column)
	}
	severity := severityError
	if p.Severity == manifest.Warning {
		severity = severityWarning
	}
	return diagnostic{Range: span{position{line, column}, position{line, column + 1}}, Severity: severity, Source: "threeway", Message: shown(p.Text)}, ok
}

// relative is a path from the working directory, as lint writes it, if that is shorter.
func relative(path string) string {
	if rel, err := filepath.Rel(absolute("."), path); err == nil && len(rel) < len(path) {
		return rel
	}
	return path
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}
