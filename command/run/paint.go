package run

import (
	"io"
	"strings"

	"github.com/fatih/color"

	"threeway/command/system"
	lintreport "threeway/lint/report"
	"threeway/merge/show"
)

// Painter returns the function that colours text for the writer, or nil:
// --color decides, then NO_COLOR and FORCE_COLOR, then whether it is a terminal.
func Painter(when string, w io.Writer) func(show.Style, string) string {
	if !system.Coloured(when, w) {
		return nil
	}
	system.Escape(w)
	styles := map[show.Style]*color.Color{
		show.Header:      color.New(color.Bold),
		show.Strong:      color.New(color.Bold),
		show.HunkHeader:  color.New(color.FgCyan),
		show.Addition:    color.New(color.FgGreen),
		show.Removal:     color.New(color.FgRed),
		show.AddedWord:   color.New(color.FgGreen, color.ReverseVideo),
		show.RemovedWord: color.New(color.FgRed, color.ReverseVideo),
		show.Changed:     color.New(color.FgYellow),
		show.Muted:       color.New(color.Faint),
	}
	for _, s := range styles {
		s.EnableColor()
	}
	return func(style show.Style, text string) string {
		if s := styles[style]; s != nil {
			return painted(s, text)
		}
		return text
	}
}

// LintPainter is painter for findings.
func LintPainter(when string, w io.Writer) func(lintreport.Style, string) string {
	if !system.Coloured(when, w) {
		return nil
	}
	system.Escape(w)
	styles := map[lintreport.Style]*color.Color{
		lintreport.Place:       color.New(color.Bold),
		lintreport.ErrorWord:   color.New(color.FgRed, color.Bold),
		lintreport.WarningWord: color.New(color.FgYellow, color.Bold),
		lintreport.InfoWord:    color.New(color.FgCyan),
		lintreport.RuleName:    color.New(color.Faint),
		lintreport.Gutter:      color.New(color.Faint),
		lintreport.Caret:       color.New(color.FgRed),
	}
	return func(style lintreport.Style, text string) string {
		s := styles[style]
		s.EnableColor()
		return painted(s, text)
	}
}

// painted is text with a color, which the screen knows to be ours.
func painted(s *color.Color, text string) string {
	begin, end, _ := strings.Cut(s.Sprint("|"), "|")
	return system.Marked(begin) + text + system.Marked(end)
}
