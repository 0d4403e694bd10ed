package lint

import (
	"fmt"
	"path"

	"threeway/merge"
	"threeway/merge/manifest"
)

// Trusted are the manifests as they were before others changed them. Then a
// suppression in a manifest counts only if it was there for the same rule, object
// and field.
type Trusted struct {
	// Name is where they are from: git:main.
	Name    string
	Objects []*manifest.Object
	// Source returns the text of a file.
	Source func(file string) string
}

// suppressed returns a function that reports whether a finding was suppressed in the
// manifests before.
func (t *Trusted) suppressed(p *Pass) func(*Finding) bool {
	type name struct{ kind, name string }
	of := func(o *manifest.Object) name { return name{o.Kind.GroupKind(), o.Name} }
	placed := map[name]string{}
	for _, o := range p.all {
		if o.Config.Placed {
			placed[of(o.Config)] = o.Config.Namespace
		}
	}
	before, known := &Pass{Input: Input{Secrets: p.Secrets, Source: t.Source}}, map[manifest.Identity]*manifest.Object{}
	for _, o := range t.Objects {
		if o.Namespace == "" {
			o.Namespace = placed[of(o)]
		}
		known[o.ID()] = o
		before.all = append(before.all, &Object{Outcome: &merge.Outcome{Config: o}})
	}
	list := before.suppressions()
	return func(f *Finding) bool {
		was := Finding{Rule: f.Rule, id: f.id, at: Position{File: path.Clean(f.at.File), Line: -1}}
		if o := known[f.id]; o != nil {
			was.at = before.place(o, f.Path)
		}
		for _, s := range list {
			if s.covers(&was) {
				return true
			}
		}
		return false
	}
}

// distrust is the note at a finding whose suppression is part of the change.
func (t *Trusted) distrust(s *suppression) string {
	return fmt.Sprintf("the suppression in %s does not count: %s has it not, so it is part of this change", At(s.at.File, s.at.Line), t.Name)
}
