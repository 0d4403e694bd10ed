package fix

import (
	"bytes"
	"errors"
	"maps"
	"path/filepath"
	"slices"

	"threeway/lint"
	"threeway/merge/manifest"
	"threeway/merge/mask"
	"threeway/merge/text/edit"
	"threeway/merge/workflow"
)

// Steps are steps with how each changes the files, from the text that the one before leaves.
// Values that the policy hides are masked, unless they are to be shown. Nothing is written.
func (x *Fixer) Steps(steps []workflow.Step, p *mask.Policy, unmasked bool) []workflow.Step {
	steps = slices.Clone(steps)
	texts := map[string][]byte{} // of the files that the steps so far have changed
	var byHand []workflow.FileChange
	for i := range steps {
		s := &steps[i]
		s.Files = nil
		if !s.Applies && s.Edits == nil {
			continue
		}
		undo := byHand
		byHand = nil
		lists := map[string][]lint.Replacement{}
		for name := range texts {
			lists[name] = nil
		}
		for _, e := range s.Edits {
			name := e.Manifest.Origin.File
			err := errInput
			var list []lint.Replacement
			if name != manifest.Stdin {
				if list, err = x.file(name).replace(e.Manifest, e.Edits); err == nil && !x.file(name).makes(e, list) {
					err = errNotAsMeant
				}
			}
			undo = slices.DeleteFunc(undo, func(c workflow.FileChange) bool { return c.Object == e.Manifest.ID() })
			if err != nil {
				byHand = append(byHand, workflow.FileChange{File: name, Why: err.Error(), Object: e.Manifest.ID(), Edits: e.Edits})
				continue
			}
			lists[name] = append(lists[name], list...)
		}
		for _, c := range undo {
			c.Edits = nil
			s.Files = append(s.Files, c)
		}
		s.Files = append(s.Files, byHand...)
		for _, name := range slices.Sorted(maps.Keys(lists)) {
			f := x.file(name)
			was, changed := texts[name]
			if !changed {
				was = f.data
			}
			c := &Change{File: f.name, Target: f.target, Old: was, New: f.apply(lists[name])}
			if bytes.Equal(c.Old, c.New) {
				continue
			}
			texts[name] = c.New
			file := workflow.FileChange{File: filepath.ToSlash(f.name), Before: string(c.Old), After: string(c.New)}
			if !unmasked {
				file.Before, file.After = c.Masked(p)
			}
			s.Files = append(s.Files, file)
		}
	}
	return steps
}

// makes reports whether replacements make the edits of an object and nothing else.
func (f *file) makes(e workflow.Edited, list []lint.Replacement) bool {
	return f.as(f.apply(list), map[*manifest.Object][]edit.Edit{f.now(e.Manifest): e.Edits})
}

var errInput = errors.New("it is read from standard input")
