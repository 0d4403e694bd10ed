package explain

import "threeway/merge/tree"

// sayMarks says of the marks of a release that the manifest does not have them.
func (w *walker) sayMarks(config tree.Object) {
	for i := range w.changes {
		c := &w.changes[i]
		if len(c.Path) < 2 || c.Path[0].Field != "metadata" || c.At == nil {
			continue
		}
		if _, has := c.Path.Find(config); !has {
			c.At, c.Explanation = nil, marked
		}
	}
}
