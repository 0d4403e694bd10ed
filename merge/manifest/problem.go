package manifest

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/text/source"
	"threeway/merge/text/visible"
)

// Severity says what a Problem means for the run.
type Severity uint8

const (
	// Error makes kubectl fail: something was not read.
	Error Severity = iota
	// Warning is for input that kubectl accepts silently, although the result
	// may not be what the author wants.
	Warning
)

// String is "error" or "warning".
func (s Severity) String() string {
	if s == Error {
		return "error"
	}
	return "warning"
}

// Problem is something wrong with the input. Text is kubectl's message if it
// has one, without the prefix "error: ".
type Problem struct {
	Severity Severity
	// File is empty for a problem with the command line. Line and Column are 0
	// if unknown.
	File         string
	Line, Column int
	Text         string
	// Template is Origin.Template of the file.
	Template string
	// Object is the object that the problem is about, or nil if it was not
	// decoded. The object of an Error is not in the Set.
	Object *Object
	// Fault says what is wrong with Object. It is set for an Error about an
	// object.
	Fault fault.Fault
}

// String returns file:line:column: severity: text (template), without unknown
// parts.
func (p Problem) String() string { return p.line(p.Severity.String() + ": ") }

func (p Problem) line(severity string) string {
	at := visible.Line(p.File)
	for _, n := range []int{p.Line, p.Column} {
		if n == 0 || at == "" {
			break
		}
		at += ":" + strconv.Itoa(n)
	}
	if at != "" {
		at += ": "
	}
	text := at + severity + p.Text
	if p.Template != "" {
		text += " (" + p.Template + ")"
	}
	return text
}

// failed returns the problem for a file that cannot be read any further.
func failed(file string, f *source.Failure) Problem {
	return Problem{File: file, Line: f.Line, Column: f.Column, Text: f.Text, Template: f.Template}
}

// refuse returns an Error about the object. format is how kubectl wraps the
// text of the fault, which is the last argument; "" if kubectl does not wrap
// it.
func (o *Object) refuse(f fault.Fault, format string, args ...any) Problem {
	words := f.Text.String()
	if format != "" {
		words = fmt.Sprintf(format, append(args, words)...)
	}
	p := o.problem(Error, f.Path, "%s", words)
	p.Fault = f
	return p
}

// problem returns a Problem about the object's field at p, or about the object
// if p is empty.
func (o *Object) problem(severity Severity, p fieldpath.Path, format string, args ...any) Problem {
	at := o.Place(p)
	return Problem{
		Severity: severity, File: at.File, Line: at.Line, Column: at.Column,
		Text: fmt.Sprintf(format, args...), Template: o.Origin.Template, Object: o,
	}
}

// Err returns the problems that are errors, each in a line, or nil. The program writes error: before
// the first one.
func Err(problems []Problem) error {
	var lines []string
	for _, p := range Bounded(problems) {
		if p.Severity == Error {
			lines = append(lines, p.line(""))
		}
	}
	if lines == nil {
		return nil
	}
	return errors.New(strings.Join(lines, "\nerror: "))
}

// mostProblems is how many problems of a severity one file has before the rest is counted.
const mostProblems = 100

// Bounded counts what one file has too much of: beyond mostProblems of a severity there
// is one more, which says how many are left out. Rejections of objects stay, each is a
// fact of its own.
func Bounded(problems []Problem) []Problem {
	type group struct {
		file     string
		severity Severity
	}
	seen := map[group]int{}
	last := map[group]int{}
	kept := make([]Problem, 0, min(len(problems), 2*mostProblems))
	for _, p := range problems {
		g := group{p.File, p.Severity}
		if p.Severity == Error && p.Object != nil && p.Object.Kind.Kind != "" {
			kept = append(kept, p)
			continue
		}
		if seen[g]++; seen[g] <= mostProblems {
			kept = append(kept, p)
			continue
		}
		if seen[g] == mostProblems+1 {
			last[g] = len(kept)
			kept = append(kept, Problem{Severity: p.Severity, File: p.File, Line: p.Line, Column: p.Column, Template: p.Template})
		}
		kept[last[g]].Text = fmt.Sprintf("%d more %ss of this file begin here and are not listed; correct those above first", seen[g]-mostProblems, p.Severity)
	}
	return kept
}
