package fix

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"threeway/lint"
	"threeway/merge/manifest"
	"threeway/merge/mask"
	"threeway/merge/workflow"
)

// Steps are steps with how each changes the files, from the text that the one before leaves.
// Values that the policy hides are masked, unless they are to be shown. Nothing is written.
func (x *Fixer) Steps(steps []workflow.Step, p *mask.Policy, unmasked bool) []workflow.Step {
	steps = slices.Clone(steps)
	made := map[string][]lint.Replacement{} // of the files that the step before leaves
	var byHand []workflow.FileChange
	for i := range steps {
		s := &steps[i]
		s.Files = nil
		if !s.Applies && s.Edits == nil {
			continue
		}
		undo := byHand
		byHand = nil
		now := map[string][]lint.Replacement{}
		for name := range made {
			now[name] = nil
		}
		for _, e := range s.Edits {
			name := e.Manifest.Origin.File
			list, err := x.edited(e)
			undo = slices.DeleteFunc(undo, func(c workflow.FileChange) bool { return c.Object == e.Manifest.ID() })
			if err != nil {
				byHand = append(byHand, workflow.FileChange{File: name, Why: err.Error(), Object: e.Manifest.ID(), Edits: e.Edits})
				continue
			}
			now[name] = append(now[name], list...)
		}
		for _, c := range undo {
			c.Edits = nil
			s.Files = append(s.Files, c)
		}
		s.Files = append(s.Files, byHand...)
		for _, name := range slices.Sorted(maps.Keys(now)) {
			f, before, after := x.file(name), made[name], now[name]
			if slices.Equal(before, after) {
				continue
			}
			made[name] = after
			s.Files = append(s.Files, workflow.FileChange{File: filepath.ToSlash(f.name), Texts: func() (string, string) {
				c := &Change{File: f.name, Target: f.target, Old: f.apply(before), New: f.apply(after)}
				if unmasked {
					return string(c.Old), string(c.New)
				}
				return c.Masked(p)
			}})
		}
	}
	return steps
}

// edited are the replacements for the edits of a manifest in a file.
func (x *Fixer) edited(e workflow.Edited) ([]lint.Replacement, error) {
	name := e.Manifest.Origin.File
	if name == manifest.Stdin {
		return nil, errInput
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return nil, errRendered
	}
	return x.file(name).replace(e.Manifest, e.Edits)
}

var (
	errInput    = errors.New("it is read from standard input")
	errRendered = errors.New("it is rendered from a kustomization")
)
