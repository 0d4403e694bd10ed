package lint

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
)

// place returns the position of the field at the path, or of its nearest
// parent, in the object's file.
func (p *Pass) place(o *manifest.Object, path fieldpath.Path) Position {
	stands := o.Place(path)
	at := Position{File: stands.File, Line: max(stands.Line, 1), Column: max(stands.Column, 1), Template: o.Origin.Template}
	at.show(stands.Source)
	switch {
	case at.Source == "":
	case stands.Elsewhere && (p.isSecret(o) || p.Secrets != nil && p.Secrets.Known.In(at.text)),
		!stands.Elsewhere && (!o.Alone(at.Line) || p.showsSecret(o, at.Line, at.text)):
		at.Source = ""
	}
	return at
}

// missing sets Missing.
func (p Position) missing(o *manifest.Object, path fieldpath.Path) Position {
	if o.Place(nil).Elsewhere {
		return p
	}
	for n := len(path); n > 0; n-- {
		if _, _, there := o.Position(path[:n]); there {
			break
		}
		p.Missing = path[n-1:]
	}
	return p
}

// Added are the lines below Source with which the missing field would begin; none if that
// is unknown, as in JSON.
func (p Position) Added() (lines []string) {
	source := []rune(p.Source)
	if p.Column < 1 || p.Column > len(source) {
		return nil
	}
	before, parent, indent := string(source[:p.Column-1]), string(source[p.Column-1:]), p.Column+1
	item := strings.HasSuffix(before, "- ")
	if item {
		indent = p.Column - 1
	}
	_, value, _ := strings.Cut(parent, ":")
	if value = strings.TrimSpace(value); strings.ContainsAny(parent[:1], `{["'&*`) || !item && value != "" && value[0] != '#' {
		return nil
	}
	for i, step := range p.Missing {
		text := step.Field + ":"
		switch {
		case len(step.Keys) == 1:
			text = fmt.Sprint("- ", step.Keys[0].Name, ": ", step.Keys[0].Value)
		case step.Field == "":
			return nil
		case i == len(p.Missing)-1:
			text += " …"
		}
		lines = append(lines, strings.Repeat(" ", indent)+text)
		indent += 2
	}
	return lines
}

// longestShown is the maximum length of a line that is shown, in bytes. A
// longer line was written by a program and may be a whole List, and each
// finding would have a copy of it.
const longestShown = 4 << 10

// show sets Source and Width.
func (p *Position) show(line string) {
	if len(line) > longestShown {
		p.text, p.Source, p.Width = "", "", 1
		return
	}
	p.text = strings.Clone(line) // or the finding would keep the whole file
	p.Source, p.Width = p.text, keyWidth(p.text, p.Column)
}

// keyWidth returns the width of the key at the column, with its colon; for a
// list item, the width of its first word.
func keyWidth(source string, column int) int {
	runes := []rune(source)
	if column > len(runes) {
		return 1
	}
	rest := strings.TrimRight(string(runes[column-1:]), " \t")
	if i := strings.Index(rest+" ", ": "); i >= 0 && !strings.HasPrefix(rest, "- ") {
		rest = rest[:i+1]
	} else if i := strings.IndexByte(rest, ' '); i > 0 && !strings.HasPrefix(rest, "- ") {
		rest = rest[:i]
	}
	return max(utf8.RuneCountInString(rest), 1)
}

// At returns file:line.
func At(file string, line int) string { return manifest.Place{File: file, Line: line}.String() }
