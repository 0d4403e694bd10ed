package explain

import (
	"threeway/merge"
	"threeway/merge/applier"
)

// sayMarks says of the marks that the applier sets that the manifest does not have
// them.
func (w *walker) sayMarks(o *merge.Outcome) {
	text := marked
	if program := o.By.Claim().Program; program != applier.Helm {
		text = markedBy + string(program)
	}
	for i := range w.changes {
		c := &w.changes[i]
		if len(c.Path) < 2 || c.Path[0].Field != "metadata" || c.At == nil {
			continue
		}
		if _, has := c.Path.Find(o.Config.Tree); !has {
			c.At, c.Explanation = nil, text
		}
	}
}
