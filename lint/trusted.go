package lint

import (
	"fmt"
	"path"

	"threeway/merge/manifest"
	"threeway/merge/memo"
	"threeway/merge/rehearsal"
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
	placed, now, known := map[name]string{}, objects{}, objects{}
	for _, o := range p.all {
		now[o.Manifest.ID()] = append(now[o.Manifest.ID()], o.Manifest)
		if o.Manifest.Placed {
			placed[of(o.Manifest)] = o.Manifest.Namespace
		}
	}
	before := &Pass{Input: Input{Secrets: p.Secrets, Source: t.Source}, shared: &memo.Types{}}
	for _, o := range t.Objects {
		if o.Namespace == "" {
			o.Namespace = placed[of(o)]
		}
		known[o.ID()] = append(known[o.ID()], o)
		before.all = append(before.all, &Object{Outcome: &rehearsal.Outcome{By: p.Plan.By, Manifest: o}})
	}
	list := before.suppressions()
	return func(f *Finding) bool {
		was := Finding{Rule: f.Rule, subject: subject{id: f.id}, at: Position{File: path.Clean(f.at.File), Line: -1}}
		if o := known.of(f); o != nil {
			was.at = before.place(o, f.Path)
			_, had := f.Path.Find(any(o.Tree))
			if o := now.of(f); o != nil && !had {
				if _, has := f.Path.Find(any(o.Tree)); has {
					was.at.Line = -1 // the change has added the field
				}
			}
		} else if f.id != (manifest.Identity{}) {
			return false
		}
		for _, s := range list {
			if s.covers(&was) {
				return true
			}
		}
		return false
	}
}

// objects are those of an identity, which several files may have.
type objects map[manifest.Identity][]*manifest.Object

// of is the object of a finding: that of its file, or else any.
func (list objects) of(f *Finding) (found *manifest.Object) {
	for _, o := range list[f.id] {
		if found == nil || path.Clean(o.Origin.File) == path.Clean(f.at.File) {
			found = o
		}
	}
	return found
}

// distrust is the note at a finding whose suppression is part of the change.
func (t *Trusted) distrust(s *suppression) string {
	return fmt.Sprintf("the suppression in %s does not count: no manifest of %s is known to have it for this object and field, so it may be part of this change", At(s.at.File, s.at.Line), t.Name)
}
