package manifest

import "fmt"

// warnDuplicates warns of keys that a mapping holds twice. kubectl takes the
// last one and says nothing, and the server never sees the other.
func (r *reader) warnDuplicates(doc *document) {
	for _, d := range doc.duplicates {
		first, _ := doc.position(d.first)
		line, column := doc.position(d.second)
		where := fmt.Sprintf("on line %d and line %d", first, line)
		if first == line {
			where = fmt.Sprintf("on line %d", line)
		}
		r.problem(Problem{
			Severity: Warning, File: doc.file, Line: line, Column: column,
			Text: fmt.Sprintf("key %q is set twice, %s; only the last one is applied, the other is lost: remove one", d.key, where),
		})
	}
}
