package run

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"threeway/command/inputs"
	"threeway/command/request"
	"threeway/command/system"
	"threeway/merge/show"
)

// ForPrograms tells the screen of stdout if what a command prints there is for programs.
func ForPrograms(std system.Streams, command string, outputs []request.Output) {
	format := ""
	if i := slices.IndexFunc(outputs, toStdout); i >= 0 {
		format = outputs[i].Format
	}
	switch format {
	case "json", "sarif", "gitlab", "guard":
		system.Data(std.Out, true)
	case "yaml", "kyaml", "html", "junit", "github":
		system.Data(std.Out, false)
	}
	switch command {
	case "adopt", "pack", "redact", "lsp", "mcp":
		system.Data(std.Out, false)
	}
}

// WriteOutputs lets write fill each output of a run, the files first, as the reader of
// stdout may go away; terminal says that it is stdout, which may be one.
func WriteOutputs(r *request.Request, outputs []request.Output, std system.Streams, write func(w io.Writer, format string, terminal bool) error) error {
	progress := r.Limits.Progress
	progress.Reports(len(slices.DeleteFunc(slices.Clone(outputs), toStdout)))
	defer progress.End()
	for _, o := range outputs {
		if o.File == "" {
			continue
		}
		var b bytes.Buffer
		if err := write(&b, o.Format, false); err != nil {
			return err
		}
		if err := system.WriteFile(o.File, system.Redacted(std.Out, b.Bytes())); err != nil {
			return fmt.Errorf("write the report: %v", fmt.Errorf("-o %s=%s: %w", o.Format, o.File, err))
		}
		progress.Add(1)
	}
	progress.End()
	if i := slices.IndexFunc(outputs, toStdout); i >= 0 {
		return write(std.Out, outputs[i].Format, true)
	}
	return nil
}

func toStdout(o request.Output) bool { return o.File == "" }

// DiffOptions reads DiffFlags.
func DiffOptions(r *request.Request) (show.Options, error) {
	if r.Context < 0 {
		return show.Options{}, fmt.Errorf("--unified must be 0 or more, not %d", r.Context)
	}
	secrets := inputs.SecretsOf(&r.Inputs)
	return show.Options{
		Cores:             r.Limits.Cores,
		ShowSecrets:       r.ShowSecrets,
		Secrets:           secrets,
		ShowManagedFields: r.ShowManagedFields,
		IgnoreManagers:    r.IgnoreManagers,
		Context:           r.Context,
		AllFields:         r.Verbose,
	}, nil
}
