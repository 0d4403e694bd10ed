package run

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"threeway/command/inputs"
	"threeway/command/request"
	"threeway/command/system"
	"threeway/merge/show"
)

// Output is one value of -o: a format, and the file for it, "" for stdout.
type Output struct{ Format, File string }

// Structured reports whether it is for programs and has all that is known.
func (o Output) Structured() bool {
	return o.Format == "json" || o.Format == "yaml" || o.Format == "kyaml"
}

// ParseOutputs reads the values of -o; the first of the formats is the default.
func ParseOutputs(values, formats []string) ([]Output, error) {
	if len(values) == 0 {
		return []Output{{Format: formats[0]}}, nil
	}
	var list []Output
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
		list = append(list, Output{format, file})
	}
	if stdout > 1 {
		return nil, fmt.Errorf("only one format can go to stdout; write the others to files with -o %s=FILE", list[0].Format)
	}
	return list, nil
}

// ForPrograms tells the screen of stdout if what a command prints there is for programs.
func ForPrograms(std system.Streams, command string, outputs []string) {
	format := ""
	if i := slices.IndexFunc(outputs, func(o string) bool { return !strings.Contains(o, "=") }); i >= 0 {
		format = outputs[i]
	}
	switch format {
	case "json", "sarif", "gitlab":
		system.Data(std.Out, true)
	case "yaml", "kyaml", "html", "junit", "checkstyle", "github":
		system.Data(std.Out, false)
	}
	switch command {
	case "adopt", "pack", "redact", "lsp":
		system.Data(std.Out, false)
	}
}

// WriteOutputs lets write fill each output, the files first, as the reader of
// stdout may go away; terminal says that it is stdout, which may be one.
func WriteOutputs(outputs []Output, std system.Streams, write func(w io.Writer, format string, terminal bool) error) error {
	for _, o := range outputs {
		if o.File == "" {
			continue
		}
		var b bytes.Buffer
		if err := write(&b, o.Format, false); err != nil {
			return err
		}
		if err := system.WriteFile(o.File, b.Bytes()); err != nil {
			return fmt.Errorf("write the report: %v", fmt.Errorf("-o %s=%s: %w", o.Format, o.File, err))
		}
	}
	if i := slices.IndexFunc(outputs, func(o Output) bool { return o.File == "" }); i >= 0 {
		return write(std.Out, outputs[i].Format, true)
	}
	return nil
}

// DiffOptions reads DiffFlags.
func DiffOptions(r *request.Request) (show.Options, error) {
	if r.Context < 0 {
		return show.Options{}, fmt.Errorf("--unified must be 0 or more, not %d", r.Context)
	}
	secrets, err := inputs.SecretsOf(r, r.MaskEnv)
	if err != nil {
		return show.Options{}, err
	}
	return show.Options{
		Cores:             r.Limits.Cores,
		ShowSecrets:       r.ShowSecrets,
		Secrets:           secrets,
		ShowManagedFields: r.ShowManagedFields,
		IgnoreManagers:    r.IgnoreManagers,
		Context:           r.Context,
		Explain:           r.Explain,
		AllFields:         r.AllFields,
	}, nil
}
