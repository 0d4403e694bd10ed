package run

import (
	"io"
	"os"
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
		show.HunkHeader:  toned(cyan),
		show.Addition:    toned(green),
		show.Removal:     toned(red),
		show.AddedWord:   toned(green, color.ReverseVideo),
		show.RemovedWord: toned(red, color.ReverseVideo),
		show.Changed:     toned(yellow),
		show.Muted:       toned(faint),
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
		lintreport.ErrorWord:   toned(red, color.Bold),
		lintreport.WarningWord: toned(yellow, color.Bold),
		lintreport.InfoWord:    toned(cyan),
		lintreport.RuleName:    toned(faint),
		lintreport.Gutter:      toned(faint),
		lintreport.Caret:       toned(cyan),
	}
	return func(style lintreport.Style, text string) string {
		s := styles[style]
		s.EnableColor()
		return painted(s, text)
	}
}

// tone is a color of a terminal's palette, and the one in its place where a terminal shows
// any: of a contrast of 4.5 to 1 on black and on white, which the palette's yellow has not on white.
type tone struct {
	basic   color.Attribute
	r, g, b int
}

var (
	red    = tone{color.FgRed, 236, 0, 0}
	green  = tone{color.FgGreen, 0, 138, 0}
	yellow = tone{color.FgYellow, 170, 100, 0}
	cyan   = tone{color.FgCyan, 0, 127, 160}
	faint  = tone{color.Faint, 118, 118, 118}
)

// toned is a style with a tone.
func toned(t tone, more ...color.Attribute) *color.Color {
	if c := os.Getenv("COLORTERM"); c == "truecolor" || c == "24bit" {
		return color.RGB(t.r, t.g, t.b).Add(more...)
	}
	return color.New(append([]color.Attribute{t.basic}, more...)...)
}

// painted is text with a color, which the screen knows to be ours.
func painted(s *color.Color, text string) string {
	begin, end, _ := strings.Cut(s.Sprint("|"), "|")
	return system.Marked(begin) + text + system.Marked(end)
}
