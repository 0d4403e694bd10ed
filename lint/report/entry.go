package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"threeway/lint"
	"threeway/merge/manifest"
	"threeway/merge/text/visible"
)

// inputRule stands in the place of a rule for problems of the input.
const inputRule = "input"

// entry is a finding, or a problem of the input, as formats have it that list
// both by file.
type entry struct {
	rule     string
	severity lint.Severity
	// object is empty if the entry is about none.
	object, message string
	// lines are what there is to say besides.
	lines []string
	// silenced is the reason for which the finding is suppressed.
	silenced string
	// unread says that because of it not all was looked at.
	unread bool

	file                    string
	line, column, endColumn int
	// print is distinct in the report.
	print string
}

// entries are the problems of the input and the findings to write.
func (o Options) entries(r *lint.Result) []entry {
	list := make([]entry, 0, len(r.Problems)+len(r.Findings))
	for _, p := range r.Problems {
		e := entry{rule: inputRule, severity: lint.Warning, message: visible.Joined(p.Text), file: p.File, line: max(p.Line, 1), column: max(p.Column, 1)}
		if p.Severity == manifest.Error {
			e.severity, e.unread = lint.Error, true
		}
		if e.file == "" {
			e.file = "."
		}
		e.endColumn = e.column + 1
		hash := sha256.Sum256([]byte(p.String()))
		e.print = hex.EncodeToString(hash[:16])
		list = append(list, e)
	}
	prints := map[string]int{}
	for _, f := range o.listed(r) {
		at := f.At()
		list = append(list, entry{
			rule: f.Rule.ID, severity: f.Severity, object: f.Object, message: message(f), lines: lines(f), silenced: f.Suppressed,
			file: at.File, line: at.Line, column: at.Column, endColumn: at.Column + max(at.Width, 1), print: distinct(prints, f),
		})
	}
	return list
}

// head is file:line:column: severity: message [rule].
func (e entry) head() string {
	return fmt.Sprintf("%s: %s: %s [%s]", e.place(), e.severity, e.message, e.rule)
}

// place is file:line:column.
func (e entry) place() string {
	return fmt.Sprintf("%s:%d:%d", visible.Joined(e.file), e.line, e.column)
}

// byFile groups entries by file, in the order in which the files first come.
func byFile(entries []entry) [][]entry {
	var files [][]entry
	index := map[string]int{}
	for _, e := range entries {
		i, ok := index[e.file]
		if !ok {
			i = len(files)
			index[e.file] = i
			files = append(files, nil)
		}
		files[i] = append(files[i], e)
	}
	return files
}
