// Package playground answers what the playground asks: the page of the site that
// rehearses an apply while one types. It writes the panes of the page to files
// and runs the command line on them, so that the page and the terminal cannot
// disagree. Command wasm puts it into the browser.
package playground

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"strconv"
	"strings"

	"threeway/command"
)

// The files that the panes become.
const (
	Manifest    = "manifest.yaml"
	Live        = "live.yaml"
	LastApplied = "last-applied.yaml"
)

// Question is the state of the page.
type Question struct {
	// Manifest, Live and LastApplied are the texts of the panes. Without live
	// objects, those of LastApplied are the base: the manifests of before.
	Manifest    string `json:"manifest"`
	Live        string `json:"live"`
	LastApplied string `json:"lastApplied"`
	// Flags are further ones, separated by spaces.
	Flags string `json:"flags"`
	// View is what is asked for: a key of views.
	View string `json:"view"`
}

// Answer is what the command line has answered.
type Answer struct {
	// Command is what to type for it.
	Command string `json:"command"`
	Code    int    `json:"code"`
	Out     string `json:"out"`
	Err     string `json:"err"`
	// Mistakes are the places in the panes that cannot be read.
	Mistakes []Mistake `json:"mistakes,omitempty"`
}

// Mistake is a place in a pane that cannot be read.
type Mistake struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Text   string `json:"text"`
}

// views are the commands that the page runs, each with its flags.
var views = map[string][]string{
	"review": {"review", "-o", "json"},
	"text":   {"review", "-o", "text"},
	"result": {"merge", "-o", "yaml"},
	"sheets": {"review", "-o", "html"}, // of which the objects, a line each
	"patch":  {"merge", "-o", "patch"},
	"diff":   {"diff"},
}

// Arguments are those of the command line that answers the question.
func (q Question) Arguments() []string {
	args := append([]string{}, views[q.View]...)
	args = append(args, "-f", Manifest)
	live, last := strings.TrimSpace(q.Live) != "", strings.TrimSpace(q.LastApplied) != ""
	switch {
	case live && last:
		args = append(args, "--live", Live, "--last-applied", LastApplied)
	case live:
		args = append(args, "--live", Live)
	case last:
		args = append(args, "--base", LastApplied)
	}
	return append(args, strings.Fields(q.Flags)...)
}

// Ask runs the command line in the working directory, into which it writes the
// panes.
func Ask(ctx context.Context, q Question) Answer {
	args := q.Arguments()
	a := Answer{Command: command.Line(args)} // a link may have brought the flags
	for name, text := range map[string]string{Manifest: q.Manifest, Live: q.Live, LastApplied: q.LastApplied} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			a.Code, a.Err = 2, "error: "+err.Error()
			return a
		}
	}
	var out, errs bytes.Buffer
	a.Code = command.Run(ctx, append([]string{"threeway"}, args...), strings.NewReader(""), &out, &errs)
	a.Out, a.Err = out.String(), errs.String()
	if q.View == "sheets" {
		var sheets []string
		for _, m := range sheet.FindAllStringSubmatch(a.Out, -1) {
			sheets = append(sheets, m[1])
		}
		a.Out = strings.Join(sheets, "\n")
	}
	a.Mistakes = mistakes(a.Err)
	return a
}

// sheet is an object in a page of review.
var sheet = regexp.MustCompile(`id="part-\d+">(.*)</script>`)

// place is how an error names a place, as compilers do.
var place = regexp.MustCompile(`(?m)^(error: )?(` + regexp.QuoteMeta(Manifest) + `|` + regexp.QuoteMeta(Live) + `|` + regexp.QuoteMeta(LastApplied) + `):(\d+):(\d+): (error: )?(.*)$`)

func mistakes(errs string) []Mistake {
	var list []Mistake
	for _, m := range place.FindAllStringSubmatch(errs, -1) {
		line, _ := strconv.Atoi(m[3])
		column, _ := strconv.Atoi(m[4])
		if m[1]+m[5] != "" { // else a warning
			list = append(list, Mistake{m[2], line, column, m[6]})
		}
	}
	return list
}
