package command

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"threeway/command/system"
)

// output is one value of -o: a format, and the file for it, "" for stdout.
type output struct{ format, file string }

// structured reports whether it is for programs and has all that is known.
func (o output) structured() bool {
	return o.format == "json" || o.format == "yaml" || o.format == "kyaml"
}

// parseOutputs reads the values of -o; the first of the formats is the default.
func parseOutputs(values, formats []string) ([]output, error) {
	if len(values) == 0 {
		return []output{{format: formats[0]}}, nil
	}
	var list []output
	stdout := 0
	for _, v := range values {
		format, file, toFile := strings.Cut(v, "=")
		if !slices.Contains(formats, format) {
			return nil, fmt.Errorf("unknown output format %q; known: %s", format, strings.Join(formats, ", "))
		}
		if toFile && file == "" {
			return nil, fmt.Errorf("-o %s: the file name is missing", v)
		}
		if !toFile {
			stdout++
		}
		list = append(list, output{format, file})
	}
	if stdout > 1 {
		return nil, fmt.Errorf("only one format can go to stdout; write the others to files with -o %s=FILE", list[0].format)
	}
	return list, nil
}

// forPrograms tells the screen of stdout if what a command prints there is for programs.
func forPrograms(std streams, command string, outputs []string) {
	format := ""
	if i := slices.IndexFunc(outputs, func(o string) bool { return !strings.Contains(o, "=") }); i >= 0 {
		format = outputs[i]
	}
	switch format {
	case "json", "sarif", "gitlab":
		system.Data(std.out, true)
	case "yaml", "kyaml", "html", "junit", "checkstyle", "github":
		system.Data(std.out, false)
	}
	switch command {
	case "adopt", "pack", "redact", "lsp":
		system.Data(std.out, false)
	}
}

// writeOutputs lets write fill each output, the files first, as the reader of
// stdout may go away; terminal says that it is stdout, which may be one.
func writeOutputs(outputs []output, std streams, write func(w io.Writer, format string, terminal bool) error) error {
	for _, o := range outputs {
		if o.file == "" {
			continue
		}
		var b bytes.Buffer
		if err := write(&b, o.format, false); err != nil {
			return err
		}
		if err := system.WriteFile(o.file, b.Bytes()); err != nil {
			return fmt.Errorf("write the report: %v", fmt.Errorf("-o %s=%s: %w", o.format, o.file, err))
		}
	}
	if i := slices.IndexFunc(outputs, func(o output) bool { return o.file == "" }); i >= 0 {
		return write(std.out, outputs[i].format, true)
	}
	return nil
}
