// Package fix repairs manifests: it turns the edits of findings into
// replacements of text and makes them. If a repair is not certain to be right,
// it is refused with the reason, and the finding stays: a file that has changed
// since it was linted, a template, rendered output, a link that leads
// elsewhere, a comment that would be lost, a text that would not read back as
// intended.
package fix

import (
	"errors"
	"slices"

	"threeway/lint"
	"threeway/merge/manifest"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

// Change is the new content of a file.
type Change struct {
	// File is the name that was passed, Target the file behind its links.
	File, Target string
	Old, New     []byte
	Fixed        []*lint.Finding
}

// Unrepaired is a finding that could not be repaired, and why.
type Unrepaired struct {
	Finding *lint.Finding
	Why     error
}

// Fixer reads each file again, once, to make sure that it is still the text
// that was linted.
type Fixer struct {
	// Unsaved returns the text to use instead of the file on disk, as an editor has
	// it; nil reads the disk.
	Unsaved func(file string) (text []byte, ok bool)
	// Shown: the changes are shown and not written, so that a file may be read-only.
	Shown bool

	stdin    func() string
	files    map[string]*file
	repaired *Repaired // of the rounds before; nil if this is the first
}

// New returns a Fixer for files that are named relative to the working
// directory. stdin returns the text of standard input.
func New(stdin func() string) *Fixer {
	return &Fixer{stdin: stdin, files: map[string]*file{}}
}

func (x *Fixer) file(name string) *file {
	f := x.files[name]
	if f == nil {
		f = x.load(name)
		x.files[name] = f
	}
	return f
}

// text returns the text of a file after the repairs so far.
func (x *Fixer) text(f *file) ([]byte, error) {
	if x.Unsaved != nil && (x.repaired == nil || x.repaired.of(f.target) == nil) {
		if text, ok := x.Unsaved(f.name); ok {
			return text, nil
		}
	}
	return x.repaired.text(f.target)
}

// Offer computes the replacements that repair each finding by itself, for
// reports: as each of them reads the text of its object again, only of the first findings
// of an object that has very many. All makes them all at once.
func (x *Fixer) Offer(findings []*lint.Finding) {
	read := map[*manifest.Object]int{}
	for _, f := range findings {
		if o, edits := f.Edits(); len(edits) > 0 && read[o] < mostRead {
			text, _, _ := o.Text()
			read[o] += len(text)
			// A refused repair is not offered.
			f.Replacements, _ = x.file(o.Origin.File).replace(o, edits)
		}
	}
}

// mostRead is how many bytes of the text of an object are read for its offers, and to find
// out which of its repairs go together, except for the last time: a second's work.
const mostRead = 4 << 20

// Edit makes edits of one object in its file. Nothing is written.
func (x *Fixer) Edit(o *manifest.Object, edits []edit.Edit) (*Change, error) {
	f := x.file(o.Origin.File)
	list, err := f.replace(o, edits)
	if err != nil {
		return nil, err
	}
	c := &Change{File: f.name, Target: f.target, Old: f.data, New: f.apply(list)}
	if !f.as(c.New, map[*manifest.Object][]edit.Edit{f.now(o): edits}) {
		return nil, errNotAsMeant
	}
	return c, nil
}

var errNotAsMeant = errors.New("the edited file would not have the intended content")

// All repairs as many findings as possible. Nothing is written.
func (x *Fixer) All(findings []*lint.Finding) (changes []*Change, refused []Unrepaired) {
	var names []string
	byFile := map[string][]*lint.Finding{}
	for _, f := range findings {
		o, edits := f.Edits()
		if len(edits) == 0 {
			continue
		}
		name := o.Origin.File
		if byFile[name] == nil {
			names = append(names, name)
		}
		byFile[name] = append(byFile[name], f)
	}
	seen := map[string]bool{}
	for _, name := range names {
		file := x.file(name)
		if file.refusal == nil && file.target == "" {
			file.refusal = errors.New("standard input cannot be rewritten")
		}
		if seen[file.target] {
			file.refusal = errors.New("the file was passed under two names")
		}
		seen[file.target] = true
		c, no := file.repair(byFile[name])
		if c != nil {
			changes = append(changes, c)
		}
		refused = append(refused, no...)
	}
	return changes, refused
}

func refuseAll(findings []*lint.Finding, why error) (list []Unrepaired) {
	for _, f := range findings {
		list = append(list, Unrepaired{f, why})
	}
	return list
}

// repair makes the edits for all findings of one file, object by object.
func (f *file) repair(findings []*lint.Finding) (*Change, []Unrepaired) {
	c := &Change{File: f.name, Target: f.target, Old: f.data}
	var list []lint.Replacement
	var refused []Unrepaired
	// If a file was passed twice, the same object is found twice.
	var order []*manifest.Object
	of := map[*manifest.Object][]*lint.Finding{}
	for _, x := range findings {
		o, _ := x.Edits()
		now := f.now(o)
		if of[now] == nil {
			order = append(order, now)
		}
		of[now] = append(of[now], x)
	}
	want := map[*manifest.Object][]edit.Edit{}
	for _, now := range order {
		fixed, edits, replacements, no := f.together(of[now])
		refused = append(refused, no...)
		c.Fixed = append(c.Fixed, fixed...)
		list = append(list, replacements...)
		want[now] = edits
	}
	if len(c.Fixed) == 0 {
		return nil, refused
	}
	c.New = f.apply(list)
	if !f.as(c.New, want) {
		return nil, append(refused, refuseAll(c.Fixed, errNotAsMeant)...)
	}
	return c, refused
}

// together makes as many edits of an object as possible: all, or else those of one half
// and then of the other, leaving out those that conflict with an earlier one.
func (f *file) together(findings []*lint.Finding) (fixed []*lint.Finding, edits []edit.Edit, list []lint.Replacement, refused []Unrepaired) {
	read, tooMany := 0, false
	var add func(findings []*lint.Finding)
	add = func(findings []*lint.Finding) {
		if tooMany = tooMany || read >= mostRead; tooMany {
			return
		}
		all := slices.Clone(edits)
		for _, x := range findings {
			_, e := x.Edits()
			all = append(all, e...)
		}
		o, _ := findings[0].Edits()
		text, _, _ := o.Text()
		read += len(text)
		more, err := f.replace(o, all)
		switch half := len(findings) / 2; {
		case err == nil:
			fixed, edits, list = append(fixed, findings...), all, more
		case half == 0:
			refused = append(refused, Unrepaired{findings[0], err})
		default:
			add(findings[:half])
			add(findings[half:])
		}
	}
	if add(findings); tooMany {
		return nil, nil, nil, refuseAll(findings, errTooMany)
	}
	return fixed, edits, list, refused
}

var errTooMany = errors.New("the object has too many findings for its size, of which some cannot be fixed: fix some by hand")

// as reports whether a text has the same objects as the file, except for the
// edited ones, which must be as intended.
func (f *file) as(text []byte, want map[*manifest.Object][]edit.Edit) bool {
	now := read(text)
	if len(now.Objects) != len(f.set.Objects) || len(now.Problems) != len(f.set.Problems) {
		return false
	}
	for i, o := range f.set.Objects {
		obj, err := edit.Object(o.Tree, want[o])
		if err != nil || !tree.Equal(any(obj), any(now.Objects[i].Tree)) {
			return false
		}
	}
	return true
}
