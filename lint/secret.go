package lint

import (
	"math"
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/mask"
	"threeway/merge/memo"
	"threeway/merge/text/edit"
)

// Lines is a range of lines, First and Last included.
type Lines struct{ First, Last int }

// SecretLines returns the lines of an object's file that contain values to
// mask, or may repeat them; all lines of the object if that is unknown. Most
// objects have none.
func SecretLines(o *manifest.Object, p *mask.Policy) []Lines {
	paths := p.Hidden(o.Tree)
	if len(paths) == 0 {
		return nil
	}
	text, first, ok := o.Text()
	if !ok {
		return []Lines{{0, math.MaxInt}}
	}
	var list []Lines
	extent := edit.Extents(text)
	line := func(offset int) int { return first + strings.Count(text[:offset], "\n") }
	hide := func(p fieldpath.Path) {
		start, end, ok := extent(p)
		if !ok {
			start, end = 0, len(text)
		}
		list = append(list, Lines{line(start), line(end)})
	}
	for _, path := range paths {
		if v, found := path.Find(o.Tree); !found || v != nil { // a null holds nothing
			hide(path)
		}
	}
	return list
}

// isSecret reports whether an object has something to hide, or masked already: the
// lines of its file may show it.
func (p *Pass) isSecret(o *manifest.Object) bool {
	return sharedByObject(p, o, func() bool { return p.Secrets.Holds(o.Tree) || len(p.Secrets.Hidden(o.Tree)) > 0 })
}

// sharedByObject is SharedByRun for each object, by the type of the result: an object may
// have thousands of findings.
func sharedByObject[T any](p *Pass, o *manifest.Object, compute func() T) T {
	type answers = memo.Table[*manifest.Object, T]
	return SharedByRun(p, func() *answers { return &answers{} }).Get(o, compute)
}

// showsSecret reports whether a line contains a value to mask, or in a comment a copy of
// one. A line with only a key does not.
func (p *Pass) showsSecret(o *manifest.Object, line int, text string) bool {
	if p.Secrets != nil && p.Secrets.Known.In(text) {
		return true
	}
	for _, l := range sharedByObject(p, o, func() []Lines { return SecretLines(o, p.Secrets) }) {
		if line < l.First || line > l.Last {
			continue
		}
		content := strings.TrimSpace(text)
		if line != l.First || strings.IndexByte(content, ':') != len(content)-1 {
			return true
		}
	}
	return false
}
