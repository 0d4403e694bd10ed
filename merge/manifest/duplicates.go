package manifest

import "fmt"

// maxDuplicates is how many keys of a document are warned of: to look for the
// first of each takes time.
const maxDuplicates = 100

// warnDuplicates warns of keys that a mapping holds twice. kubectl takes the
// last one and says nothing, and the server never sees the other.
func (r *reader) warnDuplicates(doc *document) {
	for i, d := range doc.duplicates[:min(len(doc.duplicates), maxDuplicates)] {
		first, _ := doc.position(d.first)
		line, column := doc.position(d.second)
		where := fmt.Sprintf("on line %d and line %d", first, line)
		if first == line {
			where = fmt.Sprintf("on line %d", line)
		}
		text := fmt.Sprintf("key %q is set twice, %s; only the last one is applied, the other is lost: remove one", d.key, where)
		if i == maxDuplicates-1 {
			text += "; there may be more, which are not looked for"
		}
		r.problem(Problem{Severity: Warning, File: doc.file, Line: line, Column: column, Text: text})
	}
}
