package explain

import (
	"threeway/merge/applier"
	"threeway/merge/by/flux"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
)

// sayMarks says of the marks that the applier sets that the manifest does not have
// them.
func (w *walker) sayMarks(o *rehearsal.Outcome) {
	text := marked
	if program := o.By.Claim().Program; program != applier.Helm {
		text = markedBy + string(program)
	}
	for i := range w.changes {
		c := &w.changes[i]
		if len(c.Path) < 2 || c.Path[0].Field != "metadata" || c.At == nil {
			continue
		}
		if _, has := o.Find(c.Path, o.Manifest.Tree); !has {
			c.At, c.Explanation = nil, text
		}
	}
}

// sayTaken says of what kustomize-controller removes that kubectl has set, and not an earlier
// manifest of Flux.
func (w *walker) sayTaken(o *rehearsal.Outcome) {
	if _, builds := o.By.(*flux.Kustomization); !builds || o.Before == nil {
		return
	}
	own := map[string]bool{}
	for _, f := range owners.Of(o.Before, nil) {
		for _, by := range f.Owners {
			if by.Manager == flux.FluxManager && by.Operation == owners.Apply {
				for n := range f.Path {
					own[f.Path[:n+1].String()] = true
				}
			}
		}
	}
	for i := range w.changes {
		c := &w.changes[i]
		_, stays := o.Find(c.Path, o.Taken())
		switch {
		case c.InNew || own[c.Path.String()]:
		case !stays:
			c.Reason, c.Explanation = Cleared, cleanedUp
		case c.Explanation == left:
			c.Explanation = takenOver
		}
	}
}
