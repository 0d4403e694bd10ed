package manifest

import (
	"fmt"

	"threeway/merge/text/source"
)

// warnDuplicates warns of duplicate keys in a mapping. kubectl uses the last
// one without a message, and the server never sees the others.
func (r *reader) warnDuplicates(doc *source.Document) {
	for i, d := range doc.Duplicates {
		first, _ := doc.Position(d.First)
		line, column := doc.Position(d.Second)
		where := fmt.Sprintf("on line %d and line %d", first, line)
		if first == line {
			where = fmt.Sprintf("on line %d", line)
		}
		text := fmt.Sprintf("key %q is set twice, %s; only the last one is applied: remove the other", d.Key, where)
		if i == source.MaxDuplicates-1 {
			text += "; there may be more duplicates"
		}
		r.problem(Problem{Severity: Warning, File: doc.File, Line: line, Column: column, Text: text})
	}
}
