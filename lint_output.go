package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"github.com/fatih/color"

	"threeway/lint"
	"threeway/lint/report"
)

// output is one value of -o: a format, and the file for it.
type output struct{ format, file string }

func parseOutputs(values []string) ([]output, error) {
	if len(values) == 0 {
		return []output{{format: "text"}}, nil
	}
	var list []output
	stdout := 0
	for _, v := range values {
		format, file, toFile := strings.Cut(v, "=")
		if report.ByName(format) == nil {
			return nil, usageError("unknown output format %q; known: %s", format, report.Formats)
		}
		if toFile && file == "" {
			return nil, usageError("-o %s names no file", v)
		}
		if !toFile {
			stdout++
		}
		list = append(list, output{format, file})
	}
	if stdout > 1 {
		return nil, usageError("only one format can go to stdout; write the others to files: -o %s=FILE", list[0].format)
	}
	return list, nil
}

func writeOutputs(outputs []output, r *lint.Result, opts report.Options, std streams, when string) error {
	for _, o := range outputs {
		write := report.ByName(o.format)
		if o.file == "" {
			opts.Paint = lintPainter(when, std)
			if err := write(std.out, r, opts); err != nil {
				return err
			}
			continue
		}
		opts.Paint = nil
		var b bytes.Buffer
		if err := write(&b, r, opts); err != nil {
			return err
		}
		if err := os.WriteFile(o.file, b.Bytes(), 0o644); err != nil {
			return usageError("write the report: %v", err)
		}
	}
	return nil
}

func writeBaseline(file string, r *lint.Result, std streams) error {
	data, err := lint.WriteBaseline(r.Findings)
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		return usageError("write the baseline: %v", err)
	}
	fmt.Fprintf(std.err, "%d findings written to %s\n", len(r.Findings), file)
	return nil
}

func lintPainter(when string, std streams) func(report.Style, string) string {
	if !coloured(when, std.out) {
		return nil
	}
	styles := map[report.Style]*color.Color{
		report.Place:       color.New(color.Bold),
		report.ErrorWord:   color.New(color.FgRed, color.Bold),
		report.WarningWord: color.New(color.FgYellow, color.Bold),
		report.InfoWord:    color.New(color.FgCyan),
		report.RuleName:    color.New(color.Faint),
		report.Gutter:      color.New(color.Faint),
		report.Caret:       color.New(color.FgRed),
	}
	return func(style report.Style, text string) string {
		s := styles[style]
		s.EnableColor()
		return s.Sprint(text)
	}
}
