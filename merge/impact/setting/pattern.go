package setting

import (
	"regexp"
	"slices"

	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// Pattern is a path in which items of lists and keys of maps may be any.
type Pattern struct {
	steps []string // a field, "[]" or "*"
	// kept is how many of the steps must still be in the manifest.
	kept int
}

var stepText = regexp.MustCompile(`\[\]|\[[^\]]+\]|/|[^.\[/]+`)

// ParsePattern reads a Field of a [Setting].
func ParsePattern(text string) Pattern {
	var p Pattern
	for _, step := range stepText.FindAllString(text, -1) {
		switch {
		case step == "/":
			p.kept = len(p.steps)
			continue
		case step != "[]" && step[0] == '[':
			step = step[1 : len(step)-1]
		}
		p.steps = append(p.steps, step)
	}
	for i, step := range p.steps[:len(p.steps)-1] {
		if step == "[]" {
			p.kept = max(p.kept, i+1)
		}
	}
	return p
}

// Kept is the beginning of a path that the pattern found which must still be in
// the manifest.
func (p Pattern) Kept(found fieldpath.Path) fieldpath.Path { return found[:p.kept] }

// Key reports whether the pattern ends in any key of a map.
func (p Pattern) Key() bool { return p.steps[len(p.steps)-1] == "*" }

// usualDepth is what most patterns do not exceed.
const usualDepth = 12

// Find returns the paths in an object that the pattern matches, in order. Items
// of lists are named by their number.
func (p Pattern) Find(obj tree.Object) []fieldpath.Path {
	var found []fieldpath.Path
	at := make(fieldpath.Path, 0, usualDepth) // most patterns end before they match
	var walk func(v any)
	enter := func(step fieldpath.Step, v any) {
		at = append(at, step)
		walk(v)
		at = at[:len(at)-1]
	}
	walk = func(v any) {
		if len(at) == len(p.steps) {
			found = append(found, slices.Clone(at))
			return
		}
		switch step := p.steps[len(at)]; step {
		case "[]":
			list, _ := v.([]any)
			for i, item := range list {
				enter(fieldpath.Step{Index: i, IsIndex: true}, item)
			}
		case "*":
			m, _ := v.(map[string]any)
			for _, key := range tree.Keys(m) {
				enter(fieldpath.Step{Field: key}, m[key])
			}
		default:
			m, _ := v.(map[string]any)
			if below, ok := m[step]; ok {
				enter(fieldpath.Step{Field: step}, below)
			}
		}
	}
	walk(map[string]any(obj))
	return found
}
