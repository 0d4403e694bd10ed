// Package textdiff compares texts line by line and prints the difference as
// GNU diff does: `diff -u` of diffutils 3.8, byte for byte, choosing the same
// lines among equally short scripts. Within changed lines it finds the words
// that changed.
//
// The line comparison follows diffutils' src/analyze.c, src/io.c and gnulib's
// lib/diffseq.h: trim the equal ends, set aside lines that cannot match, search
// for a shortest script from both ends (Myers), slide the changes.
package textdiff

import "strings"

// Kind is the sign at the start of a line of a hunk.
type Kind byte

// The signs of unified diffs.
const (
	Same    Kind = ' '
	Removed Kind = '-'
	Added   Kind = '+'
)

// Line is one line of a hunk.
type Line struct {
	Kind  Kind
	Text  string // without its newline
	NoEOL bool   // the last line of a file that does not end in a newline
}

// Hunk is a run of changes with the unchanged lines around them. Starts count
// from 1; a side without lines starts at the line before it, as in diff.
type Hunk struct {
	OldStart, OldCount int
	NewStart, NewCount int
	Lines              []Line
}

// Unified compares two texts and returns the hunks of `diff -U context`, none
// if the texts are equal. A negative context counts as 0. The lines share the
// memory of a and b. Unlike diff, it treats input with NUL bytes as text.
func Unified(a, b string, context int) []Hunk {
	if a == b {
		return nil
	}
	context = min(max(0, context), len(a)+len(b))
	old, new := splitLines(a), splitLines(b)
	return hunks(old, new, compare(old, new, context), context)
}

// splitLines splits after each newline, so that a last line without a newline
// differs from the same line with one, as in diff.
func splitLines(s string) []string {
	lines := make([]string, 0, strings.Count(s, "\n")+1)
	for len(s) > 0 {
		n := strings.IndexByte(s, '\n') + 1
		if n == 0 {
			n = len(s)
		}
		lines = append(lines, s[:n])
		s = s[n:]
	}
	return lines
}

// change is a step of the script: at these lines (from 0), a number of lines of
// the old text are removed and a number of lines of the new one are added.
type change struct{ old, new, removed, added int }

// hunks groups changes with at most 2*context unchanged lines between them.
func hunks(old, new []string, script []change, context int) []Hunk {
	total := min(len(old), 2*context*len(script))
	for _, c := range script {
		total += c.removed + c.added
	}
	lines := make([]Line, 0, total) // of all hunks
	var result []Hunk
	for len(script) > 0 {
		n := 1
		for n < len(script) && script[n].old-script[n-1].old-script[n-1].removed <= 2*context {
			n++
		}
		h := span(script[0], script[n-1], context, len(old))
		start := len(lines)
		at := script[0].old - min(context, script[0].old)
		for _, c := range script[:n] {
			lines = appendLines(lines, Same, old[at:c.old])
			at = c.old + c.removed
			lines = appendLines(lines, Removed, old[c.old:at])
			lines = appendLines(lines, Added, new[c.new:c.new+c.added])
		}
		lines = appendLines(lines, Same, old[at:min(len(old), at+context)])
		h.Lines = lines[start:len(lines):len(lines)]
		result = append(result, h)
		script = script[n:]
	}
	return result
}

// span returns the extent of a hunk from one change to another, with context,
// in an old text of oldLines lines.
func span(first, last change, context, oldLines int) Hunk {
	before := min(context, first.old)
	oldEnd, newEnd := last.old+last.removed, last.new+last.added
	after := min(context, oldLines-oldEnd)
	h := Hunk{
		OldStart: first.old - before + 1, OldCount: oldEnd + after - first.old + before,
		NewStart: first.new - before + 1, NewCount: newEnd + after - first.new + before,
	}
	if h.OldCount == 0 {
		h.OldStart--
	}
	if h.NewCount == 0 {
		h.NewStart--
	}
	return h
}

func appendLines(lines []Line, kind Kind, texts []string) []Line {
	for _, t := range texts {
		text, found := strings.CutSuffix(t, "\n")
		lines = append(lines, Line{Kind: kind, Text: text, NoEOL: !found})
	}
	return lines
}
